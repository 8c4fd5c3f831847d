#include "weir/proxy/local_counter.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <random>
#include <thread>

#include "../tokenizer/gguf_writer.h"

namespace weir::proxy {
namespace {

using tokenizer::test::GgufWriter;

// Printable ASCII and "hi".
GgufWriter tiny_model() {
  std::vector<std::string> tokens;
  for (char c = '!'; c <= '~'; ++c) {
    tokens.emplace_back(1, c);
  }
  tokens.emplace_back("hi");
  GgufWriter writer;
  writer.key_text("general.name", "Tiny").key_text("tokenizer.ggml.model", "gpt2");
  writer.key_text("tokenizer.ggml.pre", "qwen2").key_texts("tokenizer.ggml.tokens", tokens);
  return writer.key_texts("tokenizer.ggml.merges", {"h i"});
}

class LocalCounterTest : public testing::Test {
 protected:
  void SetUp() override {
    std::filesystem::create_directories(file_.parent_path());
    std::ofstream(file_, std::ios::binary) << tiny_model().file();
    server_.name = "llamacpp";
    server_.base_url = {false, "127.0.0.1", 8080, "/v1"};
    logger_ = std::move(*log::Logger::open({.level = "error", .file = {}}));
  }
  void TearDown() override { std::filesystem::remove_all(file_.parent_path()); }

  // What counts after the server has told this of itself.
  std::string learned(std::string_view setting, const upstream::Health& health) {
    LocalCounter counter(std::move(*PromptCounter::choose(setting, "", 1000, builtins_)), &server_,
                         *logger_);
    counter.learn(server_, health);
    return std::string(counter.current()->tokenizer_name());
  }
  upstream::Health with_file() const {
    upstream::Health health;
    health.model_path = file_.string();
    return health;
  }

