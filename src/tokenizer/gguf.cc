#include "weir/tokenizer/gguf.h"

#include <filesystem>
#include <fstream>
#include <new>
#include <utility>

#include "gguf_header.h"
#include "gguf_model.h"
#include "gguf_special.h"
#include "gguf_tables.h"
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

base::Result<GgufParts> make_parts(GgufHeader header) {
  auto made = gguf_model(header);
  if (!made) {
    return std::move(made).error();
  }
  GgufParts parts;
  parts.model = std::move(made->model);
  parts.special_tokens = gguf_special_tokens(header);
  parts.facts.why_estimate = std::move(made->why_estimate);
  parts.facts.added_tokens = (made->adds_bos ? 1U : 0U) + (made->adds_eos ? 1U : 0U);
  parts.rest.bos = gguf_bos_text(header);
  parts.rest.eos = gguf_eos_text(header);
  parts.rest.adds_bos = made->adds_bos;
  parts.rest.adds_eos = made->adds_eos;
  parts.rest.model_name = std::move(header.model_name);
  parts.rest.chat_template = std::move(header.chat_template);
  return parts;
}

GgufTokenizer joined(const std::string& path, GgufParts parts) {
  GgufTokenizer joined = std::move(parts.rest);
  joined.tokenizer = std::make_unique<const Tokenizer>(
      std::filesystem::path(path).filename().string(), std::move(parts.model),
      std::move(parts.special_tokens), std::move(parts.facts));
  return joined;
}

base::Result<GgufTokenizer> load(const std::string& path, TableStore* store) {
  if (store != nullptr) {
    if (auto kept = read_gguf_tables(path, *store)) {
      return joined(path, *std::move(kept));
    }
  }
  auto header = read_header(path);
  if (!header) {
    return std::move(header).error();
  }
  const std::uint64_t header_bytes = header->header_bytes;
  auto parts = make_parts(*std::move(header));
  if (!parts) {
    return std::move(parts).error();
  }
  if (store != nullptr) {
    write_gguf_tables(path, header_bytes, *parts, *store);
  }
  return joined(path, *std::move(parts));
}

}  // namespace

base::Result<GgufTokenizer> load_gguf_tokenizer(const std::string& path, TableStore* store) {
  try {
    auto loaded = load(path, store);
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
