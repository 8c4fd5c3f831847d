#pragma once

// The tokens of a GGUF header as texts to look for, for vocabularies without merges.

#include <vector>

#include "gguf_header.h"
#include "text_trie.h"
#include "weir/base/result.h"

namespace weir::tokenizer {

// All tokens with their ids; views into the header. An empty token has the name that llama.cpp
// gives it, which no text leads to: it is left out.
// Errors: kBadConfig when there are none, too many, or one is too long to be looked for at each
// place of a text (kTokenBytesMax).
base::Result<std::vector<TextTrie::Entry>> plain_tokens(const GgufHeader& header);

// The type of a token (GgufHeader::TokenType); normal when the file gives none.
inline std::int32_t type_of(const GgufHeader& header, std::size_t id) {
  return id < header.token_types.size() ? header.token_types[id] : GgufHeader::kNormal;
}

}  // namespace weir::tokenizer
