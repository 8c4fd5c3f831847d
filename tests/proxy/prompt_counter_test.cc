#include "weir/proxy/prompt_counter.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "../tokenizer/gguf_writer.h"
#include "weir/os/process.h"

namespace weir::proxy {
namespace {

class PromptCounterTest : public testing::Test {
 protected:
  PromptCounter choose(std::string_view model, std::string_view local_model = "") {
    auto counter = PromptCounter::choose(model, local_model, 1000, builtins_);
    EXPECT_TRUE(counter);
    return std::move(*counter);
  }
  static PromptCount count(const PromptCounter& counter, const std::string& body) {
    return counter.count(*openai::ChatRequest::parse(body));
  }

  tokenizer::Builtins builtins_;
};

const std::string kHi = R"({"messages":[{"role":"user","content":"hi"}]})";

TEST_F(PromptCounterTest, AutoGoesByTheLocalModelsName) {
  EXPECT_EQ(choose("auto", "Qwen3.6-35B-Uncensored").tokenizer_name(), "qwen3.5");
  EXPECT_EQ(choose("auto", "qwen3_5-9b-q4").tokenizer_name(), "qwen3.5");
  EXPECT_EQ(choose("auto", "/models/Qwen3-8B.gguf").tokenizer_name(), "qwen3");
  EXPECT_EQ(choose("auto", "Qwen2.5 Coder").tokenizer_name(), "qwen2.5");
  EXPECT_FALSE(choose("auto", "Qwen3-8B").is_guess());
}

TEST_F(PromptCounterTest, OtherFamiliesAreFoundByName) {
  EXPECT_EQ(choose("auto", "openai/gpt-oss-20b").tokenizer_name(), "gpt-oss");
  EXPECT_EQ(choose("auto", "gpt-4o-mini").tokenizer_name(), "gpt-4o");
  EXPECT_EQ(choose("auto", "gpt-4.1").tokenizer_name(), "o200k");
  EXPECT_EQ(choose("auto", "gpt-4-turbo").tokenizer_name(), "gpt-4");
  EXPECT_EQ(choose("auto", "DeepSeek-V3-0324").tokenizer_name(), "deepseek-v3");
  EXPECT_EQ(choose("auto", "DeepSeek-V4-Flash").tokenizer_name(), "deepseek-v4");
  EXPECT_EQ(choose("auto", "DeepSeek-R1-Distill-Qwen-7B").tokenizer_name(), "qwen2.5");
  EXPECT_EQ(choose("auto", "DeepSeek-R1-0528-Qwen3-8B").tokenizer_name(), "qwen3");
  EXPECT_EQ(choose("auto", "Meta-Llama-3.1-8B").tokenizer_name(), "o200k");
}

TEST_F(PromptCounterTest, EachBuiltinCountsAChat) {
  for (const tokenizer::BuiltinInfo& known : builtins_.all()) {
    SCOPED_TRACE(known.name);
    const PromptCounter counter = choose(known.name);
    EXPECT_EQ(counter.tokenizer_name(), known.name);
    const PromptCount counted = count(counter, kHi);
    EXPECT_GE(counted.tokens, 4U);
    EXPECT_LT(counted.tokens, 40U);
    EXPECT_EQ(counted.is_estimate, !known.name.starts_with("qwen"));
    EXPECT_EQ(counted.is_estimate, !counter.why_estimate().empty());
  }
}

// 3 and the role for the message, 1 for its content, 3 for the answer.
TEST_F(PromptCounterTest, OpenAiChatsAreCountedByThePublishedRule) {
  EXPECT_EQ(count(choose("gpt-4o"), kHi).tokens, 8U);
  EXPECT_EQ(count(choose("gpt-4"), kHi).tokens, 8U);
}

TEST_F(PromptCounterTest, AVocabularyThatIsNotBuiltInIsSaid) {
  const PromptCount counted = count(choose("auto", "Llama-3.3-70B"), kHi);
  EXPECT_TRUE(counted.is_estimate);
  EXPECT_NE(counted.why_estimate.find("not built in"), std::string::npos);
}

TEST_F(PromptCounterTest, ANameThatTellsNothingIsAGuess) {
  const PromptCounter counter = choose("auto", "my-model");
  EXPECT_TRUE(counter.is_guess());
  const PromptCount counted = count(counter, kHi);
  EXPECT_TRUE(counted.is_estimate);
  EXPECT_NE(counted.why_estimate, "");
}

TEST_F(PromptCounterTest, AnUnknownVocabularyIsNamedWithThoseThereAre) {
  const auto counter = PromptCounter::choose("qwen9", "", 1000, builtins_);
  ASSERT_FALSE(counter);
  EXPECT_EQ(counter.error().code, base::ErrorCode::kBadConfig);
  EXPECT_NE(counter.error().message.find("qwen3.5"), std::string::npos);
}

TEST_F(PromptCounterTest, TheCountIsExactForText) {
  const PromptCount counted = count(choose("qwen3.5"), kHi);
  EXPECT_FALSE(counted.is_estimate);
  EXPECT_GT(counted.tokens, 5U);
  EXPECT_LT(counted.tokens, 20U);
}

TEST_F(PromptCounterTest, APictureWithoutASizeCostsTheAllowance) {
  const std::string picture =
      R"({"messages":[{"role":"user","content":[{"type":"text","text":"hi"},{"type":"image_url","image_url":{"url":"https://example.com/a.png"}}]}]})";
  const PromptCounter counter = choose("qwen3.5");
  const std::uint64_t text = count(counter, kHi).tokens;
  const PromptCount counted = count(counter, picture);
  EXPECT_GE(counted.tokens, text + 1000);
  EXPECT_LT(counted.tokens, text + 1010);
  EXPECT_TRUE(counted.is_estimate);
}

TEST_F(PromptCounterTest, OddMessagesAreCountedAndDoNotThrow) {
  const PromptCounter counter = choose("qwen3.5");
  for (const char* body :
       {R"({"messages":[]})", R"({"messages":[{}]})", R"({"messages":[{"role":5,"content":{}}]})",
        R"({"messages":[{"role":"user","content":"\ud83d"}]})",
        R"({"messages":[{"role":"user","content":[1,null,"x",{"type":5}]}],"tools":"x"})"}) {
    EXPECT_LT(count(counter, body).tokens, 200U) << body;
  }
}

// A model file of printable ASCII, the tokens "hi" and "<b>", and a template.
class ModelFile {
 public:
  explicit ModelFile(const std::string& chat_template) {
    std::vector<std::string> tokens;
    std::vector<std::int32_t> types;
    for (char c = '!'; c <= '~'; ++c) {
      tokens.emplace_back(1, c);
      types.push_back(1);
    }
    const auto bos = static_cast<std::uint32_t>(tokens.size() + 1);
    tokens.insert(tokens.end(), {"hi", "<b>"});
    types.insert(types.end(), {1, 3});
    tokenizer::test::GgufWriter writer;
    writer.key_text("tokenizer.ggml.model", "gpt2").key_text("tokenizer.ggml.pre", "qwen2");
    writer.key_texts("tokenizer.ggml.tokens", tokens).key_types("tokenizer.ggml.token_type", types);
    writer.key_texts("tokenizer.ggml.merges", {"h i"});
    writer.key("tokenizer.ggml.bos_token_id", tokenizer::test::GgufType::kU32)
        .number<std::uint32_t>(bos);
    writer.key_bool("tokenizer.ggml.add_bos_token", true);
    writer.key_text("tokenizer.chat_template", chat_template);
    std::ofstream(path_, std::ios::binary) << writer.file();
  }
  ~ModelFile() { std::filesystem::remove(path_); }

