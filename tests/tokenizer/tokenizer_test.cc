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

// --- special tokens that overlap, and those that strip white space ---

struct Part {
  std::string text;  // "" for a token
  std::uint32_t id = 0;
  bool operator==(const Part& other) const = default;
};

// Cuts out the longest tokens first, each over all of the text, as llama.cpp does it.
std::vector<Part> cut_slowly(std::string_view text, std::vector<SpecialToken> tokens) {
  const auto is_white = [](char c) { return c == ' ' || (c >= '\t' && c <= '\r'); };
  std::vector<Part> parts = {{std::string(text), 0}};
  std::sort(tokens.begin(), tokens.end(), [](const SpecialToken& a, const SpecialToken& b) {
    return a.text.size() > b.text.size();
  });
  for (const SpecialToken& token : tokens) {
    for (std::size_t i = 0; i < parts.size(); ++i) {
      const std::string part = parts[i].text;
      const std::size_t at = part.find(token.text);
      if (part.empty() || at == std::string::npos) {
        continue;
      }
      std::string left = part.substr(0, at);
      std::string right = part.substr(at + token.text.size());
      while (token.strips_before && !left.empty() && is_white(left.back())) {
        left.pop_back();
      }
      while (token.strips_after && !right.empty() && is_white(right[0])) {
        right.erase(0, 1);
      }
      parts[i] = {right, 0};
      parts.insert(parts.begin() + static_cast<std::ptrdiff_t>(i), {{left, 0}, {"", token.id}});
      i += 1;
    }
  }
  std::erase_if(parts, [](const Part& part) { return part.text.empty() && part.id == 0; });
  return parts;
}

// The tokens of the whole are those of the parts.
void expect_cut(const std::string& text, const std::vector<SpecialToken>& tokens,
                const std::shared_ptr<const Model>& model) {
  const Tokenizer plain("plain", model, {});
  std::vector<std::uint32_t> expected;
  for (const Part& part : cut_slowly(text, tokens)) {
    if (part.text.empty()) {
      expected.push_back(part.id);
    }
    for (const std::uint32_t id : plain.encode(part.text, SpecialText::kParse)) {
      expected.push_back(id);
    }
  }
  const Tokenizer tokenizer("special", model, tokens);
  ASSERT_EQ(tokenizer.encode(text, SpecialText::kParse), expected) << text;
  ASSERT_EQ(tokenizer.count(text, SpecialText::kParse), expected.size()) << text;
}

TEST(Tokenizer, OverlappingSpecialTokensAreCutOutLongestFirst) {
  const auto model = build_model(data_file("qwen3.bpe"), "qwen2");
  ASSERT_TRUE(model);
  const auto control = SpecialToken::Kind::kControl;
  expect_cut("ab<a>bcdef", {{900001, control, "<a>"}, {900002, control, "a>bcd"}}, *model);
  expect_cut("aaaaa", {{900001, control, "aa"}}, *model);
  Random random(3);
  const auto letters = [&random](std::size_t most, std::string_view of) {
    std::string text;
    for (std::size_t n = 1 + random.below(most); n > 0; --n) {
      text += of[random.below(of.size())];
    }
    return text;
  };
  for (int round = 0; round < 3000; ++round) {
    std::vector<SpecialToken> tokens;
    const bool strips = random.below(2) == 0;
    for (std::size_t n = 1 + random.below(6); n > 0; --n) {
      const std::string text = letters(5, random.below(3) == 0 ? "ab< " : "ab<");
      if (std::none_of(tokens.begin(), tokens.end(),
                       [&](const auto& t) { return t.text == text; })) {
        tokens.push_back({static_cast<std::uint32_t>(900000 + n), control, text,
                          strips && random.below(3) == 0, strips && random.below(3) == 0});
      }
    }
    expect_cut(letters(30, "aabb< \n"), tokens, *model);
    if (HasFatalFailure()) {
      return;
    }
  }
}

}  // namespace
}  // namespace weir::tokenizer::test
