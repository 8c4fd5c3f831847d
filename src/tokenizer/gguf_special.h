#pragma once

// Which tokens of a GGUF file are looked for as whole strings.

#include <vector>

#include "gguf_header.h"
#include "weir/tokenizer/tokenizer.h"

namespace weir::tokenizer {

// By their types, and by their texts where llama.cpp goes by these (docs/tokenizer.md).
std::vector<SpecialToken> gguf_special_tokens(const GgufHeader& header);

}  // namespace weir::tokenizer
