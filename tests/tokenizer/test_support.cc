#include "test_support.h"

#include <fstream>
#include <iterator>
#include <utility>

namespace weir::tokenizer::test {

std::string read_file(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

std::string data_file(std::string_view name) {
  return read_file(std::string(WEIR_SOURCE_DIR "/src/tokenizer/data/").append(name));
}

const Tokenizer& builtin(std::string_view name) {
  static const Builtins builtins;
  return *builtins.find(name);
}

std::unique_ptr<Tokenizer> llama_qwen2() {
  const auto control = SpecialToken::Kind::kControl;
  auto model = build_model(data_file("qwen3.bpe"), "qwen2");
  return std::make_unique<Tokenizer>("ggml-vocab-qwen2", *std::move(model),
                                     std::vector<SpecialToken>{{151643, control, "<|endoftext|>"},
                                                               {151644, control, "<|im_start|>"},
                                                               {151645, control, "<|im_end|>"},
                                                               {128247, control, "</s>"}});
}

}  // namespace weir::tokenizer::test
