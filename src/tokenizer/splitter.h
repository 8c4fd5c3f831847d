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

std::size_t split_qwen2(const CharClasses& classes, std::string_view text, std::size_t from,
                        std::span<std::uint32_t> ends);
std::size_t split_qwen35(const CharClasses& classes, std::string_view text, std::size_t from,
                         std::span<std::uint32_t> ends);

}  // namespace weir::tokenizer
