#include "pair_table.h"

#include <algorithm>
#include <bit>

namespace weir::tokenizer {

PairTable::PairTable(const Vocabulary& vocabulary)
    : slot_mask_(std::bit_ceil(vocabulary.merges.size() * 2 + 1) - 1),
      filter_((std::size_t{1} << kFilterBits) / 64, 0),
      slots_(slot_mask_ + 1, kEmpty) {
  for (std::uint32_t i = 0; i < vocabulary.merges.size(); ++i) {
    insert(vocabulary.merges[i], kByteTokens + i);
  }
}

bool PairTable::is_sound(std::uint32_t tokens) const {
  if (!std::has_single_bit(slots_.size()) || slot_mask_ != slots_.size() - 1 ||
      filter_.size() != (std::size_t{1} << kFilterBits) / 64) {
    return false;
  }
  bool has_end = false;
  std::uint64_t token_max = 0;
  for (const std::uint64_t slot : slots_) {
    has_end = has_end || slot == kEmpty;
    token_max = std::max(token_max, slot == kEmpty ? 0 : slot & kTokenMask);
  }
  return has_end && token_max < tokens;
}

// Of two merges with the same parts the first one counts.
void PairTable::insert(const Pair& pair, std::uint32_t token) {
  const std::uint64_t key = key_of(pair.left, pair.right);
  const std::uint64_t hash = hash_of(key);
  const std::uint64_t bit = hash >> (64 - kFilterBits);
  filter_[bit / 64] |= std::uint64_t{1} << (bit % 64);
  std::uint64_t at = (hash >> kSlotShift) & slot_mask_;
  while (slots_[at] != kEmpty) {
    if (slots_[at] >> kTokenBits == key) {
      return;
    }
    at = (at + 1) & slot_mask_;
  }
  slots_[at] = key << kTokenBits | token;
}

}  // namespace weir::tokenizer
