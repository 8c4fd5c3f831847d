#pragma once

// What the tokenizer tests share.

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "weir/tokenizer/builtin.h"
#include "weir/tokenizer/tokenizer.h"

namespace weir::tokenizer::test {

std::string read_file(const std::string& path);
std::string data_file(std::string_view name);  // of src/tokenizer/data

// The built-in vocabularies, built once for the whole test program.
const Tokenizer& builtin(std::string_view name);

// As llama.cpp reads its ggml-vocab-qwen2.gguf: it makes the normal token "</s>" a special one.
std::unique_ptr<Tokenizer> llama_qwen2();

// The random numbers of the vectors' "lcg" rule.
class Random {
 public:
  explicit Random(std::uint64_t seed) : state_(seed) {}
  std::size_t below(std::size_t limit) {
    state_ = state_ * 6364136223846793005ULL + 1442695040888963407ULL;
    return static_cast<std::size_t>((state_ >> 33) % limit);
  }

 private:
  std::uint64_t state_;
};

}  // namespace weir::tokenizer::test
