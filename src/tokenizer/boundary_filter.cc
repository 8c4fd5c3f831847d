#include "boundary_filter.h"

#include <algorithm>

namespace weir::tokenizer {
namespace {

bool is_continuation(char byte) {
  return (static_cast<std::uint8_t>(byte) & 0xC0) == 0x80;
}

}  // namespace

BoundaryFilter::BoundaryFilter(const Vocabulary& vocabulary, const TokenTexts& texts)
    : bits_((std::size_t{1} << kBits) / 64, 0) {
  for (const Pair& merge : vocabulary.merges) {
    add(texts[merge.left], texts[merge.right]);
  }
}

// Only merges that fit between two three-byte characters matter: `right` starts with such a
// character or a part of it, `left` ends with one or is the tail of one. Whole characters on both
// sides go into the filter. For parts of characters the neighbours are not known, so the lead byte
// of `right` is given up altogether.
void BoundaryFilter::add(std::string_view left, std::string_view right) {
  const auto lead = static_cast<std::uint8_t>(right[0]);
  if ((lead & 0xF0) != 0xE0) {
    return;
  }
  const bool tail_only = left.size() <= 2 && std::all_of(left.begin(), left.end(), is_continuation);
  const auto* left_bytes = reinterpret_cast<const std::uint8_t*>(left.data());
  const bool whole_left = left.size() >= 3 && is_character(left_bytes + left.size() - 3);
  if (!tail_only && !whole_left) {
    return;
  }
  const auto* right_bytes = reinterpret_cast<const std::uint8_t*>(right.data());
  const bool whole_right = right.size() >= 3 && is_character(right_bytes);
  if (tail_only || !whole_right) {
    unsafe_lead_[lead] = true;
    return;
  }
  std::array<std::uint8_t, 6> around{};
  std::memcpy(around.data(), left_bytes + left.size() - 3, 3);
  std::memcpy(around.data() + 3, right_bytes, 3);
  const std::uint32_t bit = bit_of(around.data() + 3);
  bits_[bit / 64] |= std::uint64_t{1} << (bit % 64);
}

}  // namespace weir::tokenizer
