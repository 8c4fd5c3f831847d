#pragma once

// Makes text valid UTF-8 the way llama.cpp reads it: each byte that fits nowhere becomes U+FFFD.

#include <string>
#include <string_view>

namespace weir::tokenizer {

// `text` itself when it is valid, else a view of `buffer`, which then holds the repaired text (at
// most three times as long).
std::string_view repair_utf8(std::string_view text, std::string& buffer);

}  // namespace weir::tokenizer
