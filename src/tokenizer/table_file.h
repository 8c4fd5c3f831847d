#pragma once

// The tables of one model file as a file of our own: what they were made from, and a checksum.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "block_hash.h"

namespace weir::tokenizer {

// What tables were made from. Equal keys mean the same vocabulary.
struct GgufKey {
  std::uint64_t file_bytes = 0;
  std::int64_t changed_at = 0;     // the file's time of change
  std::uint64_t header_bytes = 0;  // all of the header up to the tensors' descriptions
  BlockHash::Sum header_sum{};

  bool operator==(const GgufKey&) const = default;
};

// Of the file as it is now, with `header_bytes` of it read; nothing when that does not work.
std::optional<GgufKey> key_of_gguf(const std::string& path, std::uint64_t header_bytes);

// What the tables of the file at `path` are called.
std::string table_name_of(const std::string& path);

std::string seal_tables(const GgufKey& key, std::string_view tables);

// A sealed file that another version of weir has not written and that is whole.
struct SealedTables {
  GgufKey key;
  std::string_view tables;  // in `file`
};
std::optional<SealedTables> open_tables(std::string_view file);

}  // namespace weir::tokenizer
