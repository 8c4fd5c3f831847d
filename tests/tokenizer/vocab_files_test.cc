// The vocabularies that llama.cpp publishes with what its own tokenizer makes of some texts. They
// are fetched (tests/e2e/fetch_vocabularies.sh) into the folder that WEIR_VOCAB_DIR names.

#include <gtest/gtest.h>

#include <chrono>
#include <cstdlib>
#include <fstream>
#include <sstream>

#include "test_support.h"
#include "weir/tokenizer/gguf.h"

namespace weir::tokenizer::test {
namespace {

std::vector<std::string> cut(const std::string& text, std::string_view separator) {
  std::vector<std::string> parts;
  for (std::size_t from = 0; from < text.size();) {
    const std::size_t end = std::min(text.find(separator, from), text.size());
    parts.push_back(text.substr(from, end - from));
    from = end + separator.size();
  }
  return parts;
}

std::vector<std::uint32_t> numbers_of(const std::string& line) {
  std::istringstream in(line);
  return {std::istream_iterator<std::uint32_t>(in), {}};
}

class VocabFile : public testing::TestWithParam<std::string_view> {
 protected:
  static std::string path() {
    const char* folder = std::getenv("WEIR_VOCAB_DIR");
    return folder == nullptr
               ? ""
               : std::string(folder) + "/ggml-vocab-" + std::string(GetParam()) + ".gguf";
  }
  void SetUp() override {
    if (!std::ifstream(path())) {
      GTEST_SKIP() << "not there: " << path();
    }
  }
};

TEST_P(VocabFile, GivesLlamaCppsTokens) {
  const auto loaded = load_gguf_tokenizer(path());
  ASSERT_TRUE(loaded) << loaded.error().message;
  const Tokenizer& tokenizer = *loaded->tokenizer;
  EXPECT_TRUE(tokenizer.is_exact()) << tokenizer.facts().why_estimate;
  const auto texts = cut(read_file(path() + ".inp"), "\n__ggml_vocab_test__\n");
  const auto expected = cut(read_file(path() + ".out"), "\n");
  ASSERT_GT(texts.size(), 30U);
  ASSERT_EQ(texts.size(), expected.size());
  for (std::size_t i = 0; i < texts.size(); ++i) {
    const auto tokens = numbers_of(expected[i]);
    EXPECT_EQ(tokenizer.encode(texts[i], SpecialText::kPlain), tokens) << texts[i];
    EXPECT_EQ(tokenizer.count(texts[i], SpecialText::kPlain), tokens.size()) << texts[i];
  }
}

INSTANTIATE_TEST_SUITE_P(All, VocabFile,
                         testing::Values("bert-bge", "command-r", "deepseek-coder", "deepseek-llm", "falcon",
                                         "gemma-4", "gpt-2", "llama-bpe", "llama-spm", "mpt",
                                         "phi-3", "qwen2", "qwen35", "refact", "starcoder"),
                         [](const auto& test) {
                           std::string name(test.param);
                           std::replace(name.begin(), name.end(), '-', '_');
                           return name;
                         });

}  // namespace
}  // namespace weir::tokenizer::test
