#pragma once

// The class of a code point, as the splitters need it. Built once, then read by any thread.

#include <array>
#include <cstdint>
#include <string_view>

#include "block_table.h"
#include "weir/base/result.h"

namespace weir::tokenizer {

// The first three are what most splitters take together, as "other" characters. Capitals and small
// letters are classes of their own only where a table was read with Letters::kByCase.
enum class CharClass : std::uint8_t {
  kOther,  // of no class
  kPunctuation,
  kSymbol,
  kLetter,  // with kByCase those that have no case or are neither (Lm, Lo)
  kCapital,
  kSmall,
  kMark,
  kNumber,
  kSpace,
  kNewline,
};

// One character of a text: its class and how many bytes it has.
struct Char {
  CharClass kind = CharClass::kOther;
  std::uint32_t bytes = 1;
};

enum class Letters { kAlike, kByCase };

class CharClasses {
 public:
  // `tsv` is a classes file (data/README.md). CR and LF become kNewline, other white space kSpace.
  // Errors: kBadConfig.
  static base::Result<CharClasses> read(std::string_view tsv, Letters letters = Letters::kAlike);

  CharClass ascii(std::uint8_t byte) const { return ascii_[byte & 0x7F]; }

  // `code_point` is at most U+10FFFF.
  CharClass of(std::uint32_t code_point) const { return all_[code_point]; }

  // The character at `p`, which must be the start of one in valid UTF-8.
  Char at(const char* p) const {
    const auto byte = [p](int i) {
      return static_cast<std::uint32_t>(static_cast<std::uint8_t>(p[i]));
    };
    const std::uint32_t lead = byte(0);
    if (lead < 0x80) {
      return {ascii_[lead], 1};
    }
    if (lead < 0xE0) {
      return {of((lead & 0x1F) << 6 | (byte(1) & 0x3F)), 2};
    }
    if (lead < 0xF0) {
      return {of((lead & 0x0F) << 12 | (byte(1) & 0x3F) << 6 | (byte(2) & 0x3F)), 3};
    }
    return {
        of((lead & 0x07) << 18 | (byte(1) & 0x3F) << 12 | (byte(2) & 0x3F) << 6 | (byte(3) & 0x3F)),
        4};
  }

 private:
  std::array<CharClass, 128> ascii_{};
  BlockTable<CharClass> all_;
};

}  // namespace weir::tokenizer
