#pragma once

// The files of data/ that are linked into the program (embedded.S).

#include <string_view>

namespace weir::tokenizer::embedded {

std::string_view qwen3_5_bpe();
std::string_view qwen3_5_special();
std::string_view qwen3_bpe();
std::string_view qwen3_special();
std::string_view unicode_classes();

}  // namespace weir::tokenizer::embedded
