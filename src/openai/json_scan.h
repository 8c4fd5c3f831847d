#pragma once

// Steps over pieces of JSON text. `at` and `end` are positions in the same text.

#include <cstdint>
#include <cstring>

namespace weir::openai {

inline bool is_json_space(char c) {
  return c == ' ' || c == '\n' || c == '\r' || c == '\t';
}

inline const char* skip_json_space(const char* at, const char* end) {
  while (at != end && is_json_space(*at)) {
    ++at;
  }
  return at;
}

// Whether one of the eight bytes ends a plain run in a string: a quote, a backslash or a control
// character. The usual word trick; bytes above 0x7F are masked out.
inline bool has_string_mark(std::uint64_t word) {
  constexpr std::uint64_t kOnes = 0x0101010101010101ULL;
  constexpr std::uint64_t kHigh = 0x8080808080808080ULL;
  const std::uint64_t quote = word ^ (kOnes * '"');
  const std::uint64_t backslash = word ^ (kOnes * '\\');
  const std::uint64_t marks = (quote - kOnes) | (backslash - kOnes) | (word - kOnes * 0x20);
  return (marks & ~word & kHigh) != 0;
}

// The first quote, backslash or control character at or after `at`, or `end`.
inline const char* find_string_mark(const char* at, const char* end) {
  while (end - at >= 8) {
    std::uint64_t word = 0;
    std::memcpy(&word, at, sizeof word);
    if (has_string_mark(word)) {
      break;
    }
    at += sizeof word;
  }
  while (at != end && *at != '"' && *at != '\\' && static_cast<unsigned char>(*at) >= 0x20) {
    ++at;
  }
  return at;
}

// `at` is behind the opening quote of a good string; answers the position behind the closing one.
inline const char* skip_good_string(const char* at, const char* end) {
  for (at = find_string_mark(at, end); at != end && *at != '"'; at = find_string_mark(at, end)) {
    at += *at == '\\' && end - at >= 2 ? 2 : 1;
  }
  return at == end ? end : at + 1;
}

}  // namespace weir::openai
