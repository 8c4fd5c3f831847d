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
inline constexpr std::ptrdiff_t kWideBlock = 64;

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

// Bit i is set where byte i of 64 is `c`.
inline std::uint64_t wide_bytes_equal(const char* at, char c) {
  std::uint64_t bits = 0;
  for (int i = 0; i < kWideBlock / kBlock; ++i) {
    bits |= std::uint64_t{bytes_equal(load_block(at + i * kBlock), c)} << i * kBlock;
  }
  return bits;
}

// The bytes behind a backslash that is not itself behind one, given the backslashes of a wide
// block. `carry` says whether the first byte of the block is such a one, and then whether that of
// the next is. A run of backslashes makes every second byte an escaped one, and by adding (here:
// subtracting from the odd bits) a run carries into the place behind it only when its length is
// odd.
inline std::uint64_t escaped_bytes(std::uint64_t slashes, std::uint64_t& carry) {
  constexpr std::uint64_t kOdd = 0xAAAAAAAAAAAAAAAAULL;
  const std::uint64_t starts = slashes & ~carry;
  const std::uint64_t behind = (starts << 1) | kOdd;
  const std::uint64_t codes = (behind - starts) ^ kOdd;
  const std::uint64_t escaped = codes ^ (slashes | carry);
  carry = (codes & slashes) >> 63;
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
  std::uint64_t carry = 0;
  for (; end - at >= kWideBlock; at += kWideBlock) {
    const std::uint64_t slashes = wide_bytes_equal(at, '\\');
    std::uint64_t quotes = wide_bytes_equal(at, '"');
    if ((slashes | carry) != 0) {
      quotes &= ~escaped_bytes(slashes, carry);
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
