#pragma once

// RWKV's vocabulary: the longest token that the text starts with, then the longest behind it.

#include <cstdint>
#include <memory>
#include <string_view>
#include <vector>

#include "gguf_header.h"
#include "model.h"
#include "text_trie.h"

namespace weir::tokenizer {

class RwkvModel final : public Model {
 public:
  // Errors: kBadConfig when the vocabulary is damaged, or when a byte is no token, for which
  // llama.cpp would not come to an end.
  static base::Result<std::shared_ptr<const RwkvModel>> build(const GgufHeader& header);

  explicit RwkvModel(TextTrie tokens) : tokens_(std::move(tokens)) {}

  std::uint64_t count(std::string_view text, Work& work) const override;
  void encode(std::string_view text, Work& work, std::vector<std::uint32_t>& out) const override;
  std::uint64_t tokens_per_byte_max() const override { return 1; }
  std::uint64_t token_bytes_max() const override { return tokens_.longest_bytes(); }

 private:
  TextTrie tokens_;
};

}  // namespace weir::tokenizer
