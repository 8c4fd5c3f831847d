#pragma once

// The files of data/ that are linked into the program (embedded.S).

#include <string_view>

namespace weir::tokenizer::embedded {

std::string_view qwen3_5_bpe();
std::string_view qwen3_5_special();
std::string_view qwen3_bpe();
std::string_view qwen3_special();
std::string_view o200k_bpe();
std::string_view o200k_special();
std::string_view gpt_oss_special();
std::string_view cl100k_bpe();
std::string_view cl100k_special();
std::string_view deepseek_bpe();
std::string_view deepseek_special();
std::string_view gemma4_tokens();
std::string_view unicode15_classes();
std::string_view unicode15_folding();
std::string_view unicode16_classes();

}  // namespace weir::tokenizer::embedded
