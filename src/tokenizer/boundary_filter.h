#pragma once

// Answers quickly, for Chinese and the like, that no merge can cross a place between two
// characters. Built once, then read by any thread.

#include <array>
#include <cstdint>
#include <cstring>
#include <vector>

#include "vocabulary.h"

namespace weir::tokenizer {

class BoundaryFilter {
 public:
  BoundaryFilter() = default;  // of no use before its tables are read
  // `texts` are the bytes of the tokens of `vocabulary`.
  BoundaryFilter(const Vocabulary& vocabulary, const TokenTexts& texts);

  // True when no merge of the vocabulary can join what ends before `at` with what starts at
  // `at`. False means "look it up". The caller guarantees 3 readable bytes on either side.
  bool stands(const std::uint8_t* at) const {
    if (!is_character(at) || unsafe_lead_[at[0]] || !is_character(at - 3)) {
      return false;
    }
    const std::uint32_t bit = bit_of(at);
    return (bits_[bit / 64] >> (bit % 64) & 1) == 0;
  }

  // table_archive.h
  template <class Self, class Archive>
  static void tables(Self& self, Archive& archive) {
    archive(self.bits_);
    archive(self.unsafe_lead_);
  }
  // Whether `stands` stays within the tables.
  bool is_sound() const { return bits_.size() == (std::size_t{1} << kBits) / 64; }

 private:
  static constexpr int kBits = 20;  // 128 KB

  // Three bytes that make one character of UTF-8 (U+0800 to U+FFFF).
  static bool is_character(const std::uint8_t* bytes) {
    return (bytes[0] & 0xF0) == 0xE0 && (bytes[1] & 0xC0) == 0x80 && (bytes[2] & 0xC0) == 0x80;
  }
  // The bit for the characters before and after `at`.
  static std::uint32_t bit_of(const std::uint8_t* at) {
    const auto character = [](const std::uint8_t* p) -> std::uint64_t {
      return (p[0] & 0x0FU) << 12 | (p[1] & 0x3FU) << 6 | (p[2] & 0x3FU);
    };
    const std::uint64_t key = character(at - 3) << 16 | character(at);
    return static_cast<std::uint32_t>(key * 0x9E3779B97F4A7C15ULL >> (64 - kBits));
  }
  void add(std::string_view left, std::string_view right);

  std::vector<std::uint64_t> bits_;      // (last character, first character) of all merges
  std::array<bool, 256> unsafe_lead_{};  // some merge joins parts of characters before this byte
};

}  // namespace weir::tokenizer
