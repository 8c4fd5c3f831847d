#include "weir/tokenizer/builtin.h"

#include <gtest/gtest.h>

#include <thread>

#include "test_support.h"

namespace weir::tokenizer::test {
namespace {

TEST(Builtins, EachNameHasItsTokenizer) {
  const Builtins builtins;
  EXPECT_EQ(builtins.all().size(), 13U);
  for (const auto& [name, models, entries, licence] : builtins.all()) {
    SCOPED_TRACE(name);
    EXPECT_FALSE(models.empty());
    EXPECT_GT(entries, 100000U);
    EXPECT_FALSE(licence.empty());
    EXPECT_TRUE(builtins.has(name));
    const Tokenizer* tokenizer = builtins.find(name);
    ASSERT_NE(tokenizer, nullptr);
    EXPECT_EQ(tokenizer->name(), name);
    EXPECT_EQ(tokenizer->count("hello world", SpecialText::kParse), 2U);
  }
}

TEST(Builtins, UnknownNameHasNone) {
  const Builtins builtins;
  EXPECT_FALSE(builtins.has("qwen9"));
  EXPECT_EQ(builtins.find("qwen9"), nullptr);
  EXPECT_EQ(builtins.find(""), nullptr);
}

// Qwen2 has three special tokens, Qwen2.5 has <tool_call> as well, Qwen3 also <think>.
TEST(Builtins, GenerationsDifferInSpecialTokens) {
  const auto count = [](std::string_view name, std::string_view text) {
    return builtin(name).count(text, SpecialText::kParse);
  };
  EXPECT_EQ(count("qwen2", "<|im_end|>"), 1U);
  EXPECT_GT(count("qwen2", "<tool_call>"), 1U);
  EXPECT_EQ(count("qwen2.5", "<tool_call>"), 1U);
  EXPECT_GT(count("qwen2.5", "<think>"), 1U);
  EXPECT_EQ(count("qwen3", "<think>"), 1U);
  EXPECT_GT(count("qwen3", "<|audio_pad|>"), 1U);
  EXPECT_EQ(count("qwen3.6", "<|audio_pad|>"), 1U);
}

TEST(Builtins, ThreadsGetTheSameTokenizer) {
  const Builtins builtins;
  std::vector<const Tokenizer*> found(4);
  std::vector<std::thread> threads;
  for (const Tokenizer*& tokenizer : found) {
    threads.emplace_back([&] { tokenizer = builtins.find("qwen3.5"); });
  }
  for (std::thread& thread : threads) {
    thread.join();
  }
  EXPECT_EQ(found, std::vector<const Tokenizer*>(4, builtins.find("qwen3.5")));
  EXPECT_NE(found[0], nullptr);
}

}  // namespace
}  // namespace weir::tokenizer::test
