// Any bytes as a GGUF file: a header, or an error that says something; bounded memory.

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <sstream>
#include <string>

#include "gguf_header.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  std::istringstream file(std::string(reinterpret_cast<const char*>(data), size));
  const auto header = weir::tokenizer::read_gguf_header(file, size);
  if (!header && header.error().message.empty()) {
    std::abort();
  }
  return 0;
}
