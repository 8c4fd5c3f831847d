#include "pre_tokenizers.h"

#include <algorithm>
#include <iterator>

namespace weir::tokenizer {
namespace {

// The names of llama.cpp 80fb11a (src/llama-vocab.cpp).
constexpr PreTokenizer kPreTokenizers[] = {
    {"qwen2", split_qwen2},
    {"qwen35", split_qwen35},
};

}  // namespace

const PreTokenizer* find_pre_tokenizer(std::string_view pre) {
  const auto* found = std::find_if(std::begin(kPreTokenizers), std::end(kPreTokenizers),
                                   [pre](const PreTokenizer& known) { return known.pre == pre; });
  return found == std::end(kPreTokenizers) ? nullptr : found;
}

const PreTokenizer& nearest_pre_tokenizer() {
  return kPreTokenizers[0];
}

}  // namespace weir::tokenizer
