#include "repair_utf8.h"

#include <cstddef>

#include "weir/base/text.h"

namespace weir::tokenizer {

std::string_view repair_utf8(std::string_view text, std::string& buffer) {
  std::size_t invalid = base::find_invalid_utf8(text);
  if (invalid == std::string_view::npos) {
    return text;
  }
  buffer.clear();
  while (invalid != std::string_view::npos) {
    buffer.append(text.substr(0, invalid));
    base::append_utf8(buffer, 0xFFFD);
    text.remove_prefix(invalid + 1);
    invalid = base::find_invalid_utf8(text);
  }
  buffer.append(text);
  return buffer;
}

}  // namespace weir::tokenizer
