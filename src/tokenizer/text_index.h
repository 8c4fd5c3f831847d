#pragma once

// Finds a string's place in a list of strings.

#include <cstdint>
#include <string_view>
#include <vector>

#include "gguf_header.h"

namespace weir::tokenizer {

class TextIndex {
 public:
  static constexpr std::uint32_t kNone = UINT32_MAX;

  // `texts` must outlive the index. Of equal texts the first is found.
  explicit TextIndex(const StringList& texts);

  std::uint32_t find(std::string_view text) const;

  // Too many texts share a place, as only a file made for it does; some are then not found.
  bool is_overfull() const { return is_overfull_; }

 private:
  static constexpr int kProbesMax = 256;

  const StringList& texts_;
  std::uint32_t mask_ = 0;
  std::vector<std::uint32_t> slots_;  // open addressing, at most half full
  bool is_overfull_ = false;
};

}  // namespace weir::tokenizer
