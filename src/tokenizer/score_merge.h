#pragma once

// Merging the characters of one short text by the definition of SentencePiece's BPE: two
// neighbours that together spell a token become it, the token with the highest score first, the
// leftmost of equal ones first. Quadratic; for tokens, when a vocabulary is read.

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "vocabulary.h"

namespace weir::tokenizer {

// The two parts of the last merge when `parts`, the characters of `text`, become one token, or
// nothing. `find(text)` gives a token's number or UINT32_MAX, `score(number)` its score. `steps` is
// made smaller by what was needed; nothing is found once it is used up.
template <class Find, class Score>
std::optional<Pair> last_parts_by_score(std::string_view text, std::vector<std::uint32_t> parts,
                                        std::uint64_t& steps, Find find, Score score) {
  constexpr std::uint32_t kNone = UINT32_MAX;
  std::vector<std::size_t> starts;  // of the parts in `text`, and its end
  for (std::size_t i = 0; i < text.size(); ++i) {
    if ((static_cast<std::uint8_t>(text[i]) & 0xC0) != 0x80) {
      starts.push_back(i);
    }
  }
  starts.push_back(text.size());
  const auto product = [&](std::size_t i) {
    return find(text.substr(starts[i], starts[i + 2] - starts[i]));
  };
  std::vector<std::uint32_t> products;  // of each part with the next one
  for (std::size_t i = 0; i + 1 < parts.size(); ++i) {
    products.push_back(product(i));
  }
  const auto merges_later = [&](std::uint32_t a, std::uint32_t b) {
    return b != kNone && (a == kNone || score(a) < score(b));
  };
  while (steps >= products.size()) {
    steps -= products.size();
    const auto best = std::max_element(products.begin(), products.end(), merges_later);
    if (best == products.end() || *best == kNone) {
      return std::nullopt;
    }
    const auto at = best - products.begin();
    const auto i = static_cast<std::size_t>(at);
    if (parts.size() == 2) {
      return Pair{parts[0], parts[1]};
    }
    parts[i] = *best;
    parts.erase(parts.begin() + at + 1);
    starts.erase(starts.begin() + at + 1);
    products.erase(best);
    if (i < products.size()) {
      products[i] = product(i);
    }
    if (i > 0) {
      products[i - 1] = product(i - 1);
    }
  }
  return std::nullopt;
}

}  // namespace weir::tokenizer
