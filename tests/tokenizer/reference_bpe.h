#pragma once

// The tokenizer by its definition, slow and plain: one rule after the other, code point by code
// point; then the pair with the lowest number is merged until there is none. It shares no code with
// src/tokenizer, not even the readers of the data files.

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace weir::tokenizer::test {

class ReferenceTokenizer {
 public:
  // The contents of a .bpe and of a classes file. `marks_are_letters`: qwen35, else qwen2.
  ReferenceTokenizer(const std::string& bpe, const std::string& classes, bool marks_are_letters);

  // Numbers of the .bpe file; no special tokens. Bytes that are no UTF-8 become U+FFFD.
  std::vector<std::uint32_t> encode(std::string_view text) const;

  // Merges one piece.
  std::vector<std::uint32_t> merge(std::string_view piece) const;

  // The bytes of a token.
  const std::string& text(std::uint32_t token) const { return texts_[token]; }
  std::uint32_t size() const { return static_cast<std::uint32_t>(texts_.size()); }

  // Pairs of parts of the tokens from 256 on.
  const std::vector<std::pair<std::uint32_t, std::uint32_t>>& pairs() const { return pairs_; }

 private:
  using CodePoints = std::vector<std::uint32_t>;
  static constexpr std::size_t kNoMatch = 0;

  char class_of(std::uint32_t code_point) const;  // L M N S, or O for other
  bool in_word(std::uint32_t code_point) const;
  bool in_punctuation(std::uint32_t code_point) const;
  std::size_t piece_end(const CodePoints& text, std::size_t at) const;
  // Each gives the end of the match at `at`, or kNoMatch.
  std::size_t contraction(const CodePoints& text, std::size_t at) const;
  std::size_t word(const CodePoints& text, std::size_t at) const;
  std::size_t number(const CodePoints& text, std::size_t at) const;
  std::size_t punctuation(const CodePoints& text, std::size_t at) const;
  std::size_t white_space(const CodePoints& text, std::size_t at) const;

  bool marks_are_letters_;
  std::vector<char> classes_;  // by code point
  std::vector<std::pair<std::uint32_t, std::uint32_t>> pairs_;
  std::vector<std::string> texts_;
  std::map<char, std::uint32_t> byte_tokens_;
  std::unordered_map<std::uint64_t, std::uint32_t> merged_;  // left << 32 | right -> token
};

}  // namespace weir::tokenizer::test
