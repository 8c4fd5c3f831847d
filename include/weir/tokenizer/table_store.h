#pragma once

// A place for the tables of vocabularies that took long to build, so that the next start finds them
// ready. What comes from it is not trusted: see load_gguf_tokenizer.

#include <optional>
#include <string>
#include <string_view>

namespace weir::tokenizer {

// Implemented outside. Any thread may call; several processes may share what is behind it.
class TableStore {
 public:
  // More than any vocabulary needs.
  static constexpr std::size_t kFileBytesMax = std::size_t{64} << 20;

  virtual ~TableStore() = default;

  // What was written under `name` (letters, digits and dots), if it is there and is ours.
  virtual std::optional<std::string> read(const std::string& name) = 0;

  // All or nothing. That it did not work is nobody's trouble but the store's own.
  virtual void write(const std::string& name, std::string_view bytes) = 0;
};

}  // namespace weir::tokenizer
