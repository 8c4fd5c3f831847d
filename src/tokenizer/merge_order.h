#pragma once

// Numbers the tokens of a vocabulary so that parts come before the tokens made of them.
//
// Fast BPE compares token numbers to know which merge came first, and for that a part must be made
// before the whole. Published vocabularies do not always keep this: in Qwen3.5 the token
// 99655 is 108583 + 96852. Such a late token can be made only once its late part is there, and then
// at once, since its own number is lower than all that is left. So it is moved to directly after
// the part, and so on for tokens made of it.
//
// Left-over difference: with the published numbers the late token is made at the first place
// before the part is made at the next place; with the new numbers the part is made everywhere
// first. It matters only if what stands around two such places belongs to both. Parts where this
// is possible are reported as guards: a piece of text in which a guard occurs twice must be merged
// by the published numbers (heap_merge.h). Qwen3.5 has one guard, いっぱ.

#include <cstdint>
#include <vector>

#include "vocabulary.h"
#include "weir/base/result.h"

namespace weir::tokenizer {

struct OrderedVocabulary {
  Vocabulary vocabulary;                 // renumbered
  std::vector<std::uint32_t> published;  // new number -> number in the file; empty: the same
  std::vector<std::uint32_t> guards;     // new numbers
};

// Errors: kBadConfig when tokens are made of each other in a circle.
base::Result<OrderedVocabulary> order_merges(Vocabulary vocabulary);

}  // namespace weir::tokenizer
