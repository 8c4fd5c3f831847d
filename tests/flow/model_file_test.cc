// tokenizer.model = "FILE.gguf": the file's vocabulary and template count.

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "../tokenizer/gguf_writer.h"
#include "weir/os/process.h"
#include "weir/proxy/prompt_counter.h"

namespace weir::proxy {
namespace {

using tokenizer::SpecialText;
using tokenizer::test::GgufType;
using tokenizer::test::GgufWriter;

// Printable ASCII, "hi" and two special tokens.
GgufWriter model() {
  std::vector<std::string> tokens;
  for (char c = '!'; c <= '~'; ++c) {
    tokens.emplace_back(1, c);
  }
  std::vector<std::int32_t> types(tokens.size(), 1);
  for (const char* text : {"hi", "<|im_start|>", "<|im_end|>"}) {
    tokens.emplace_back(text);
    types.push_back(tokens.back() == "hi" ? 1 : 3);
  }
  GgufWriter writer;
  writer.key_text("general.name", "Qwen2.5 Tiny").key_text("tokenizer.ggml.model", "gpt2");
  writer.key_text("tokenizer.ggml.pre", "qwen2").key_texts("tokenizer.ggml.tokens", tokens);
  writer.key_types("tokenizer.ggml.token_type", types);
  return writer.key_texts("tokenizer.ggml.merges", {"h i"});
}

class ModelFile : public testing::Test {
 protected:
  base::Result<PromptCounter> choose(const GgufWriter& writer) {
    std::ofstream(path_, std::ios::binary) << writer.file();
    return PromptCounter::choose(path_.string(), "", 1000, builtins_);
  }
  void TearDown() override { std::filesystem::remove(path_); }

  std::filesystem::path path_ =
      std::filesystem::path(testing::TempDir()) /
      ("weir_model_file_" + std::to_string(os::process_id()) + ".GGUF");  // tests run side by side
  tokenizer::Builtins builtins_;
};

TEST_F(ModelFile, ItsVocabularyCounts) {
  const auto counter = choose(model());
  ASSERT_TRUE(counter) << counter.error().message;
  EXPECT_EQ(counter->tokenizer_name(), path_.filename().string());
  EXPECT_FALSE(counter->is_guess());
  EXPECT_EQ(counter->tokenizer().count("hi", SpecialText::kParse), 1U);
  EXPECT_EQ(counter->tokenizer().count("ho<|im_end|>", SpecialText::kParse), 3U);
}

TEST_F(ModelFile, ATemplateThatCannotBeReadIsAnEstimate) {
  const auto counter = choose(model().key_text("tokenizer.chat_template", "{% if %}"));
  ASSERT_TRUE(counter);
  const auto counted = counter->count(
      *openai::ChatRequest::parse(R"({"messages":[{"role":"user","content":"hi"}]})"));
  EXPECT_TRUE(counted.is_estimate);
  EXPECT_EQ(counted.why_estimate, "the model file's chat template cannot be read");
  EXPECT_GT(counted.tokens, 3U);
}

TEST_F(ModelFile, BosIsOneMoreTokenOfAChat) {
  const auto request =
      openai::ChatRequest::parse(R"({"messages":[{"role":"user","content":"hi"}]})");
  const std::uint64_t without = choose(model())->count(*request).tokens;
  GgufWriter with_bos = model();
  with_bos.key("tokenizer.ggml.add_bos_token", GgufType::kBool).number<std::uint8_t>(1);
  EXPECT_EQ(choose(with_bos)->count(*request).tokens, without + 1);
}

TEST_F(ModelFile, AFileThatCannotBeUsedIsAFault) {
  const auto counter = PromptCounter::choose("/no/such.gguf", "", 1000, builtins_);
  ASSERT_FALSE(counter);
  EXPECT_EQ(counter.error().code, base::ErrorCode::kBadConfig);
  EXPECT_EQ(counter.error().message, "tokenizer.model: /no/such.gguf: there is no such file");
}

}  // namespace
}  // namespace weir::proxy
