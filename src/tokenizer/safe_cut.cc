#include "safe_cut.h"

#include <algorithm>
#include <cstdint>

namespace weir::tokenizer {
namespace {

bool is_letter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

bool is_han_stop(const char* p) {
  const std::string_view mark(p, 3);
  return mark == "\uFF0C" || mark == "\u3002";
}

bool is_between_lines(const char* p) {
  const bool ends = (is_letter(p[-2]) && is_letter(p[-3])) || is_common_han(p - 4);
  return p[-1] == '\n' && ends && ((is_letter(p[0]) && is_letter(p[1])) || is_common_han(p));
}

bool is_between_words(const char* p) {
  if (*p == ' ') {
    return is_letter(p[-1]) && is_letter(p[-2]) && is_letter(p[1]) && is_letter(p[2]);
  }
  return is_between_lines(p) || (is_han_stop(p) && is_common_han(p - 3) && is_common_han(p + 3));
}

}  // namespace

bool is_ascii(const char* p, std::size_t bytes) {
  return std::all_of(p, p + bytes, [](char c) { return static_cast<std::uint8_t>(c) < 0x80; });
}

bool is_common_han(const char* p) {
  const auto byte = [p](int i) { return static_cast<std::uint8_t>(p[i]); };
  return byte(0) >= 0xE5 && byte(0) <= 0xE8 && (byte(1) & 0xC0) == 0x80 && (byte(2) & 0xC0) == 0x80;
}

IsPlace places_between_pieces(Splitter splitter) {
  if (splitter == split_superbpe) {
    return nullptr;  // a piece may be whole paragraphs
  }
  return splitter == split_exaone_moe ? is_between_lines : is_between_words;
}

}  // namespace weir::tokenizer
