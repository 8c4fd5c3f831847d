#include "pair_table.h"

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
