#pragma once

// Byte pair encoding by its definition: the merge with the lowest published number first, the
// leftmost of equal ones first. O(n log n), several times slower than Bpe; for the few pieces where
// the numbers of Bpe do not tell the order of the merges (merge_order.h).

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

namespace weir::tokenizer {

class Bpe;

// Writes the tokens (numbers of `bpe`, not published ones) to the front of `tokens`, which has at
// least one element a byte, and returns how many there are. `piece` is shorter than 2 GiB.
std::size_t heap_merge(const Bpe& bpe, std::string_view piece, std::vector<std::uint32_t>& tokens);

}  // namespace weir::tokenizer
