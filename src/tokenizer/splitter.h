#pragma once

// Cuts text into the pieces that are merged each on its own. The rules of each splitter are in
// docs/tokenizer.md; a new family is one more function here and names in pre_tokenizers.cc.

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

#include "char_classes.h"

namespace weir::tokenizer {

// Writes where the next pieces of `text` end, the first of them starting at `from`, and returns how
// many there are: as many as fit into `ends`, fewer only at the end of the text. `text` is valid
// UTF-8, shorter than 4 GiB.
using Splitter = std::size_t (*)(const CharClasses& classes, std::string_view text,
                                 std::size_t from, std::span<std::uint32_t> ends);

// Splitters; pre_tokenizers.cc tells which name means which.
std::size_t split_qwen2(const CharClasses& classes, std::string_view text, std::size_t from,
                        std::span<std::uint32_t> ends);
std::size_t split_qwen35(const CharClasses& classes, std::string_view text, std::size_t from,
                         std::span<std::uint32_t> ends);
std::size_t split_llama3(const CharClasses& classes, std::string_view text, std::size_t from,
                         std::span<std::uint32_t> ends);
std::size_t split_minicpm5(const CharClasses& classes, std::string_view text, std::size_t from,
                           std::span<std::uint32_t> ends);
std::size_t split_seed_coder(const CharClasses& classes, std::string_view text, std::size_t from,
                             std::span<std::uint32_t> ends);
std::size_t split_ufakzeka(const CharClasses& classes, std::string_view text, std::size_t from,
                           std::span<std::uint32_t> ends);
std::size_t split_gpt2(const CharClasses& classes, std::string_view text, std::size_t from,
                       std::span<std::uint32_t> ends);
std::size_t split_starcoder(const CharClasses& classes, std::string_view text, std::size_t from,
                            std::span<std::uint32_t> ends);
std::size_t split_falcon(const CharClasses& classes, std::string_view text, std::size_t from,
                         std::span<std::uint32_t> ends);
std::size_t split_default(const CharClasses& classes, std::string_view text, std::size_t from,
                          std::span<std::uint32_t> ends);
std::size_t split_gpt4o(const CharClasses& classes, std::string_view text, std::size_t from,
                        std::span<std::uint32_t> ends);
std::size_t split_tekken(const CharClasses& classes, std::string_view text, std::size_t from,
                         std::span<std::uint32_t> ends);
std::size_t split_deepseek_v3(const CharClasses& classes, std::string_view text, std::size_t from,
                              std::span<std::uint32_t> ends);
std::size_t split_deepseek_coder(const CharClasses& classes, std::string_view text,
                                 std::size_t from, std::span<std::uint32_t> ends);

// The splitters of OpenAI's tiktoken. They need classes of Unicode 16.0, read with Letters::kByCase
// and Letters::kAlike; no model file names them.
std::size_t split_o200k(const CharClasses& classes, std::string_view text, std::size_t from,
                        std::span<std::uint32_t> ends);
std::size_t split_cl100k(const CharClasses& classes, std::string_view text, std::size_t from,
                         std::span<std::uint32_t> ends);
std::size_t split_jais2(const CharClasses& classes, std::string_view text, std::size_t from,
                        std::span<std::uint32_t> ends);
std::size_t split_laguna(const CharClasses& classes, std::string_view text, std::size_t from,
                         std::span<std::uint32_t> ends);
std::size_t split_exaone_moe(const CharClasses& classes, std::string_view text, std::size_t from,
                             std::span<std::uint32_t> ends);
std::size_t split_tiny_aya(const CharClasses& classes, std::string_view text, std::size_t from,
                           std::span<std::uint32_t> ends);
std::size_t split_granite_embed(const CharClasses& classes, std::string_view text, std::size_t from,
                                std::span<std::uint32_t> ends);
std::size_t split_kimi_k2(const CharClasses& classes, std::string_view text, std::size_t from,
                          std::span<std::uint32_t> ends);
std::size_t split_youtu(const CharClasses& classes, std::string_view text, std::size_t from,
                        std::span<std::uint32_t> ends);
std::size_t split_spark(const CharClasses& classes, std::string_view text, std::size_t from,
                        std::span<std::uint32_t> ends);
std::size_t split_afmoe(const CharClasses& classes, std::string_view text, std::size_t from,
                        std::span<std::uint32_t> ends);
std::size_t split_deepseek_llm(const CharClasses& classes, std::string_view text, std::size_t from,
                               std::span<std::uint32_t> ends);
std::size_t split_chameleon(const CharClasses& classes, std::string_view text, std::size_t from,
                            std::span<std::uint32_t> ends);
std::size_t split_bloom(const CharClasses& classes, std::string_view text, std::size_t from,
                        std::span<std::uint32_t> ends);
std::size_t split_viking(const CharClasses& classes, std::string_view text, std::size_t from,
                         std::span<std::uint32_t> ends);
std::size_t split_superbpe(const CharClasses& classes, std::string_view text, std::size_t from,
                           std::span<std::uint32_t> ends);

}  // namespace weir::tokenizer
