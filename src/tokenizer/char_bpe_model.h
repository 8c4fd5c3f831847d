#pragma once

// BPE over characters, with a space as U+2581 and characters that no token has as their bytes:
// SentencePiece (Llama 2, Mistral, Gemma 1 to 3, Phi-3) and Gemma 4.
//
// There are no pieces by rule. But where two bytes follow each other in no token, no merge
// crosses the place, so the text is cut there; most cuts are before spaces.

#include <array>
#include <bitset>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "bpe.h"
#include "char_vocabulary.h"
#include "model.h"

namespace weir::tokenizer {

struct CharBpeRules {
  bool adds_space = false;      // before every text between special tokens
  bool newlines_apart = false;  // runs of newlines are cut out
  // A run of newlines that is a token is taken as it is.
  bool takes_whole_newlines = false;
  // llama.cpp repairs bad UTF-8 for lists of merges; with scores each bad character is its bytes.
  bool repairs_utf8 = false;
  bool drops_unknown_bytes = false;  // bytes that are no token count nothing; else one each
};

class CharBpeModel final : public Model {
 public:
  // Errors: kBadConfig when the vocabulary is damaged.
  static base::Result<std::shared_ptr<const CharBpeModel>> build(CharVocabulary vocabulary,
                                                                 CharBpeRules rules);

  std::uint64_t count(std::string_view text, Work& work) const override;
  std::uint64_t count_rest(std::string_view text, Work& work) const override;
  std::size_t last_cut(std::string_view text) const override;
  void encode(std::string_view text, Work& work, std::vector<std::uint32_t>& out) const override;

  static constexpr std::string_view kTablesName = "characters";
  bool write(TableWriter& writer) const override;
  // What was written behind the name; nullptr when it is damaged.
  static std::shared_ptr<const Model> read(TableReader& reader);

 private:
  static constexpr std::size_t kGuardsMax = 64;  // texts to look for in a piece; else always slow

  CharBpeModel() = default;
  CharBpeModel(std::unique_ptr<const Bpe> bpe, CharVocabulary vocabulary, CharBpeRules rules);
  template <class Self, class Archive>
  static void tables(Self& self, Archive& archive) {
    auto& [adds_space, newlines_apart, takes_whole_newlines, repairs_utf8, drops_unknown_bytes] =
        self.rules_;
    archive(adds_space);
    archive(newlines_apart);
    archive(takes_whole_newlines);
    archive(repairs_utf8);
    archive(drops_unknown_bytes);
    archive(self.byte_ids_);
    archive(self.newline_ids_);
    archive(self.order_);
    archive(self.ids_);
    archive(self.counts_);
    archive(self.joins_);
    archive(self.is_always_doubtful_);
    archive(self.may_cache_);
  }
  bool is_sound() const;
  void set_order(const CharVocabulary& vocabulary);
  void set_joins(const Vocabulary& vocabulary);
  void set_spellings(const Vocabulary& vocabulary, const std::vector<std::uint32_t>& ids);
  std::string spelling_of(const std::string& bytes) const;

  template <class OnPiece, class OnBytes>
  void for_each_run(std::string_view text, bool adds_space, Work& work, OnPiece on_piece,
                    OnBytes on_bytes) const;
  template <class OnPiece>
  void cut(std::string_view text, OnPiece on_piece) const;

  std::uint64_t count_run(std::string_view text, bool adds_space, Work& work) const;
  bool is_cut(const char* p) const;
  std::size_t count_piece(std::string_view piece, std::size_t readable, Work& work) const;
  std::uint64_t bytes_count(std::string_view bytes) const;
  std::size_t merge(std::string_view piece, Work& work) const;
  bool is_doubtful(std::string_view piece) const;
  std::uint32_t newlines_id(std::string_view piece) const;
  void append_bytes(std::string_view bytes, std::vector<std::uint32_t>& out) const;

  bool joins(char a, char b) const {
    return joins_[static_cast<std::uint8_t>(a) << 8 | static_cast<std::uint8_t>(b)] != 0;
  }

  std::unique_ptr<const Bpe> bpe_;
  CharBpeRules rules_;
  std::array<std::uint32_t, 256> byte_ids_{};
  std::vector<std::uint32_t> newline_ids_;
  std::vector<CharVocabulary::Ties> ties_;
  // All by the numbers of `bpe_`.
  std::vector<std::uint32_t> order_;
  std::vector<std::uint32_t> ids_;
  std::vector<std::uint8_t> counts_;                          // how many tokens of the model it is
  std::unordered_map<std::uint32_t, std::string> spellings_;  // bytes of those without an id
  std::vector<std::uint8_t> joins_;  // whether the two bytes follow each other in some token
  bool is_always_doubtful_ = false;
  bool may_cache_ = true;
};

}  // namespace weir::tokenizer
