#pragma once

// Vocabularies that merge characters, not bytes, as plain numbers: SentencePiece's BPE, where a
// token's score says which merge comes first, and lists of merges over plain UTF-8 (Gemma 4).
//
// They become a byte vocabulary: the bytes of each character that occurs in a token are merged
// before all else, step by step; then come the merges of the model. A space stands for U+2581, and
// no text has both: model files write U+2581 where the text has a space.
//
// Of the several pairs that may spell a token only one ever comes to be, in any text: the last one
// when the token's own characters are merged by the definition. Where that does not end in one
// token, none of the pairs matters.

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "gguf_header.h"
#include "vocabulary.h"
#include "weir/base/result.h"

namespace weir::tokenizer {

struct CharVocabulary {
  static constexpr std::uint32_t kNoId = UINT32_MAX;

  // Tokens that merge at the same time, so that the leftmost wins, whichever it is. A piece of text
  // in which two of them occur must be merged by `order`. `texts` has no two of which one contains
  // the other; `one_is_enough`: one of them may stand for two.
  struct Ties {
    std::vector<std::string> texts;
    bool one_is_enough = false;
  };

  Vocabulary vocabulary;
  std::vector<std::uint32_t> order;  // by number: what merges first; equal ones the leftmost first
  std::vector<std::uint32_t> ids;    // by number: the model's; kNoId: written as its bytes
  std::array<std::uint32_t, kByteTokens> byte_ids{};  // <0x00> and so on; kNoId: the model has none
  std::vector<Ties> ties;
  std::vector<std::uint32_t> newline_ids;  // of n newlines in a row, kNoId where none is
  std::uint32_t unknown_merges = 0;        // with a part or a result that is no token
};

// Tokens from tokenizer.ggml.scores. Errors: kBadConfig when there are no tokens or scores, a score
// is no number, or there is more than the tables can hold.
base::Result<CharVocabulary> scored_vocabulary(const GgufHeader& header);

// Tokens from tokenizer.ggml.merges. Errors: the same.
base::Result<CharVocabulary> merged_vocabulary(const GgufHeader& header);

// `text` with U+2581 as a space.
std::string with_spaces(std::string_view text);

}  // namespace weir::tokenizer
