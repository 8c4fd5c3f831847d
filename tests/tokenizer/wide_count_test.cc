// Counting of wide characters (wide_count.cc) against merging by the definition (heap_merge.h).

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "bpe.h"
#include "heap_merge.h"
#include "table_archive.h"
#include "test_support.h"

namespace weir::tokenizer {
namespace {

using test::Random;

std::unique_ptr<const Bpe> built_in(std::string_view file) {
  auto vocabulary = read_bpe_pairs(test::data_file(file));
  return *Bpe::build(*std::move(vocabulary));
}

std::size_t count_by_definition(const Bpe& bpe, std::string_view piece) {
  std::vector<std::uint32_t> tokens(piece.size());
  return heap_merge(bpe, piece, tokens.data());
}

void append_wide(std::string& text, std::uint32_t code_point) {
  text += static_cast<char>(0xE0 | code_point >> 12);
  text += static_cast<char>(0x80 | (code_point >> 6 & 0x3F));
  text += static_cast<char>(0x80 | (code_point & 0x3F));
}

// Ends of tokens before beginnings of others: where merges compete most. Some characters of any
// kind between them.
class WideTexts {
 public:
  WideTexts(std::string_view file, std::uint64_t seed) : random_(seed) {
    const auto vocabulary = read_bpe_pairs(test::data_file(file));
    const auto ordered = order_merges(*vocabulary);
    const auto texts = TokenTexts::build(ordered->vocabulary);
    for (std::uint32_t token = kByteTokens; token < texts->size(); ++token) {
      if (static_cast<std::uint8_t>((*texts)[token].back()) >= 0x80) {
        tokens_.emplace_back((*texts)[token]);
      }
    }
  }

  std::string make() {
    std::string text;
    for (std::size_t n = 1 + random_.below(12); n > 0; --n) {
      switch (random_.below(8)) {
        case 0:
          append_wide(text, static_cast<std::uint32_t>(0x4E00 + random_.below(0x5200)));
          break;
        case 1:
          append_wide(text, static_cast<std::uint32_t>(0x3000 + random_.below(0x100)));
          break;
        case 2:
          append_wide(text, static_cast<std::uint32_t>(0x800 + random_.below(0xF800)));
          break;
        case 3:
          text += " a1é😀\xE4\xBD"[random_.below(10)];
          break;
        default:
          text += tokens_[random_.below(tokens_.size())];
      }
    }
    return text;
  }

 private:
  Random random_;
  std::vector<std::string> tokens_;
};

// WEIR_TOKENIZER_TEXTS sets another number of texts, for a long run by hand.
int number_of_texts() {
  const char* wanted = std::getenv("WEIR_TOKENIZER_TEXTS");
  return wanted == nullptr ? 4000 : std::atoi(wanted);
}

class WideCount : public testing::TestWithParam<const char*> {};

TEST_P(WideCount, IsTheSameAsMergingByDefinition) {
  const auto bpe = built_in(GetParam());
  WideTexts texts(GetParam(), 1);
  BpeScratch scratch;
  for (int i = 0; i < number_of_texts(); ++i) {
    const std::string text = texts.make();
    const std::size_t expected = count_by_definition(*bpe, text);
    ASSERT_EQ(bpe->count(text, scratch), expected) << text;
    ASSERT_EQ(bpe->merge(text, scratch), expected) << text;
  }
}

TEST_P(WideCount, LongTextIsTheSameAsMergingByDefinition) {
  const auto bpe = built_in(GetParam());
  Random random(2);
  BpeScratch scratch;
  for (const std::uint32_t range : {2U, 40U, 0x5200U}) {  // of one or two characters nothing is cut
    std::string text;
    for (int i = 0; i < 3000; ++i) {
      append_wide(text, static_cast<std::uint32_t>(0x4E00 + random.below(range)));
    }
    EXPECT_EQ(bpe->count(text, scratch), count_by_definition(*bpe, text)) << range;
  }
}

INSTANTIATE_TEST_SUITE_P(All, WideCount,
                         testing::Values("qwen3_5.bpe", "qwen3.bpe", "o200k.bpe", "cl100k.bpe",
                                         "deepseek.bpe"));

// Random merges of characters that share their bytes, and of parts of them, in a random order.
class SmallVocabularies {
 public:
  explicit SmallVocabularies(std::uint64_t seed) : random_(seed) {}

  Vocabulary make() {
    Vocabulary vocabulary;
    std::vector<std::string> texts;
    for (std::uint32_t byte = 0; byte < kByteTokens; ++byte) {
      vocabulary.bytes[byte] = static_cast<std::uint8_t>(byte);
      texts.emplace_back(1, static_cast<char>(byte));
    }
    const auto part = [&] {
      const std::size_t pick = random_.below(kBytes.size() + 3 * vocabulary.merges.size());
      return static_cast<std::uint32_t>(
          pick < kBytes.size() ? static_cast<std::uint8_t>(kBytes[pick])
                               : kByteTokens + (pick - kBytes.size()) % vocabulary.merges.size());
    };
    for (std::size_t n = 4 + random_.below(24); n > 0; --n) {
      const Pair pair{part(), part()};
      std::string text = texts[pair.left] + texts[pair.right];
      if (text.size() < 32 && std::find(texts.begin(), texts.end(), text) == texts.end()) {
        vocabulary.merges.push_back(pair);
        texts.push_back(std::move(text));
      }
    }
    return vocabulary;
  }

  std::string make_text() {
    std::string text;
    for (std::size_t n = 2 + random_.below(10); n > 0; --n) {
      text += kCharacters[random_.below(kCharacters.size())];
    }
    return text;
  }

 private:
  static constexpr std::string_view kBytes = "\xE4\xBD\xA0\xE5\xA0\xBD";
  static constexpr std::array<std::string_view, 6> kCharacters = {
      "\xE4\xBD\xA0", "\xE5\xA0\xBD", "\xE4\xA0\xBD", "\xE5\xBD\xA0", "\xE4\xBD\xBD", "a"};
  Random random_;
};

TEST(WideCountOfSmallVocabularies, IsTheSameAsMergingByDefinition) {
  SmallVocabularies random(3);
  int compared = 0;
  for (int round = 0; round < 400; ++round) {
    const auto bpe = Bpe::build(random.make());
    ASSERT_TRUE(bpe);
    if (!(*bpe)->unreachable_tokens().empty()) {
      continue;  // no trainer makes such a vocabulary
    }
    BpeScratch scratch;
    for (int i = 0; i < 100; ++i, ++compared) {
      const std::string text = random.make_text();
      ASSERT_EQ((*bpe)->count(text, scratch), count_by_definition(**bpe, text))
          << "round " << round << " " << text;
    }
  }
  EXPECT_GT(compared, 1000);
}

TEST(WidePairs, DamagedTablesAreNotSound) {
  const auto vocabulary = read_bpe_pairs(test::data_file("cl100k.bpe"));
  const auto texts = TokenTexts::build(*vocabulary);
  const WidePairs pairs(*vocabulary, *texts, {});
  EXPECT_TRUE(pairs.is_sound(vocabulary->size()));
  EXPECT_FALSE(pairs.is_sound(kByteTokens));  // names tokens that are not there
  EXPECT_FALSE(WidePairs().is_sound(vocabulary->size()));
}

}  // namespace
}  // namespace weir::tokenizer
