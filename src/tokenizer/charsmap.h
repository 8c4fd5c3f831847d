#pragma once

// SentencePiece's own table of what texts become before they are cut (tokenizer.ggml.
// precompiled_charsmap): a double array of prefixes, and the texts that replace them.
//
// The file may be anybody's: what leads out of the tables is no match, a table that leads back into
// itself is followed for kPrefixBytesMax, and a text cannot grow without bounds.

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "weir/base/result.h"

namespace weir::tokenizer {

class Charsmap {
 public:
  // Unicode's longest are 33 bytes for one character of three.
  static constexpr std::size_t kReplacementBytesMax = 255;
  static constexpr std::size_t kPrefixBytesMax = 255;  // no longer texts are replaced

  // Replaces nothing.
  Charsmap() = default;
  // Errors: kBadConfig when its lengths do not fit, or a replacement is too long.
  static base::Result<Charsmap> read(const std::vector<char>& bytes);

  struct Match {
    std::size_t bytes = 0;  // of the text; 0: nothing is replaced
    std::string_view replacement;
  };
  // The longest prefix of `text` that is replaced.
  Match longest(std::string_view text) const;

  // Of the longest replacement.
  std::size_t replacement_bytes_max() const { return replacement_bytes_max_; }

 private:
  std::vector<std::uint32_t> nodes_;
  std::vector<char> texts_;  // zero-terminated
  std::size_t replacement_bytes_max_ = 0;
};

}  // namespace weir::tokenizer
