#pragma once

// Byte pair encoding by its definition: the merge with the lowest published number first, the
// leftmost of equal ones first. O(n log n), several times slower than Bpe; for the few pieces where
// the numbers of Bpe do not tell the order of the merges (merge_order.h).

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

namespace weir::tokenizer {

class Bpe;

// Writes the tokens (numbers of `bpe`, not published ones) to `tokens`, which has room for one a
// byte, and returns how many there are. `piece` is shorter than 2 GiB.
//
// `order` takes the place of the published numbers: one number for each token of `bpe`, equal ones
// of tokens that merge at the same time. Empty: the published numbers.
std::size_t heap_merge(const Bpe& bpe, std::string_view piece, std::uint32_t* tokens,
                       std::span<const std::uint32_t> order = {});

}  // namespace weir::tokenizer
