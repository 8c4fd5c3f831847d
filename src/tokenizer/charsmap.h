#pragma once

// SentencePiece's own table of what texts become before they are cut (tokenizer.ggml.
// precompiled_charsmap): a double array of prefixes, and the texts that replace them.
//
// The file may be anybody's: what leads out of the tables is no match.

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "weir/base/result.h"

namespace weir::tokenizer {

class Charsmap {
 public:
  // Replaces nothing.
  Charsmap() = default;
  // Errors: kBadConfig when its lengths do not fit.
  static base::Result<Charsmap> read(const std::vector<char>& bytes);

  struct Match {
    std::size_t bytes = 0;  // of the text; 0: nothing is replaced
    std::string_view replacement;
  };
  // The longest prefix of `text` that is replaced.
  Match longest(std::string_view text) const;

  // Of the longest replacement.
  std::size_t replacement_bytes_max() const;

 private:
  std::vector<std::uint32_t> nodes_;
  std::vector<char> texts_;  // zero-terminated
};

}  // namespace weir::tokenizer
