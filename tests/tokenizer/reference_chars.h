#pragma once

// BPE over characters by its definition, slow and plain: of all neighbours that may merge the first
// ones of the best merge become one, until there are none. Of src/tokenizer it uses only the reader
// of headers.

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "gguf_header.h"

namespace weir::tokenizer::test {

class ReferenceChars {
 public:
  // `llama`: scores; else a list of merges, as Gemma 4 has it.
  explicit ReferenceChars(const GgufHeader& header);

  // The text as one part; no special tokens.
  std::vector<std::uint32_t> encode(std::string_view text) const;

 private:
  using Texts = std::vector<std::string>;

  void merge(Texts& parts) const;
  // True when the two merge; a smaller `time` merges first.
  bool merges(const std::string& left, const std::string& right, double& time) const;
  void append(const std::string& part, std::vector<std::uint32_t>& out) const;
  void encode_word(const std::string& word, std::vector<std::uint32_t>& out) const;

  bool has_scores_;
  bool adds_space_;
  std::map<std::string, std::uint32_t, std::less<>> ids_;
  std::vector<float> scores_;
  std::map<std::pair<std::string, std::string>, std::uint32_t> ranks_;
};

}  // namespace weir::tokenizer::test
