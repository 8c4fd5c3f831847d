#pragma once

// Finds the end of a run of ASCII letters, eight bytes a step.

#include <bit>
#include <cstdint>
#include <cstring>

namespace weir::tokenizer {

static_assert(std::endian::native == std::endian::little, "the first byte must be the lowest");

inline bool is_ascii_letter(char c) {
  return static_cast<std::uint8_t>((static_cast<std::uint8_t>(c) | 0x20) - 'a') < 26;
}

// A set top bit in each byte of `word` that is an ASCII letter.
inline std::uint64_t letter_bits(std::uint64_t word) {
  constexpr std::uint64_t kOnes = 0x0101010101010101ULL;
  const std::uint64_t lower = (word | 0x20 * kOnes) & 0x7F * kOnes;
  const std::uint64_t from_a = lower + (0x80 - 'a') * kOnes;
  const std::uint64_t after_z = lower + (0x7F - 'z') * kOnes;
  return from_a & ~after_z & ~word & 0x80 * kOnes;
}

// The same for a to z only.
inline std::uint64_t small_letter_bits(std::uint64_t word) {
  constexpr std::uint64_t kCase = 0x2020202020202020ULL;
  return letter_bits(word) & (word & kCase) << 2;
}

template <class Bits, class IsOne>
const char* skip_ascii_run(const char* p, const char* end, Bits bits, IsOne is_one) {
  while (end - p >= 8) {
    std::uint64_t word = 0;
    std::memcpy(&word, p, sizeof word);
    const std::uint64_t others = bits(word) ^ 0x8080808080808080ULL;
    if (others != 0) {
      return p + std::countr_zero(others) / 8;
    }
    p += 8;
  }
  while (p < end && is_one(*p)) {
    ++p;
  }
  return p;
}

// The first byte from `p` on that is no ASCII letter, or `end`.
inline const char* skip_ascii_letters(const char* p, const char* end) {
  return skip_ascii_run(p, end, letter_bits, is_ascii_letter);
}

// The same for a to z only.
inline const char* skip_ascii_small_letters(const char* p, const char* end) {
  return skip_ascii_run(p, end, small_letter_bits, [](char c) { return c >= 'a' && c <= 'z'; });
}

}  // namespace weir::tokenizer
