#pragma once

// Vocabularies without merges by their definitions, slow and plain: WordPiece, Unigram, RWKV and
// PLaMo 2. Of src/tokenizer they use only the reader of headers, and for WordPiece the folding of
// characters.

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "gguf_header.h"

namespace weir::tokenizer::test {

// What a charsmap replaces, and by what.
using Replacements = std::map<std::string, std::string>;

// The tokens of a text without special ones, which may be any bytes; `header.model` says how.
// `replacements` are those of the header's charsmap, for Unigram.
std::vector<std::uint32_t> encode_plainly(const GgufHeader& header, std::string_view text,
                                          const Replacements& replacements);

}  // namespace weir::tokenizer::test
