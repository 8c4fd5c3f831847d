#pragma once

// Which token two tokens merge into. Built once, then read by any thread.

#include <cstdint>
#include <optional>
#include <vector>

#include "vocabulary.h"

namespace weir::tokenizer {

class PairTable {
 public:
  static constexpr std::uint32_t kNone = UINT32_MAX;

  PairTable() = default;  // of no use before its tables are read
  explicit PairTable(const Vocabulary& vocabulary);

  // The token made of `left` and `right`, or kNone. Nearly all questions are about pairs that do
  // not merge; a bit filter that stays in the second-level cache answers most of them.
  std::uint32_t find(std::uint32_t left, std::uint32_t right) const {
    const std::uint64_t key = key_of(left, right);
    const std::uint64_t hash = hash_of(key);
    if (!filter_has(hash)) {
      return kNone;
    }
    for (std::uint64_t at = (hash >> kSlotShift) & slot_mask_;; at = (at + 1) & slot_mask_) {
      const std::uint64_t slot = slots_[at];
      if (slot >> kTokenBits == key) {
        return static_cast<std::uint32_t>(slot & kTokenMask);
      }
      if (slot == kEmpty) {
        return kNone;
      }
    }
  }

  // table_archive.h
  template <class Self, class Archive>
  static void tables(Self& self, Archive& archive) {
    archive(self.slot_mask_);
    archive(self.filter_);
    archive(self.slots_);
  }
  // Whether `find` comes to an end and gives numbers below `tokens`, whatever the tables say.
  bool is_sound(std::uint32_t tokens) const;

 private:
  static constexpr int kTokenBits = 18;
  static constexpr std::uint64_t kTokenMask = (1U << kTokenBits) - 1;
  static constexpr std::uint64_t kEmpty = UINT64_MAX;  // no pair has this key: keys have 36 bits
  static constexpr int kFilterBits = 22;               // 512 KB
  static constexpr int kSlotShift = 20;

  static std::uint64_t key_of(std::uint32_t left, std::uint32_t right) {
    return std::uint64_t{left} << kTokenBits | right;
  }
  static std::uint64_t hash_of(std::uint64_t key) {
    const std::uint64_t mixed = key * 0x9E3779B97F4A7C15ULL;
    return mixed ^ mixed >> 29;
  }
  bool filter_has(std::uint64_t hash) const {
    const std::uint64_t bit = hash >> (64 - kFilterBits);
    return (filter_[bit / 64] >> (bit % 64) & 1) != 0;
  }
  void insert(const Pair& pair, std::uint32_t token);

  std::uint64_t slot_mask_ = 0;
  std::vector<std::uint64_t> filter_;
  std::vector<std::uint64_t> slots_;  // key << 18 | token; open addressing, at most half full
};

}  // namespace weir::tokenizer
