#include "charsmap.h"

#include <algorithm>
#include <cstring>

namespace weir::tokenizer {
namespace {

// A node's bits: 0 to 7 and 31 the label, 8 whether a text ends here, 9 a scale of the base, from
// 10 the base; of the node of an end 0 to 30 the place of the replacement.
std::uint32_t base_of(std::uint32_t node) {
  return node >> 10 << ((node & 1U << 9) >> 6);
}
bool has_label(std::uint32_t node, std::uint8_t label) {
  return (node & (1U << 31 | 0xFF)) == label;
}
bool is_end(std::uint32_t node) {
  return (node >> 8 & 1) != 0;
}
constexpr std::uint32_t kPlaceMask = (1U << 31) - 1;

// `texts` ends with a zero.
std::size_t longest_text(const std::vector<char>& texts) {
  std::size_t longest = 0;
  for (std::size_t from = 0; from < texts.size();) {
    const std::size_t bytes = std::strlen(texts.data() + from);
    longest = std::max(longest, bytes);
    from += bytes + 1;
  }
  return longest;
}

}  // namespace

base::Result<Charsmap> Charsmap::read(const std::vector<char>& bytes) {
  Charsmap map;
  if (bytes.empty()) {
    return map;
  }
  const auto bad = [] {
    return base::Error{base::ErrorCode::kBadConfig,
                       "tokenizer.ggml.precompiled_charsmap is damaged"};
  };
  std::uint32_t node_bytes = 0;
  if (bytes.size() < sizeof node_bytes) {
    return bad();
  }
  for (std::size_t i = 0; i < sizeof node_bytes; ++i) {
    node_bytes |= std::uint32_t{static_cast<std::uint8_t>(bytes[i])} << (8 * i);
  }
  if (node_bytes >= bytes.size() - sizeof node_bytes) {
    return bad();
  }
  const char* nodes = bytes.data() + sizeof node_bytes;
  map.nodes_.resize(node_bytes / sizeof(std::uint32_t));
  for (std::size_t i = 0; i < map.nodes_.size() * sizeof(std::uint32_t); ++i) {
    map.nodes_[i / 4] |= std::uint32_t{static_cast<std::uint8_t>(nodes[i])} << (8 * (i % 4));
  }
  map.texts_.assign(nodes + node_bytes, bytes.data() + bytes.size());
  if (map.texts_.back() != '\0') {
    return bad();
  }
  map.replacement_bytes_max_ = longest_text(map.texts_);
  if (map.replacement_bytes_max_ > kReplacementBytesMax) {
    return bad();
  }
  return map;
}

Charsmap::Match Charsmap::longest(std::string_view text) const {
  Match match;
  if (nodes_.empty()) {
    return match;
  }
  std::uint32_t at = base_of(nodes_[0]);
  text = text.substr(0, kPrefixBytesMax);
  for (std::size_t i = 0; i < text.size() && text[i] != '\0'; ++i) {
    const auto byte = static_cast<std::uint8_t>(text[i]);
    at ^= byte;
    if (at >= nodes_.size() || !has_label(nodes_[at], byte)) {
      break;
    }
    const std::uint32_t node = nodes_[at];
    at ^= base_of(node);
    if (!is_end(node)) {
      continue;
    }
    const std::uint32_t place = at < nodes_.size() ? nodes_[at] & kPlaceMask : kPlaceMask;
    if (place >= texts_.size()) {
      break;
    }
    match = {i + 1, std::string_view(texts_.data() + place)};
  }
  return match;
}

}  // namespace weir::tokenizer
