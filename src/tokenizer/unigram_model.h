#pragma once

// Unigram (T5, XLM-R): of all ways to cut the text into tokens the one with the highest sum of
// their scores. As llama.cpp does it, sums in double included.

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "charsmap.h"
#include "gguf_header.h"
#include "model.h"
#include "text_trie.h"

namespace weir::tokenizer {

class UnigramModel final : public Model {
 public:
  // Errors: kBadConfig when the vocabulary is damaged.
  static base::Result<std::shared_ptr<const UnigramModel>> build(const GgufHeader& header);

  std::uint64_t count(std::string_view text, Work& work) const override;
  void encode(std::string_view text, Work& work, std::vector<std::uint32_t>& out) const override;
  std::uint64_t tokens_per_byte_max() const override { return tokens_per_byte_max_; }

 private:
  struct Rules {
    bool adds_space = false;  // before the first character that is none
    bool merges_spaces = false;
    std::uint32_t unknown_id = 2;  // llama.cpp's, when the file names none
    double unknown_score = 0;
  };

  UnigramModel(Charsmap charsmap, TextTrie tokens, TextTrie user_tokens, std::vector<float> scores,
               Rules rules);

  std::string_view normalized(std::string_view text, Work& work) const;
  // Calls `on_step(from, to, token, score)` for each token at each place, in the order of places.
  template <class OnPlace, class OnStep>
  void walk(std::string_view text, OnPlace on_place, OnStep on_step) const;

  Charsmap charsmap_;
  TextTrie tokens_;
  TextTrie user_tokens_;       // what begins like one of them is not replaced
  std::vector<float> scores_;  // by id; those of user-defined tokens are 0
  Rules rules_;
  std::uint64_t tokens_per_byte_max_;
};

}  // namespace weir::tokenizer
