#pragma once

// The merges of a GGUF header as the tables here need them.

#include <array>
#include <cstdint>
#include <string>
#include <unordered_map>
#include <vector>

#include "gguf_header.h"
#include "vocabulary.h"
#include "weir/base/result.h"

namespace weir::tokenizer {

struct GgufVocabulary {
  static constexpr std::uint32_t kNoId = UINT32_MAX;

  Vocabulary vocabulary;                 // one merge for each token that can come to be
  std::vector<std::uint32_t> model_ids;  // of the tokens of `vocabulary`
  // Bytes that are no token of the model: llama.cpp drops them, so they count nothing.
  std::array<bool, kByteTokens> is_dropped{};
  // Merges with a part or a result that is no token; passed over here.
  std::uint32_t unknown_merges = 0;
};

// Errors: kBadConfig when there are no tokens or merges, or more than the tables can hold.
base::Result<GgufVocabulary> gguf_vocabulary(const GgufHeader& header);

// Texts, in bytes, that are tokens of the model but no merges lead to, with their ids. A model with
// "ignore_merges" knows a piece of text by them all the same.
std::unordered_map<std::string, std::uint32_t> tokens_without_merges(
    const GgufHeader& header, const GgufVocabulary& vocabulary);

// Takes merges out of `vocabulary`, given by the numbers of their tokens, and those that need them.
// Errors: kBadConfig when there is no end to it.
base::Result<void> remove_tokens(const std::vector<std::uint32_t>& tokens,
                                 GgufVocabulary& vocabulary);

}  // namespace weir::tokenizer
