#pragma once

// What the merges of a vocabulary do between two wide characters, those of three bytes (U+0800 to
// U+FFFF: Chinese, Japanese, Korean, many other scripts). Built once, then read by any thread.
//
// Nearly always a merge across such a place joins whole characters, and most places are crossed by
// none: a text may be cut there. A few merges join a part of a character to its neighbour; places
// where that may happen are doubtful.

#include <array>
#include <cstdint>
#include <string_view>
#include <vector>

#include "vocabulary.h"

namespace weir::tokenizer {

class WidePairs {
 public:
  using Code = std::uint32_t;  // 16 bits; the code point of a valid character

  // What is known of a place: nothing crosses it when the number is 0.
  using Meeting = std::uint32_t;
  static constexpr Meeting kTokenMask = (1U << 18) - 1;
  static constexpr Meeting kMerges = 1U << 18;    // the two characters become the token
  static constexpr Meeting kLonger = 1U << 19;    // tokens of more characters merge across it
  static constexpr Meeting kDoubtful = 1U << 20;  // so may parts of characters

  WidePairs() = default;  // of no use before its tables are read
  // `texts` are the bytes of the tokens of `vocabulary`. Places in the texts `guards` are doubtful.
  WidePairs(const Vocabulary& vocabulary, const TokenTexts& texts,
            const std::vector<std::uint32_t>& guards);

  // Three bytes that make one character of UTF-8.
  static bool is_wide(const std::uint8_t* bytes) {
    return (bytes[0] & 0xF0) == 0xE0 && (bytes[1] & 0xC0) == 0x80 && (bytes[2] & 0xC0) == 0x80;
  }
  static Code code_of(const std::uint8_t* bytes) {
    return (bytes[0] & 0x0FU) << 12 | (bytes[1] & 0x3FU) << 6 | (bytes[2] & 0x3FU);
  }

  // What is known of a character. Its tokens are what it becomes when it stands alone.
  using Character = std::uint32_t;
  static std::uint32_t token_of(Character character) { return character & kTokenMask; }
  static std::uint32_t tokens_of(Character character) { return character >> kTokensShift & 3; }
  Character character(Code code) const { return characters_[code]; }
  void set_tokens(Code code, std::uint32_t token, std::size_t tokens) {
    characters_[code] |= token | static_cast<Character>(tokens) << kTokensShift;
  }

  // `known` is the character `after`.
  Meeting between(Code before, Code after, Character known) const {
    const std::uint64_t key = std::uint64_t{before} << 16 | after;
    const std::uint64_t hash = hash_of(key);
    const std::uint64_t slot = slots_[slot_of(hash, shifts_[hash >> shift_bits_])];
    const Meeting found = slot >> 32 == key ? static_cast<Meeting>(slot) : 0;
    const std::uint32_t tail = known >> kTailShift;
    return found | (tail == before % kTails + 1 || tail == kAnyTail ? kDoubtful : 0);
  }

  // Whether no merge can cross the place between the characters before and at `at`, whatever stands
  // around them. False means "not known". The caller guarantees 3 readable bytes on either side.
  bool stands(const std::uint8_t* at) const {
    if (!is_wide(at) || !is_wide(at - 3)) {
      return false;
    }
    const Code after = code_of(at);
    return between(code_of(at - 3), after, character(after)) == 0;
  }

  // table_archive.h
  template <class Self, class Archive>
  static void tables(Self& self, Archive& archive) {
    archive(self.shift_bits_);
    archive(self.shifts_);
    archive(self.slots_);
    archive(self.characters_);
  }
  // Whether `between` stays within the tables, comes to an end and gives numbers below `tokens`.
  bool is_sound(std::uint32_t tokens) const;

 private:
  static constexpr std::size_t kCodes = std::size_t{1} << 16;
  static constexpr int kTokensShift = 18;
  // Above it: which ends of the character before it a character merges with. 1 + the low bits of
  // the last byte; nothing; or several.
  static constexpr int kTailShift = 20;
  static constexpr std::uint32_t kTails = 64;
  static constexpr std::uint32_t kAnyTail = kTails + 1;

  static std::uint64_t hash_of(std::uint64_t key) {
    const std::uint64_t mixed = key * 0x9E3779B97F4A7C15ULL;
    return (mixed ^ mixed >> 32) * 0xC2B2AE3D27D4EB4FULL;
  }
  std::uint64_t slot_of(std::uint64_t hash, std::uint64_t shift) const {
    return (hash + shift * (hash >> 22 | 1)) & (slots_.size() - 1);
  }

  class Builder;

  // Every key has a slot of its own: those whose hashes start alike are moved together by a shift
  // that brings each of them to a free one.
  std::uint32_t shift_bits_ = 0;
  std::vector<std::uint16_t> shifts_;  // by the first bits of the hash
  std::vector<std::uint64_t> slots_;   // key << 32 | Meeting
  std::vector<Character> characters_;  // tail << 20 | tokens << 18 | token
};

}  // namespace weir::tokenizer
