#pragma once

// The tokens of a model file as texts of characters, each known by a number.

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "gguf_header.h"
#include "text_index.h"

namespace weir::tokenizer {

// Numbers: first the tokens that a text can have, then the characters that are in a token but no
// token themselves.
class CharTokens {
 public:
  static constexpr std::uint32_t kNone = UINT32_MAX;

  // Leaves out what no text leads to: texts with a space (it would be U+2581) or bad UTF-8.
  explicit CharTokens(const GgufHeader& header);

  // Tokens with the same text, as only a damaged file has.
  bool is_damaged() const { return index_.is_overfull(); }

  std::uint32_t size() const { return static_cast<std::uint32_t>(ids_.size()); }
  std::string_view text(std::uint32_t token) const { return texts_[token]; }  // U+2581 is a space
  std::uint32_t id(std::uint32_t token) const { return ids_[token]; }         // the model's

  std::uint32_t find(std::string_view text) const { return index_.find(text); }

  // The characters of `text`, which is that of a token.
  std::vector<std::uint32_t> characters(std::string_view text) const;

  // All characters of all tokens with their numbers, in order of the code points.
  struct Character {
    std::string_view text;
    std::uint32_t token;
  };
  std::vector<Character> all_characters() const;

 private:
  static std::uint32_t code_point_of(std::string_view character);

  std::vector<std::uint32_t> ids_;
  StringList texts_;
  TextIndex index_;
  StringList other_characters_;
  std::vector<std::uint32_t> number_of_;  // by code point
};

}  // namespace weir::tokenizer
