#pragma once

// Vocabularies without merges by their definitions, slow and plain: WordPiece, Unigram, RWKV and
// PLaMo 2. Of src/tokenizer they use only the reader of headers, and for WordPiece the folding of
// characters.

#include <cstdint>
#include <string_view>
#include <vector>

#include "gguf_header.h"

namespace weir::tokenizer::test {

// The tokens of a text without special ones; `header.model` says how. Valid UTF-8, or for the first
// two any bytes.
std::vector<std::uint32_t> encode_plainly(const GgufHeader& header, std::string_view text);

}  // namespace weir::tokenizer::test
