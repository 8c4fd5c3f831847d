#pragma once

// What a WordPiece vocabulary (BERT) makes of a character before it looks for words. Built once,
// then read by any thread.

#include <array>
#include <cstdint>
#include <string_view>
#include <vector>

#include "weir/base/result.h"

namespace weir::tokenizer {

struct FoldingRules {
  bool lowercase = true;
  bool strips_accents = true;
};

struct FoldedChar {
  enum class Part : std::uint8_t {
    kWord,   // part of a word
    kAlone,  // a word of its own
    kSpace,  // ends a word
    kNone,   // as if it were not there
  };
  std::uint32_t code_point = 0;
  Part part = Part::kWord;
};

class CharFolding {
 public:
  // `classes` and `folding` are the files of data/ (README.md). Errors: kBadConfig.
  static base::Result<CharFolding> read(std::string_view classes, std::string_view folding,
                                        const FoldingRules& rules);

  // `code_point` is a character's, at most U+10FFFF.
  FoldedChar at(std::uint32_t code_point) const {
    const std::int32_t packed =
        blocks_[block_of_[code_point >> kBlockBits]][code_point & (kBlock - 1)];
    return {code_point + static_cast<std::uint32_t>(packed >> kPartBits),
            static_cast<FoldedChar::Part>(packed & kPartMask)};
  }

 private:
  static constexpr std::uint32_t kCodePoints = 0x110000;
  static constexpr std::uint32_t kBlockBits = 7;
  static constexpr std::uint32_t kBlock = 1U << kBlockBits;
  static constexpr int kPartBits = 2;
  static constexpr std::int32_t kPartMask = 3;
  // How far the new character is from the old one, above what becomes of it.
  using Block = std::array<std::int32_t, kBlock>;

  void pack(const std::vector<std::int32_t>& all);

  std::vector<std::uint16_t> block_of_;
  std::vector<Block> blocks_;  // all different
};

}  // namespace weir::tokenizer
