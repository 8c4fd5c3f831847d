#pragma once

// Which tokens of a GGUF file are looked for as whole strings.

#include <string>
#include <vector>

#include "gguf_header.h"
#include "weir/tokenizer/tokenizer.h"

namespace weir::tokenizer {

// By their types, and by their texts where llama.cpp goes by these (docs/tokenizer.md).
std::vector<SpecialToken> gguf_special_tokens(const GgufHeader& header);

// What llama-server gives a chat template as bos_token and eos_token: the texts of these tokens,
// which have numbers even where the file gives none. "" when there is no such token.
std::string gguf_bos_text(const GgufHeader& header);
std::string gguf_eos_text(const GgufHeader& header);

}  // namespace weir::tokenizer
