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

// Where two tokens overlap the longer one is cut out first, over the whole text, as llama.cpp does
// it. In most vocabularies no two can overlap in a way that matters: the leftmost is then the same.
class Tokenizer::SpecialFinder {
 public:
  struct Hit {
    std::size_t begin = 0;  // with white space that it strips
    std::size_t end = 0;
    std::uint32_t id = 0;
  };

  explicit SpecialFinder(std::vector<SpecialToken> tokens);

  // Calls `on_text(part)`, never with an empty one, and `on_token(id)` in the order of the text.
  template <class OnText, class OnToken>
  void cut(std::string_view text, SpecialText special, OnText on_text, OnToken on_token) const {
    std::size_t from = 0;
    const auto use = [&](const Hit& hit) {
      if (hit.begin > from) {
        on_text(text.substr(from, hit.begin - from));
      }
      on_token(hit.id);
      from = hit.end;
    };
    if (overlaps_) {
      for (const Hit& hit : longest_first(text, special)) {
        use(hit);
      }
    } else {
      while (const auto hit = find(text, from, special)) {
        use(*hit);
      }
    }
    if (from < text.size()) {
      on_text(text.substr(from));
    }
  }

  // Whether none that is looked for ends at the place `at` in `text`, or stands on both sides of it,
  // or begins there and strips white space before it. Only what is near the place is looked at.
  bool may_cut(std::string_view text, std::size_t at, SpecialText special) const;

  // Bytes of the longest one.
  std::size_t longest() const { return longest_; }
  // Whether one may stand for more, by the white space beside it.
  bool strips() const { return strips_; }

 private:
  struct Entry {
    SpecialToken token;
    std::size_t rank = 0;         // what is cut out first
    std::size_t shorter = kNone;  // the longest other entry that this one starts with
  };
  static constexpr std::size_t kNone = SIZE_MAX;

  void link_entries();
  bool have_overlaps() const;

  // The first special token in `text` at or after `from`; of two at the same place the longer.
  std::optional<Hit> find(std::string_view text, std::size_t from, SpecialText special) const;
  std::vector<Hit> longest_first(std::string_view text, SpecialText special) const;
  std::size_t next_candidate(std::string_view text, std::size_t from) const;
  // The longest entry that `text` starts with, or the next shorter one than `at`.
  std::size_t match(std::string_view text, SpecialText special) const;
  std::size_t match_from(std::size_t at, std::string_view text, SpecialText special) const;

  std::vector<Entry> entries_;  // sorted by text
  std::size_t longest_ = 0;     // bytes
  std::array<bool, 256> is_first_byte_{};
  std::array<bool, 256> is_second_byte_{};
  std::optional<char> only_first_byte_;  // when all start with the same one, mostly '<'
  bool strips_ = false;
  bool overlaps_ = false;
};

}  // namespace weir::tokenizer
