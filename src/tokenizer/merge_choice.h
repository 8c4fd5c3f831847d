#pragma once

// Finds out which merge really makes a token.
//
// Vocabularies that were made from ranks (Llama 3, for one) list every pair of tokens that
// together spell a third. In any text only one of these pairs ever comes to be: the last one when
// the token's own bytes are merged by the definition. Where that does not end in one token, the
// token never comes to be.

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace weir::tokenizer {

// Numbers are the model's ids; a merge's place in the list is its rank, a lower one merges first.
struct ListedMerge {
  std::uint32_t left = 0;
  std::uint32_t right = 0;
  std::uint32_t product = 0;
};

class MergeChoice {
 public:
  static constexpr std::uint32_t kNone = UINT32_MAX;

  // `merges` must outlive this object. Some may be kNone, kNone, kNone: they are passed over.
  explicit MergeChoice(std::span<const ListedMerge> merges);

  // The rank of the last merge when `bytes`, tokens of one byte each, become one token, or kNone.
  // Takes quadratic time; `steps` is made smaller by what was needed. kNone as well when it is
  // used up.
  std::uint32_t last_merge(std::vector<std::uint32_t> bytes, std::uint64_t& steps) const;

 private:
  static constexpr int kProbesMax = 1024;

  std::uint32_t rank_of(std::uint32_t left, std::uint32_t right) const;
  std::size_t slot_of(std::uint64_t key) const {
    return static_cast<std::size_t>(key * 0x9E3779B97F4A7C15ULL >> shift_);
  }

  std::span<const ListedMerge> merges_;
  int shift_ = 0;
  std::vector<std::uint32_t> slots_;  // ranks by pair; open addressing, at most half full
};

}  // namespace weir::tokenizer
