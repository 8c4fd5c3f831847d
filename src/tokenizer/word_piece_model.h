#pragma once

// WordPiece (BERT): text is folded and cut into words, and a word is the longest token that it
// starts with, then the longest one behind that, and so on; a word that cannot be made up of tokens
// is one unknown token. What llama.cpp does, not what BERT's own tokenizer does.

#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "char_folding.h"
#include "gguf_header.h"
#include "model.h"
#include "text_trie.h"

namespace weir::tokenizer {

class WordPieceModel final : public Model {
 public:
  // Errors: kBadConfig when the vocabulary is damaged.
  static base::Result<std::shared_ptr<const WordPieceModel>> build(const GgufHeader& header);

  WordPieceModel(CharFolding folding, TextTrie tokens, std::uint32_t unknown_id);

  std::uint64_t count(std::string_view text, Work& work) const override;
  std::size_t last_cut(std::string_view text) const override;
  void encode(std::string_view text, Work& work, std::vector<std::uint32_t>& out) const override;

 private:
  template <class OnWord>
  void for_each_word(std::string_view text, Work& work, OnWord on_word) const;
  // False when the word cannot be made up of tokens.
  template <class OnToken>
  bool cut_word(std::string_view word, OnToken on_token) const;

  CharFolding folding_;
  std::array<FoldedChar, 128> ascii_{};
  TextTrie tokens_;
  std::uint32_t unknown_id_;
};

}  // namespace weir::tokenizer
