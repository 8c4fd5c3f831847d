#include "table_file.h"

#include <algorithm>
#include <array>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <vector>

#include "table_archive.h"

namespace weir::tokenizer {
namespace {

constexpr std::string_view kMagic = "WEIRTAB1";
// Raise it with every change to what is written, or to what is built from a model file.
constexpr std::uint32_t kFormat = 1;
constexpr std::size_t kReadBytes = std::size_t{256} << 10;
static_assert(kReadBytes % BlockHash::kStripeBytes == 0);

// Everything in front of the tables but the checksum itself.
std::string head_of(const GgufKey& key, std::uint64_t table_bytes) {
  TableWriter head;
  head(std::string(kMagic));
  head(std::string(WEIR_VERSION));
  head(kFormat);
  head(static_cast<std::uint32_t>(sizeof(std::size_t)));
  head(key.file_bytes);
  head(key.changed_at);
  head(key.header_bytes);
  head(key.header_sum);
  head(table_bytes);
  return head.bytes();
}

BlockHash::Sum sum_of(std::string_view head, std::string_view tables) {
  std::string padded(head);
  padded.resize((head.size() + BlockHash::kStripeBytes - 1) / BlockHash::kStripeBytes *
                BlockHash::kStripeBytes);
  BlockHash hash;
  hash.add(padded);
  hash.add(tables);
  return hash.sum();
}

}  // namespace

std::optional<GgufKey> key_of_gguf(const std::string& path, std::uint64_t header_bytes) {
  std::error_code error;
  GgufKey key;
  key.file_bytes = std::filesystem::file_size(path, error);
  if (error || header_bytes > key.file_bytes) {
    return std::nullopt;
  }
  key.changed_at = std::filesystem::last_write_time(path, error).time_since_epoch().count();
  std::ifstream file(path, std::ios::binary);
  if (error || !file) {
    return std::nullopt;
  }
  key.header_bytes = header_bytes;
  BlockHash hash;
  std::vector<char> block(kReadBytes);
  for (std::uint64_t left = header_bytes; left > 0;) {
    const auto wanted = static_cast<std::size_t>(std::min<std::uint64_t>(left, block.size()));
    if (!file.read(block.data(), static_cast<std::streamsize>(wanted))) {
      return std::nullopt;
    }
    hash.add({block.data(), wanted});
    left -= wanted;
  }
  key.header_sum = hash.sum();
  return key;
}

std::string table_name_of(const std::string& path) {
  std::error_code error;
  const std::filesystem::path absolute = std::filesystem::weakly_canonical(path, error);
  const BlockHash::Sum sum = BlockHash::of(error ? path : absolute.string());
  std::array<char, 48> name{};
  std::snprintf(name.data(), name.size(), "%016llx%016llx.tables",
                static_cast<unsigned long long>(sum[0]), static_cast<unsigned long long>(sum[1]));
  return name.data();
}

std::string seal_tables(const GgufKey& key, std::string_view tables) {
  const std::string head = head_of(key, tables.size());
  TableWriter sum;
  sum(sum_of(head, tables));
  std::string file;
  file.reserve(head.size() + sum.bytes().size() + tables.size());
  return file.append(head).append(sum.bytes()).append(tables);
}

std::optional<SealedTables> open_tables(std::string_view file) {
  TableReader reader(file);
  std::string magic;
  std::string version;
  std::uint32_t format = 0;
  std::uint32_t word_bytes = 0;
  std::uint64_t table_bytes = 0;
  BlockHash::Sum sum{};
  SealedTables sealed;
  reader(magic);
  reader(version);
  reader(format);
  reader(word_bytes);
  reader(sealed.key.file_bytes);
  reader(sealed.key.changed_at);
  reader(sealed.key.header_bytes);
  reader(sealed.key.header_sum);
  reader(table_bytes);
  const std::string expected = head_of(sealed.key, table_bytes);
  reader(sum);
  const std::size_t head_bytes = expected.size() + sizeof sum;
  if (!reader.ok() || !file.starts_with(expected) || file.size() != head_bytes + table_bytes) {
    return std::nullopt;
  }
  sealed.tables = file.substr(head_bytes);
  return sum_of(expected, sealed.tables) == sum ? std::optional(sealed) : std::nullopt;
}

}  // namespace weir::tokenizer
