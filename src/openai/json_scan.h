#pragma once

// Steps over pieces of JSON text, 16 bytes at a time where the processor can (SSE2 is part of every
// 64-bit x86), byte by byte elsewhere. `at` and `end` are positions in the same text.

#include <bit>
#include <cstddef>
#include <cstdint>

#if defined(__SSE2__) || defined(_M_X64)
#define WEIR_JSON_SSE2 1
#include <emmintrin.h>
#endif

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

// Whether a byte ends a plain run in a string: a quote, a backslash or a control character.
inline bool is_string_mark(char c) {
  return c == '"' || c == '\\' || static_cast<unsigned char>(c) < 0x20;
}

#if defined(WEIR_JSON_SSE2)

inline constexpr std::ptrdiff_t kBlock = 16;

inline __m128i load_block(const char* at) {
  return _mm_loadu_si128(reinterpret_cast<const __m128i*>(at));
}

// Bit i is set where byte i is `c`.
inline std::uint16_t bytes_equal(__m128i block, char c) {
  return static_cast<std::uint16_t>(_mm_movemask_epi8(_mm_cmpeq_epi8(block, _mm_set1_epi8(c))));
}

inline std::uint16_t string_marks(__m128i block) {
  const __m128i control =
      _mm_cmpeq_epi8(_mm_min_epu8(block, _mm_set1_epi8(0x1F)), block);  // unsigned: at most 0x1F
  const auto below = static_cast<std::uint16_t>(_mm_movemask_epi8(control));
  return static_cast<std::uint16_t>(bytes_equal(block, '"') | bytes_equal(block, '\\') | below);
}

// The bytes behind a backslash that is not itself behind one, given the backslashes of a block.
// `carry` says whether the first byte of the block is such a one, and then whether that of the next
// is. A run of backslashes makes every second byte an escaped one, and by adding (here: subtracting
// from the odd bits) a run carries into the place behind it only when its length is odd.
inline std::uint16_t escaped_bytes(std::uint16_t slashes, std::uint16_t& carry) {
  constexpr std::uint16_t kOdd = 0xAAAA;
  const auto starts = static_cast<std::uint16_t>(slashes & ~carry);
  const auto behind = static_cast<std::uint16_t>((starts << 1) | kOdd);
  const auto codes = static_cast<std::uint16_t>((behind - starts) ^ kOdd);
  const auto escaped = static_cast<std::uint16_t>(codes ^ (slashes | carry));
  carry = static_cast<std::uint16_t>((codes & slashes) >> 15);
  return escaped;
}

#endif

// The first string mark at or after `at`, or `end`.
inline const char* find_string_mark(const char* at, const char* end) {
#if defined(WEIR_JSON_SSE2)
  for (; end - at >= kBlock; at += kBlock) {
    if (const std::uint16_t marks = string_marks(load_block(at)); marks != 0) {
      return at + std::countr_zero(marks);
    }
  }
#endif
  while (at != end && !is_string_mark(*at)) {
    ++at;
  }
  return at;
}

// `at` is behind the opening quote of a good string; answers the position behind the closing one.
inline const char* skip_good_string(const char* at, const char* end) {
#if defined(WEIR_JSON_SSE2)
  std::uint16_t carry = 0;
  for (; end - at >= kBlock; at += kBlock) {
    const __m128i block = load_block(at);
    const std::uint16_t slashes = bytes_equal(block, '\\');
    std::uint16_t quotes = bytes_equal(block, '"');
    if ((slashes | carry) != 0) {
      quotes = static_cast<std::uint16_t>(quotes & ~escaped_bytes(slashes, carry));
    }
    if (quotes != 0) {
      return at + std::countr_zero(quotes) + 1;
    }
  }
  at += carry != 0 && at != end ? 1 : 0;
#endif
  while (at != end && *at != '"') {
    at += *at == '\\' && end - at >= 2 ? 2 : 1;
  }
  return at == end ? end : at + 1;
}

}  // namespace weir::openai