  std::string path() const { return path_.string(); }

 private:
  const std::filesystem::path path_ =
      std::filesystem::path(testing::TempDir()) /
      ("weir template " + std::to_string(os::process_id()) + ".gguf");  // tests run side by side
};

TEST_F(PromptCounterTest, AModelFileCountsByItsOwnTemplate) {
  const ModelFile file("{{ messages[0].content }}!");
  const PromptCounter counter = choose(file.path());
  EXPECT_EQ(counter.why_estimate(), "");
  const PromptCount counted = count(counter, kHi);
  EXPECT_EQ(counted.tokens, 3U);  // BOS, "hi", "!"
  EXPECT_FALSE(counted.is_estimate) << counted.why_estimate;
}

TEST_F(PromptCounterTest, ABosThatTheTemplateWritesIsNotDoubled) {
  const ModelFile file("{{ bos_token }}{{ messages[0].content }}");
  EXPECT_EQ(count(choose(file.path()), kHi).tokens, 2U);
}

TEST_F(PromptCounterTest, ATemplateThatCannotBeReadIsSaid) {
  const ModelFile file("{% if %}");
  const PromptCount counted = count(choose(file.path()), kHi);
  EXPECT_TRUE(counted.is_estimate);
  EXPECT_EQ(counted.why_estimate, "the model file's chat template cannot be read");
}

}  // namespace
}  // namespace weir::proxy
