#pragma once

// What a WordPiece vocabulary (BERT) makes of a character before it looks for words. Built once,
// then read by any thread.

#include <cstdint>
#include <string_view>

#include "block_table.h"
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
    const std::int32_t packed = all_[code_point];
    return {code_point + static_cast<std::uint32_t>(packed >> kPartBits),
            static_cast<FoldedChar::Part>(packed & kPartMask)};
  }

 private:
  static constexpr int kPartBits = 2;
  static constexpr std::int32_t kPartMask = 3;

  // How far the new character is from the old one, above what becomes of it.
  BlockTable<std::int32_t> all_;
};

}  // namespace weir::tokenizer
