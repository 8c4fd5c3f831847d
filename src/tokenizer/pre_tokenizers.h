#pragma once

// What the name in tokenizer.ggml.pre of a GGUF file means.

#include <string_view>

#include "splitter.h"

namespace weir::tokenizer {

struct PreTokenizer {
  std::string_view pre;
  Splitter splitter = nullptr;
  bool is_exact = true;         // false: the splitter is only the nearest one there is
  bool ignores_merges = false;  // a piece that is a token is taken as it is
  bool adds_bos = false;        // unless the file says otherwise
};

// The entry of that name, "" included, or nullptr when the name is not known.
const PreTokenizer* find_pre_tokenizer(std::string_view pre);

// The first name of it in the table, or "".
std::string_view name_of(Splitter splitter);

// For names that are not known.
const PreTokenizer& nearest_pre_tokenizer();

}  // namespace weir::tokenizer
