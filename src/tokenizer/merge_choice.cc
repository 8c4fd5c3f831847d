#include "merge_choice.h"

#include <algorithm>
#include <bit>

namespace weir::tokenizer {
namespace {

std::uint64_t key_of(std::uint32_t left, std::uint32_t right) {
  return std::uint64_t{left} << 32 | right;
}

}  // namespace

MergeChoice::MergeChoice(std::span<const ListedMerge> merges) : merges_(merges) {
  slots_.assign(std::bit_ceil(2 * merges.size() + 2), kNone);
  shift_ = 64 - std::countr_zero(slots_.size());
  for (std::uint32_t rank = 0; rank < merges.size(); ++rank) {
    const ListedMerge& merge = merges[rank];
    if (merge.product == kNone || rank_of(merge.left, merge.right) != kNone) {
      continue;  // of the same pair twice the first counts
    }
    std::size_t at = slot_of(key_of(merge.left, merge.right));
    for (int probes = 0; slots_[at] != kNone && probes < kProbesMax; ++probes) {
      at = (at + 1) & (slots_.size() - 1);
    }
    slots_[at] = rank;
  }
}

std::uint32_t MergeChoice::rank_of(std::uint32_t left, std::uint32_t right) const {
  std::size_t at = slot_of(key_of(left, right));
  for (int probes = 0; slots_[at] != kNone && probes <= kProbesMax; ++probes) {
    const ListedMerge& merge = merges_[slots_[at]];
    if (merge.left == left && merge.right == right) {
      return slots_[at];
    }
    at = (at + 1) & (slots_.size() - 1);
  }
  return kNone;
}

std::uint32_t MergeChoice::last_merge(std::vector<std::uint32_t> bytes,
                                      std::uint64_t& steps) const {
  std::vector<std::uint32_t>& tokens = bytes;
  std::vector<std::uint32_t> ranks;  // of each token with the next one
  for (std::size_t i = 0; i + 1 < tokens.size(); ++i) {
    ranks.push_back(rank_of(tokens[i], tokens[i + 1]));
  }
  std::uint32_t last = kNone;
  while (!ranks.empty()) {
    if (steps < ranks.size()) {
      steps = 0;
      return kNone;
    }
    steps -= ranks.size();
    const auto lowest = std::min_element(ranks.begin(), ranks.end());
    last = *lowest;
    if (last == kNone) {
      return kNone;
    }
    const auto at = lowest - ranks.begin();
    tokens[static_cast<std::size_t>(at)] = merges_[last].product;
    tokens.erase(tokens.begin() + at + 1);
    ranks.erase(lowest);
    const auto i = static_cast<std::size_t>(at);
    if (i < ranks.size()) {
      ranks[i] = rank_of(tokens[i], tokens[i + 1]);
    }
    if (i > 0) {
      ranks[i - 1] = rank_of(tokens[i - 1], tokens[i]);
    }
  }
  return last;
}

}  // namespace weir::tokenizer
