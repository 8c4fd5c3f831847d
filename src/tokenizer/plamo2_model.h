#pragma once

// PLaMo 2: of all ways to cut the text into tokens the one with the highest sum of scores, looked
// for from the end; characters that are in no token are their bytes. Scores are in steps of 0.0001,
// as in llama.cpp.

#include <array>
#include <cstdint>
#include <memory>
#include <string_view>
#include <vector>

#include "gguf_header.h"
#include "model.h"
#include "text_trie.h"

namespace weir::tokenizer {

class Plamo2Model final : public Model {
 public:
  // Errors: kBadConfig when the vocabulary is damaged, or has not a token for each byte.
  static base::Result<std::shared_ptr<const Plamo2Model>> build(const GgufHeader& header);

  std::uint64_t count(std::string_view text, Work& work) const override;
  void encode(std::string_view text, Work& work, std::vector<std::uint32_t>& out) const override;

 private:
  using ByteIds = std::array<std::uint32_t, 256>;

  Plamo2Model(TextTrie tokens, std::vector<std::int64_t> costs, const ByteIds& byte_ids)
      : tokens_(std::move(tokens)), costs_(std::move(costs)), byte_ids_(byte_ids) {}

  // Calls `on_place(at, bytes)` for each character, the last one first, then
  // `on_step(to, token, cost)` for each token that starts there, the shortest first.
  template <class OnPlace, class OnStep>
  void walk_back(std::string_view text, OnPlace on_place, OnStep on_step) const;

  TextTrie tokens_;
  std::vector<std::int64_t> costs_;  // by id
  ByteIds byte_ids_;
};

}  // namespace weir::tokenizer
