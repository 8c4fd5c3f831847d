#include "weir/tokenizer/gguf.h"

#include <filesystem>
#include <fstream>
#include <new>
#include <utility>

#include "gguf_header.h"
#include "gguf_model.h"
#include "gguf_special.h"
#include "weir/base/text.h"

namespace weir::tokenizer {
namespace {

base::Error bad(std::string what) {
  return {base::ErrorCode::kBadConfig, std::move(what)};
}

base::Result<GgufHeader> read_header(const std::string& path) {
  std::error_code error;
  if (!std::filesystem::is_regular_file(path, error)) {
    return bad("there is no such file");
  }
  const std::uintmax_t bytes = std::filesystem::file_size(path, error);
  std::ifstream file(path, std::ios::binary);
  if (error || !file) {
    return bad("the file cannot be opened");
  }
  return read_gguf_header(file, bytes);
}

base::Result<GgufTokenizer> make_tokenizer(const std::string& name, GgufHeader header) {
  auto made = gguf_model(header);
  if (!made) {
    return std::move(made).error();
  }
  TokenizerFacts facts;
  facts.why_estimate = std::move(made->why_estimate);
  facts.added_tokens = (made->adds_bos ? 1U : 0U) + (made->adds_eos ? 1U : 0U);
  return GgufTokenizer{
      std::make_unique<const Tokenizer>(name, std::move(made->model), gguf_special_tokens(header),
                                        std::move(facts)),
      std::move(header.model_name),
      std::move(header.chat_template),
      gguf_bos_text(header),
      gguf_eos_text(header),
      made->adds_bos,
      made->adds_eos};
}

base::Result<GgufTokenizer> load(const std::string& path) {
  auto header = read_header(path);
  if (!header) {
    return std::move(header).error();
  }
  return make_tokenizer(std::filesystem::path(path).filename().string(), *std::move(header));
}

}  // namespace

base::Result<GgufTokenizer> load_gguf_tokenizer(const std::string& path) {
  try {
    auto loaded = load(path);
    if (!loaded) {
      return base::Error{loaded.error().code,
                         base::printable(path, 400) + ": " + loaded.error().message};
    }
    return loaded;
  } catch (const std::bad_alloc&) {
    return base::Error{base::ErrorCode::kCannotRun,
                       base::printable(path, 400) + ": not enough memory"};
  }
}

}  // namespace weir::tokenizer