  // A folder of its own: tests of this suite run beside each other.
  const std::filesystem::path file_ = std::filesystem::path(testing::TempDir()) /
                                      ("weir-counter-" + std::to_string(std::random_device{}())) /
                                      "weir local 模型.gguf";
  config::Upstream server_;
  std::unique_ptr<log::Logger> logger_;
  tokenizer::Builtins builtins_;
};

TEST_F(LocalCounterTest, WhoComesBeforeThereIsACounterWaitsForIt) {
  LocalCounter counter(&server_, *logger_);
  std::string found;
  std::thread early([&] { found = counter.current()->tokenizer_name(); });
  counter.configure(std::move(*PromptCounter::choose("qwen3", "", 1000, builtins_)));
  early.join();
  EXPECT_EQ(found, "qwen3");
}

TEST_F(LocalCounterTest, AutoReadsTheFileThatTheServerNames) {
  EXPECT_EQ(learned("auto", with_file()), "weir local 模型.gguf");
}

TEST_F(LocalCounterTest, ANamedVocabularyStays) {
  EXPECT_EQ(learned("qwen3", with_file()), "qwen3");
}

TEST_F(LocalCounterTest, APathOfAnotherMachineIsNotLookedFor) {
  server_.base_url.host = "192.0.2.7";
  EXPECT_EQ(learned("auto", with_file()), "qwen3.5");
}

TEST_F(LocalCounterTest, WithoutAFileTheNameOfTheModelTells) {
  upstream::Health health;
  health.model_path = "/models/not here.gguf";
  health.model_ids = {"house", "Qwen3-8B"};
  EXPECT_EQ(learned("auto", health), "qwen3");
}

TEST_F(LocalCounterTest, ADamagedFileChangesNothing) {
  std::ofstream(file_, std::ios::binary) << "GGUF and no more";
  EXPECT_EQ(learned("auto", with_file()), "qwen3.5");
}

TEST_F(LocalCounterTest, AnotherServerTeachesNothing) {
  LocalCounter counter(std::move(*PromptCounter::choose("auto", "", 1000, builtins_)), &server_,
                       *logger_);
  const auto before = counter.current();
  config::Upstream other = server_;
  other.name = "another";
  counter.learn(other, with_file());
  EXPECT_EQ(counter.current(), before);
}

TEST_F(LocalCounterTest, TheServerIsKnownByItsName) {
  LocalCounter counter(std::move(*PromptCounter::choose("auto", "", 1000, builtins_)), &server_,
                       *logger_);
  const auto before = counter.current();
  const config::Upstream copy = server_;
  counter.learn(copy, with_file());
  EXPECT_NE(counter.current(), before);
}

TEST_F(LocalCounterTest, ACounterStaysWhileItIsHeld) {
  LocalCounter counter(std::move(*PromptCounter::choose("auto", "", 1000, builtins_)), &server_,
                       *logger_);
  const auto held = counter.current();
  counter.learn(server_, with_file());
  EXPECT_EQ(held->tokenizer_name(), "qwen3.5");
  EXPECT_NE(counter.current(), held);
}

// "hi" is one token of qwen3.5, and each of these templates adds one that is none of its own.
TEST_F(LocalCounterTest, TheServersOwnTemplateCounts) {
  const auto request =
      openai::ChatRequest::parse(R"({"messages":[{"role":"user","content":"hi"}]})");
  LocalCounter counter(std::move(*PromptCounter::choose("qwen3.5", "", 1000, builtins_)), &server_,
                       *logger_);
  upstream::Health health;
  health.chat_template = std::make_shared<const openai::TemplateSource>(
      openai::TemplateSource{"{{ messages[0].content }}<|im_end|>", "", "", ""});
  counter.learn(server_, health);
  const auto counted = counter.current()->count(*request);
  EXPECT_EQ(counted.tokens, 2U);
  EXPECT_FALSE(counted.is_estimate) << counted.why_estimate;
}

TEST_F(LocalCounterTest, ATemplateThatCannotBeReadChangesNothing) {
  LocalCounter counter(std::move(*PromptCounter::choose("qwen3.5", "", 1000, builtins_)), &server_,
                       *logger_);
  upstream::Health health;
  health.chat_template = std::make_shared<const openai::TemplateSource>(
      openai::TemplateSource{"{% if %}", "", "", ""});
  counter.learn(server_, health);
  EXPECT_EQ(counter.current()->why_estimate(), "");
}

TEST_F(LocalCounterTest, FractionsGoByTheServersBuild) {
  const auto request = openai::ChatRequest::parse(
      R"({"messages":[{"role":"user","content":"hi"}],"tools":[{"type":"function","function":)"
      R"({"name":"f","parameters":{"maximum":40.0}}}]})");
  LocalCounter counter(std::move(*PromptCounter::choose("qwen3.5", "", 1000, builtins_)), &server_,
                       *logger_);
  upstream::Health health;
  counter.learn(server_, health);
  EXPECT_TRUE(counter.current()->count(*request).is_estimate);
  health.build = 11669;
  counter.learn(server_, health);
  EXPECT_FALSE(counter.current()->count(*request).is_estimate);
}

TEST_F(LocalCounterTest, TheServersOwnRulesCount) {
  const auto request = openai::ChatRequest::parse(
      R"({"messages":[{"role":"user","content":[{"type":"text","text":"a"},{"type":"text","text":"b"}]}]})");
  LocalCounter counter(std::move(*PromptCounter::choose("qwen3.5", "", 1000, builtins_)), &server_,
                       *logger_);
  upstream::Health health;
  health.typed_content = true;
  counter.learn(server_, health);
  const auto joined = counter.current()->count(*request);
  health.typed_content = false;
  counter.learn(server_, health);
  const auto lines = counter.current()->count(*request);
  EXPECT_FALSE(joined.is_estimate);
  EXPECT_FALSE(lines.is_estimate);
  EXPECT_LT(joined.tokens, lines.tokens);
}

}  // namespace
}  // namespace weir::proxy
