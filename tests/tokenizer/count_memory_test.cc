#include "weir/tokenizer/count_memory.h"

#include <gtest/gtest.h>

#include <random>
#include <string>

#include "model.h"
#include "weir/tokenizer/tokenizer.h"

namespace weir::tokenizer {
namespace {

// One token a byte; notes how much it was asked to count.
class MeteredModel final : public Model {
 public:
  std::uint64_t count(std::string_view text, Work&) const override {
    counted_bytes += text.size();
    return text.size();
  }
  void encode(std::string_view, Work&, std::vector<std::uint32_t>&) const override {}

  mutable std::uint64_t counted_bytes = 0;
};

constexpr std::string_view kEnd = "<|end|>";

std::string text_of(std::size_t bytes, std::uint32_t seed) {
  std::mt19937 random(seed);
  std::string text(bytes, ' ');
  for (char& c : text) {
    c = static_cast<char>('a' + random() % 26);
  }
  return text;
}

class CountMemoryTest : public testing::Test {
 protected:
  std::uint64_t count(const std::string& text) {
    return tokenizer_.count(text, SpecialText::kParse, memory_);
  }

  std::shared_ptr<const MeteredModel> model_ = std::make_shared<const MeteredModel>();
  Tokenizer tokenizer_{"metered", model_, {{7, SpecialToken::Kind::kControl, std::string(kEnd)}}};
  CountMemory memory_;
};

TEST_F(CountMemoryTest, TheNextTurnCostsTheNewMessageOnly) {
  std::string conversation;
  for (std::uint32_t turn = 0; turn < 50; ++turn) {
    conversation += text_of(5000, turn) + std::string(kEnd);
  }
  EXPECT_EQ(count(conversation), 50 * 5001U);
  EXPECT_EQ(model_->counted_bytes, 50 * 5000U);
  model_->counted_bytes = 0;
  conversation += text_of(3000, 99) + std::string(kEnd);
  EXPECT_EQ(count(conversation), 50 * 5001U + 3001U);
  EXPECT_EQ(model_->counted_bytes, 3000U);
}

TEST_F(CountMemoryTest, ShortTextsAreCountedEachTime) {
  const std::string text = text_of(CountMemory::kTextBytesMin - 1, 1);
  count(text);
  count(text);
  EXPECT_EQ(model_->counted_bytes, 2 * text.size());
}

TEST_F(CountMemoryTest, EveryBitOfATextTells) {
  const std::string text = text_of(3001, 2);
  const auto tag = memory_.tag_of(1, text);
  ASSERT_TRUE(tag);
  EXPECT_EQ(memory_.tag_of(1, text), tag);
  for (std::size_t i = 0; i < text.size(); ++i) {
    for (const int bit : {1, 32, 128}) {
      std::string other = text;
      other[i] = static_cast<char>(other[i] ^ bit);
      ASSERT_NE(memory_.tag_of(1, other), tag) << i;
    }
  }
  EXPECT_NE(memory_.tag_of(1, text + '\0'), tag);
  EXPECT_NE(memory_.tag_of(1, text.substr(1)), tag);
}

TEST_F(CountMemoryTest, TheVocabularyTells) {
  EXPECT_NE(memory_.tag_of(1, "text"), memory_.tag_of(2, "text"));
  const Tokenizer other("other", std::make_shared<const MeteredModel>(), {});
  const std::string text = text_of(2000, 3);
  count(text);
  model_->counted_bytes = 0;
  EXPECT_EQ(other.count(text, SpecialText::kParse, memory_), 2000U);
  count(text);
  EXPECT_EQ(model_->counted_bytes, 0U);
}

TEST_F(CountMemoryTest, TheKeyIsAnotherOneInEveryMemory) {
  CountMemory other;
  EXPECT_NE(memory_.tag_of(1, "text"), other.tag_of(1, "text"));
}

TEST_F(CountMemoryTest, TheLongestUnusedGoes) {
  // In one group of places: the texts are known by the first number of their tag.
  const auto tag = [](std::uint64_t n) { return CountMemory::Tag{0, n}; };
  for (std::uint64_t n = 1; n <= 4; ++n) {
    memory_.store(tag(n), n);
  }
  EXPECT_EQ(memory_.find(tag(1)), 1U);
  memory_.store(tag(5), 5);
  EXPECT_EQ(memory_.find(tag(1)), 1U);
  EXPECT_EQ(memory_.find(tag(2)), std::nullopt);
  EXPECT_EQ(memory_.find(tag(5)), 5U);
}

TEST_F(CountMemoryTest, CountsStayRightWhenFarMoreTextsComeThanAreRemembered) {
  const std::string text = text_of(CountMemory::kTextBytesMin + 20000, 4);
  for (int round = 0; round < 2; ++round) {
    for (std::size_t from = 0; from < 20000; ++from) {
      const std::string part = text.substr(from, CountMemory::kTextBytesMin + from % 7);
      ASSERT_EQ(count(part), part.size());
    }
  }
}

}  // namespace
}  // namespace weir::tokenizer
