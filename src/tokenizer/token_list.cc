#include "token_list.h"

#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <utility>

#include "text_index.h"

namespace weir::tokenizer {
namespace {

constexpr std::string_view kMagic = "TOKENS01";

// Takes numbers and texts off the front; none when there is not enough.
class Reader {
 public:
  explicit Reader(std::string_view file) : rest_(file) {}

  std::optional<std::uint32_t> number() {
    if (rest_.size() < sizeof(std::uint32_t)) {
      return std::nullopt;
    }
    std::uint32_t value = 0;
    for (std::size_t i = 0; i < sizeof value; ++i) {
      value |= std::uint32_t{static_cast<std::uint8_t>(rest_[i])} << (8 * i);
    }
    rest_.remove_prefix(sizeof value);
    return value;
  }

  std::optional<std::string_view> text() {
    const std::size_t end = rest_.find('\0');
    if (end == std::string_view::npos) {
      return std::nullopt;
    }
    const std::string_view text = rest_.substr(0, end);
    rest_.remove_prefix(end + 1);
    return text;
  }

 private:
  std::string_view rest_;
};

using Merge = std::pair<std::uint32_t, std::uint32_t>;

bool is_char_start(char c) {
  return (static_cast<std::uint8_t>(c) & 0xC0) != 0x80;
}

// `first`, then those of each token in turn, the longest left part first.
void add_merges(const std::set<Merge>& first, GgufHeader& header) {
  const TextIndex index(header.tokens);
  for (std::uint32_t id = 0; id < header.tokens.size(); ++id) {
    const std::string_view text = header.tokens[id];
    for (std::size_t cut = text.size(); cut-- > 1;) {
      if (!is_char_start(text[cut])) {
        continue;
      }
      const Merge merge{index.find(text.substr(0, cut)), index.find(text.substr(cut))};
      if (merge.first != TextIndex::kNone && merge.second != TextIndex::kNone &&
          !first.contains(merge)) {
        header.merges.append(std::string(text.substr(0, cut)) + " " +
                             std::string(text.substr(cut)));
      }
    }
  }
}

}  // namespace

base::Result<GgufHeader> read_token_list(std::string_view file) {
  const base::Error damaged{base::ErrorCode::kBadConfig, "the list of tokens is damaged"};
  if (!file.starts_with(kMagic)) {
    return damaged;
  }
  Reader reader(file.substr(kMagic.size()));
  const auto tokens = reader.number();
  const auto runs = reader.number();
  const auto merges = reader.number();
  if (!tokens || !runs || !merges || *tokens > kGgufElementsMax) {
    return damaged;
  }
  GgufHeader header;
  for (std::uint32_t run = 0; run < *runs; ++run) {
    const auto count = reader.number();
    const auto type = reader.number();
    if (!count || !type || *count > *tokens - header.token_types.size()) {
      return damaged;
    }
    header.token_types.insert(header.token_types.end(), *count, static_cast<std::int32_t>(*type));
  }
  std::vector<Merge> first;
  for (std::uint32_t i = 0; i < *merges; ++i) {
    const auto left = reader.number();
    const auto right = reader.number();
    if (!left || !right || *left >= *tokens || *right >= *tokens) {
      return damaged;
    }
    first.emplace_back(*left, *right);
  }
  header.tokens.reserve(*tokens);
  for (std::uint32_t id = 0; id < *tokens; ++id) {
    const auto text = reader.text();
    if (!text) {
      return damaged;
    }
    header.tokens.append(*text);
  }
  if (header.token_types.size() != *tokens) {
    return damaged;
  }
  for (const auto& [left, right] : first) {
    header.merges.append(std::string(header.tokens[left]) + " " +
                         std::string(header.tokens[right]));
  }
  add_merges({first.begin(), first.end()}, header);
  return header;
}

}  // namespace weir::tokenizer
