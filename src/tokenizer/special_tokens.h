#pragma once

// Finds special tokens in a text, and reads the files that list them.

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "weir/base/result.h"
#include "weir/tokenizer/tokenizer.h"

namespace weir::tokenizer {

// Reads a .special.tsv file (data/README.md). Errors: kBadConfig.
base::Result<std::vector<SpecialToken>> read_special_tokens(std::string_view tsv);

class Tokenizer::SpecialFinder {
 public:
  struct Hit {
    std::size_t begin = 0;
    std::size_t end = 0;
    std::uint32_t id = 0;
  };

  explicit SpecialFinder(std::vector<SpecialToken> tokens);

  // The first special token in `text` at or after `from`; of two at the same place the longer.
  std::optional<Hit> find(std::string_view text, std::size_t from, SpecialText special) const;

  // Bytes of the longest one.
  std::size_t longest() const { return longest_; }

 private:
  struct Entry {
    SpecialToken token;
    std::size_t shorter = kNone;  // the longest other entry that this one starts with
  };
  static constexpr std::size_t kNone = SIZE_MAX;

  std::size_t next_candidate(std::string_view text, std::size_t from) const;
  const SpecialToken* match(std::string_view text, SpecialText special) const;

  std::vector<Entry> entries_;  // sorted by text
  std::size_t longest_ = 0;     // bytes
  std::array<bool, 256> is_first_byte_{};
  std::array<bool, 256> is_second_byte_{};
  std::optional<char> only_first_byte_;  // when all start with the same one, mostly '<'
};

}  // namespace weir::tokenizer
