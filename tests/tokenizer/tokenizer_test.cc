#include "weir/tokenizer/tokenizer.h"

#include <gtest/gtest.h>

#include <string>
#include <thread>

#include "test_support.h"

namespace weir::tokenizer::test {
namespace {

using Ids = std::vector<std::uint32_t>;

TEST(Tokenizer, EmptyTextHasNoTokens) {
  EXPECT_EQ(builtin("qwen3.5").count("", SpecialText::kParse), 0U);
  EXPECT_TRUE(builtin("qwen3.5").encode("", SpecialText::kParse).empty());
}

TEST(Tokenizer, ControlTokensAreOneTokenWhenParsed) {
  const Tokenizer& qwen = builtin("qwen3.5");
  EXPECT_EQ(qwen.encode("<|im_start|>", SpecialText::kParse), Ids{248045});
  EXPECT_GT(qwen.count("<|im_start|>", SpecialText::kPlain), 1U);
}

TEST(Tokenizer, UserTokensAreOneTokenInAnyText) {
  const Tokenizer& qwen = builtin("qwen3.5");
  EXPECT_EQ(qwen.encode("<think>", SpecialText::kParse), Ids{248068});
  EXPECT_EQ(qwen.encode("<think>", SpecialText::kPlain), Ids{248068});
}

TEST(Tokenizer, SpecialTokensCutTheText) {
  const Tokenizer& qwen = builtin("qwen3.5");
  const auto count = [&](std::string_view text) { return qwen.count(text, SpecialText::kParse); };
  EXPECT_EQ(count("a  <|im_end|>b"), count("a  ") + 1 + count("b"));
  EXPECT_EQ(count("<|im_end|><|im_end|>"), 2U);
  EXPECT_EQ(count("<<|im_end|>"), 2U);
  EXPECT_EQ(count("<|im_end|"), count("<|im") + count("_end|"));
}

TEST(Tokenizer, LongestOfTwoSpecialTokensIsTaken) {
  const auto user = SpecialToken::Kind::kUser;
  const auto control = SpecialToken::Kind::kControl;
  auto model = build_model(data_file("qwen3.bpe"), "qwen2");
  const Tokenizer tokenizer(
      "test", *std::move(model),
      {{1, user, "<x"}, {2, control, "<xyz>"}, {3, user, "<xy"}, {4, user, "@"}});
  EXPECT_EQ(tokenizer.encode("<xyz>@", SpecialText::kParse), (Ids{2, 4}));
  EXPECT_EQ(tokenizer.encode("<xyz>", SpecialText::kPlain).front(), 3U);
  EXPECT_EQ(tokenizer.encode("<x", SpecialText::kPlain), Ids{1});
  EXPECT_EQ(tokenizer.encode("<x@<xy", SpecialText::kParse), (Ids{1, 4, 3}));
}

TEST(Tokenizer, EachInvalidByteCountsAsReplacementCharacter) {
  const Tokenizer& qwen = builtin("qwen3.5");
  const auto encode = [&](std::string_view text) { return qwen.encode(text, SpecialText::kParse); };
  EXPECT_EQ(encode("a\xE4\xBD!"), encode("a\uFFFD\uFFFD!"));
  EXPECT_EQ(encode("\xFF"), encode("\uFFFD"));
  EXPECT_EQ(encode("\xED\xA0\x80"), encode("\uFFFD\uFFFD\uFFFD"));
}

TEST(Tokenizer, CountIsTheSameWithFullAndWithFreshCache) {
  auto model = build_model(data_file("qwen3_5.bpe"), "qwen35");
  const Tokenizer tokenizer("test", *std::move(model), {});
  Random random(5);
  std::string text;
  for (int i = 0; i < 50000; ++i) {
    text.append(1 + random.below(9), static_cast<char>('a' + random.below(26)));
    text += static_cast<char>(random.below(128));
  }
  const std::uint64_t first = tokenizer.count(text, SpecialText::kPlain);
  EXPECT_EQ(tokenizer.count(text, SpecialText::kPlain), first);
  EXPECT_EQ(tokenizer.encode(text, SpecialText::kPlain).size(), first);
}

// Bytes that make many tokens, the longest tokens that there are, special tokens.
TEST(Tokenizer, BoundsHoldTheCount) {
  Random random(11);
  for (const char* name : {"qwen3.5", "qwen3"}) {
    const Tokenizer& tokenizer = builtin(name);
    for (int i = 0; i < 2000; ++i) {
      std::string text;
      const std::size_t kind = random.below(4);
      for (std::size_t n = random.below(60); n > 0; --n) {
        text += kind == 0   ? std::string(1, static_cast<char>(random.below(128)))
                : kind == 1 ? std::string(random.below(200), ' ')
                : kind == 2 ? std::string("<|endoftext|>")
                            : std::string("\xF0\x90\x8D\x88");
      }
      const TokenBounds bounds = tokenizer.bounds(text.size());
      const std::uint64_t tokens = tokenizer.count(text, SpecialText::kParse);
      ASSERT_LE(bounds.at_least, tokens) << text;
      ASSERT_GE(bounds.at_most, tokens) << text;
    }
  }
}

TEST(Tokenizer, ThreadsCountTheSame) {
  const Tokenizer& qwen = builtin("qwen3.5");
  std::string text;
  for (int i = 0; i < 3000; ++i) {
    text += "line " + std::to_string(i * 7919) + ": 人力资源いっぱいっぱい don't\n";
  }
  const std::uint64_t expected = qwen.encode(text, SpecialText::kParse).size();
  std::vector<std::uint64_t> counts(8);
  std::vector<std::thread> threads;
  for (std::uint64_t& count : counts) {
    threads.emplace_back([&] { count = qwen.count(text, SpecialText::kParse); });
  }
  for (std::thread& thread : threads) {
    thread.join();
  }
  EXPECT_EQ(counts, std::vector<std::uint64_t>(8, expected));
}

std::string fill(std::string_view unit, std::size_t bytes) {
  std::string text;
  while (text.size() < bytes) {
    text += unit;
  }
  return text;
}

// Each of these takes minutes or hours, or crashes, when some step is quadratic or recursive: the
// test's time limit tells. Nothing is measured, so a busy machine does no harm.
TEST(Tokenizer, FourMegabytesOfHostileTextComeToAnEnd) {
  for (const std::string_view unit :
       {"a",      " ", "\n",    " \n", "!",    "ab", "1", "いっぱ", "いっぱい",   "人力资源",
        "\u0301", "<", "<|im_", "'",   "\xFF", "=-", "-", "/",      "\U0001F600", "qzx"}) {
    SCOPED_TRACE(unit);
    const std::string text = fill(unit, std::size_t{4} << 20);
    const std::uint64_t tokens = builtin("qwen3.5").count(text, SpecialText::kParse);
    EXPECT_GT(tokens, 0U);
    EXPECT_LE(tokens, text.size());
  }
}

TEST(Tokenizer, FourMegabytesOfRandomLettersComeToAnEnd) {
  Random random(9);
  std::string text;
  while (text.size() < std::size_t{4} << 20) {
    text.push_back(static_cast<char>('a' + random.below(26)));
  }
  EXPECT_GT(builtin("qwen3.5").count(text, SpecialText::kParse), text.size() / 8);
}

}  // namespace
}  // namespace weir::tokenizer::test
