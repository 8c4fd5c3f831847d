// BPE over characters: small vocabularies, most of them random, against the slow implementation of
// reference_chars.h.

#include <gtest/gtest.h>

#include <cmath>
#include <cstdio>
#include <set>
#include <sstream>

#include "char_bpe_model.h"
#include "gguf_model.h"
#include "gguf_writer.h"
#include "reference_chars.h"
#include "test_support.h"
#include "weir/base/text.h"

namespace weir::tokenizer::test {
namespace {

using Ids = std::vector<std::uint32_t>;

struct SmallVocabulary {
  std::string kind = "llama";
  std::vector<std::string> tokens;  // after <0x00> to <0xFF>
  std::vector<float> scores;        // of `tokens`
  std::vector<std::string> merges;
  bool adds_space = false;
  bool has_bytes = true;

  GgufHeader header() const {
    std::vector<std::string> all;
    for (int byte = 0; byte < 256; ++byte) {
      char name[16];
      std::snprintf(name, sizeof name, has_bytes ? "<0x%02X>" : "<no%02X>", byte);
      all.emplace_back(name);
    }
    all.insert(all.end(), tokens.begin(), tokens.end());
    std::vector<float> all_scores(256, 0);
    all_scores.insert(all_scores.end(), scores.begin(), scores.end());
    all_scores.resize(all.size());
    GgufWriter writer;
    writer.key_text("tokenizer.ggml.model", kind).key_texts("tokenizer.ggml.tokens", all);
    writer.key_scores("tokenizer.ggml.scores", all_scores);
    writer.key_texts("tokenizer.ggml.merges", merges);
    const std::string file = writer.key_bool("tokenizer.ggml.add_space_prefix", adds_space).file();
    std::istringstream in(file);
    return *read_gguf_header(in, file.size());
  }
};

Ids encode(const Model& model, std::string_view text) {
  Ids ids;
  Model::Work work(model, 1000);  // with a cache
  if (!text.empty()) {
    model.encode(text, work, ids);
    EXPECT_EQ(model.count(text, work), ids.size()) << text;
    EXPECT_EQ(model.count(text, work), ids.size()) << "again: " << text;
  }
  return ids;
}

Ids encode(const SmallVocabulary& vocabulary, std::string_view text) {
  const auto made = gguf_model(vocabulary.header());
  EXPECT_TRUE(made) << made.error().message;
  return made ? encode(*made->model, text) : Ids{};
}

// Letters of one, two, three and four bytes, and a space.
constexpr std::string_view kLetters[] = {"a",      "b",      "c",          "\u00E9", "\u2581",
                                         "\u4F60", "\u4F61", "\U0001F600", "\n"};

std::string letters(Random& random, std::size_t most) {
  std::string text;
  for (std::size_t n = 1 + random.below(most); n > 0; --n) {
    text += kLetters[random.below(random.below(3) == 0 ? std::size(kLetters) : 2)];
  }
  return text;
}

SmallVocabulary random_vocabulary(Random& random, bool has_scores) {
  SmallVocabulary vocabulary;
  vocabulary.kind = has_scores ? "llama" : "gemma4";
  vocabulary.adds_space = random.below(2) == 0;
  std::set<std::string> tokens = {"a", "b", "ab"};
  for (const std::string_view letter : kLetters) {
    if (random.below(8) > 0) {
      tokens.emplace(letter);
    }
  }
  for (std::size_t n = 2 + random.below(30); n > 0; --n) {
    tokens.insert(letters(random, 5));
  }
  const std::size_t scores = random.below(2) == 0 ? 4 : 1000;
  std::vector<std::string> order(tokens.begin(), tokens.end());
  for (std::size_t i = order.size(); i > 1; --i) {
    std::swap(order[i - 1], order[random.below(i)]);
  }
  for (const std::string& token : order) {
    vocabulary.tokens.push_back(token);
    // Mostly as trained ones are: parts before wholes.
    const float by_length = random.below(2) == 0 ? -100.0F * static_cast<float>(token.size()) : 0;
    vocabulary.scores.push_back(by_length - static_cast<float>(random.below(scores)));
    for (std::size_t cut = 1; !has_scores && cut < token.size(); ++cut) {
      if (tokens.count(token.substr(0, cut)) + tokens.count(token.substr(cut)) == 2 &&
          random.below(4) > 0) {
        vocabulary.merges.push_back(token.substr(0, cut) + " " + token.substr(cut));
      }
    }
  }
  if (!has_scores && vocabulary.merges.empty()) {
    vocabulary.merges.emplace_back("a b");  // there must be one
  }
  return vocabulary;
}

std::string random_text(Random& random) {
  std::string text = letters(random, 20);
  for (std::size_t at = 0; random.below(3) == 0 && at < text.size(); ++at) {
    if (random.below(4) == 0) {
      text[at] = static_cast<char>(random.below(random.below(2) == 0 ? 256 : 128));
    }
  }
  for (std::size_t at = text.find("\u2581"); at != std::string::npos && random.below(8) > 0;
       at = text.find("\u2581")) {
    text.replace(at, 3, " ");
  }
  return text;
}

void compare_with_reference(bool has_scores) {
  Random random(has_scores ? 11 : 12);
  for (int round = 0; round < 600; ++round) {
    const SmallVocabulary vocabulary = random_vocabulary(random, has_scores);
    const GgufHeader header = vocabulary.header();
    const auto made = gguf_model(header);
    ASSERT_TRUE(made) << made.error().message;
    ASSERT_EQ(made->why_estimate, "");
    const ReferenceChars slow(header);
    for (int i = 0; i < 60; ++i) {
      const std::string text = random_text(random);
      ASSERT_EQ(encode(*made->model, text), slow.encode(text)) << round << ": " << text;
    }
  }
}

TEST(CharBpe, RandomScoresGiveTheReferencesTokens) {
  compare_with_reference(true);
}

TEST(CharBpe, RandomMergesGiveTheReferencesTokens) {
  compare_with_reference(false);
}

TEST(CharBpe, TheHighestScoreMergesFirst) {
  SmallVocabulary vocabulary;
  vocabulary.tokens = {"a", "b", "c", "ab", "bc"};
  vocabulary.scores = {0, 0, 0, -2, -1};
  EXPECT_EQ(encode(vocabulary, "abc"), (Ids{256, 260}));
  vocabulary.scores = {0, 0, 0, -1, -1};
  EXPECT_EQ(encode(vocabulary, "abc"), (Ids{259, 258}));  // equal: the leftmost
}

TEST(CharBpe, ASpaceIsAddedWhenTheModelWantsIt) {
  SmallVocabulary vocabulary;
  vocabulary.tokens = {"a", "\u2581", "\u2581a"};
  EXPECT_EQ(encode(vocabulary, "a a"), (Ids{256, 258}));
  vocabulary.adds_space = true;
  EXPECT_EQ(encode(vocabulary, "a a"), (Ids{258, 258}));
  EXPECT_EQ(encode(vocabulary, "\u2581a"), (Ids{257, 258}));
}

TEST(CharBpe, UnknownCharactersAreTheirBytes) {
  SmallVocabulary vocabulary;
  vocabulary.tokens = {"a", "\u00E9\u00E9"};
  EXPECT_EQ(encode(vocabulary, "a\u00E9"), (Ids{256, 0xC3, 0xA9}));
  EXPECT_EQ(encode(vocabulary, "\u00E9\u00E9"), (Ids{257}));
  EXPECT_EQ(encode(vocabulary, " "), (Ids{0xE2, 0x96, 0x81}));
  EXPECT_EQ(encode(vocabulary, "\xE2 a"), (Ids{0xE2, 0xE2, 0x96, 0x81, 256}));
}

TEST(CharBpe, AVocabularyWithoutByteTokensIsAnEstimate) {
  SmallVocabulary vocabulary;
  vocabulary.tokens = {"a"};
  vocabulary.has_bytes = false;
  const auto made = gguf_model(vocabulary.header());
  ASSERT_TRUE(made);
  EXPECT_EQ(made->why_estimate, "the model file has no tokens for some bytes");
}

TEST(CharBpe, NewlinesAreApartForGemma) {
  SmallVocabulary vocabulary;
  vocabulary.kind = "gemma4";
  vocabulary.tokens = {"a", "\n", "\n\n\n", "a\n", "\n\n"};
  vocabulary.merges = {"a \n", "\n \n"};
  EXPECT_EQ(encode(vocabulary, "a\n"), (Ids{256, 257}));
  EXPECT_EQ(encode(vocabulary, "\n\n\n"), (Ids{258}));
  EXPECT_EQ(encode(vocabulary, "\n\n\n\n"), (Ids{260, 260}));
}

TEST(CharBpe, AScoreThatIsNoNumberIsRefused) {
  SmallVocabulary vocabulary;
  vocabulary.tokens = {"a"};
  vocabulary.scores = {std::nanf("")};
  const auto made = gguf_model(vocabulary.header());
  ASSERT_FALSE(made);
  EXPECT_EQ(made.error().message, "tokenizer.ggml.scores has one that is no number");
}

TEST(CharBpe, TooFewScoresAreRefused) {
  GgufHeader header = SmallVocabulary().header();
  header.scores.pop_back();
  EXPECT_FALSE(gguf_model(header));
}

// A megabyte of what merges in the slowest way: bounded time, and the right number.
TEST(CharBpe, LongRunsTakeLinearTime) {
  SmallVocabulary vocabulary;
  vocabulary.tokens = {"a", "aa", "aaa", "aaaa", "\u2581"};
  vocabulary.scores = {0, -1, -1, -1, 0};
  const auto made = gguf_model(vocabulary.header());
  Model::Work work(*made->model, 1000);
  EXPECT_EQ(made->model->count(std::string(1'000'000, 'a'), work), 250'000U);
  EXPECT_EQ(made->model->count(std::string(1'000'000, ' '), work), 1'000'000U);
}

}  // namespace
}  // namespace weir::tokenizer::test
