// Vocabularies without merges: small ones, most of them random, against the slow implementations
// of reference_plain.h.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <set>
#include <sstream>

#include "charsmap.h"
#include "gguf_model.h"
#include "gguf_writer.h"
#include "reference_plain.h"
#include "test_support.h"

namespace weir::tokenizer::test {
namespace {

using Ids = std::vector<std::uint32_t>;

// A charsmap in SentencePiece's format: each node's children have 256 places of their own, and the
// first of these is for the place of the replacement, if a text ends at the node.
class CharsmapWriter {
 public:
  explicit CharsmapWriter(const Replacements& replacements) {
    nodes_[0] = 256U << 10;
    for (const auto& [from, to] : replacements) {
      add(from, to);
    }
  }

  std::string bytes() const {
    std::string out;
    number(nodes_.size() * 4, out);
    for (const std::uint32_t node : nodes_) {
      number(node, out);
    }
    return out + texts_;
  }

 private:
  static void number(std::size_t value, std::string& out) {
    for (int i = 0; i < 4; ++i) {
      out += static_cast<char>(value >> (8 * i) & 0xFF);
    }
  }

  void add(const std::string& from, const std::string& to) {
    std::size_t children = 256;
    std::size_t at = 0;
    for (const char c : from) {
      const auto byte = static_cast<std::uint8_t>(c);
      at = children ^ byte;
      if (nodes_[at] == 0) {
        const std::size_t place = nodes_.size();
        nodes_.resize(place + 256);
        nodes_[at] = static_cast<std::uint32_t>(byte | (at ^ place) << 10);
      }
      children = at ^ nodes_[at] >> 10;
    }
    nodes_[at] |= 1U << 8;
    nodes_[children] = static_cast<std::uint32_t>(texts_.size());
    texts_ += to + '\0';
  }

  std::vector<std::uint32_t> nodes_ = std::vector<std::uint32_t>(512);
  std::string texts_;
};

struct PlainVocabulary {
  std::string kind;
  std::vector<std::string> tokens;
  std::vector<float> scores;
  std::vector<std::int32_t> types;
  Replacements replacements;  // what `charsmap` says
  std::string charsmap;
  bool adds_space = false;
  bool merges_spaces = false;
  bool lowercase = true;

  void add(std::string token, float score = 0, std::int32_t type = GgufHeader::kNormal) {
    tokens.push_back(std::move(token));
    scores.push_back(score);
    types.push_back(type);
  }

  GgufHeader header() const {
    GgufWriter writer;
    writer.key_text("tokenizer.ggml.model", kind).key_texts("tokenizer.ggml.tokens", tokens);
    writer.key_scores("tokenizer.ggml.scores", scores);
    writer.key_types("tokenizer.ggml.token_type", types);
    writer.array("tokenizer.ggml.precompiled_charsmap", GgufType::kU8, charsmap.size());
    for (const char c : charsmap) {
      writer.number(c);
    }
    writer.key_bool("tokenizer.ggml.remove_extra_whitespaces", merges_spaces);
    writer.key_bool("tokenizer.ggml.normalizer.lowercase", lowercase);
    writer.key("tokenizer.ggml.unknown_token_id", GgufType::kU32).number<std::uint32_t>(0);
    const std::string file = writer.key_bool("tokenizer.ggml.add_space_prefix", adds_space).file();
    std::istringstream in(file);
    auto header = read_gguf_header(in, file.size());
    EXPECT_TRUE(header) << header.error().message;
    return *std::move(header);
  }
};

Ids encode(const Model& model, std::string_view text) {
  Ids ids;
  Model::Work work(model, 0);
  if (!text.empty()) {
    model.encode(text, work, ids);
    EXPECT_EQ(model.count(text, work), ids.size()) << text;
  }
  return ids;
}

Ids encode(const PlainVocabulary& vocabulary, std::string_view text) {
  const auto made = gguf_model(vocabulary.header());
  EXPECT_TRUE(made) << made.error().message;
  return made ? encode(*made->model, text) : Ids{};
}

constexpr std::string_view kLetters[] = {"a",          "b",      "c", "\u00E9", "\u4F60", "\u4F61",
                                         "\U0001F600", "\u2581", "A", "!",      "$"};

std::string letters(Random& random, std::size_t most) {
  std::string text;
  for (std::size_t n = 1 + random.below(most); n > 0; --n) {
    text += kLetters[random.below(random.below(3) == 0 ? std::size(kLetters) : 3)];
  }
  return text;
}

void add_bytes(PlainVocabulary& vocabulary) {
  for (int byte = 0; byte < 256; ++byte) {
    char name[8];
    std::snprintf(name, sizeof name, "<0x%02X>", byte);
    const std::string itself(byte == '\\' ? "\\\\" : std::string(1, static_cast<char>(byte)));
    vocabulary.add(vocabulary.kind == "rwkv" ? itself : name, 0, GgufHeader::kByte);
  }
}

PlainVocabulary random_vocabulary(Random& random, std::string kind) {
  PlainVocabulary vocabulary;
  vocabulary.kind = std::move(kind);
  vocabulary.adds_space = random.below(2) == 0;
  vocabulary.merges_spaces = random.below(2) == 0;
  vocabulary.lowercase = random.below(4) > 0;
  vocabulary.add("<unk>", 0, GgufHeader::kControl);
  if (vocabulary.kind == "rwkv" || vocabulary.kind == "plamo2") {
    add_bytes(vocabulary);
  }
  std::set<std::string> tokens;
  for (std::size_t n = 2 + random.below(40); n > 0; --n) {
    tokens.insert((random.below(3) == 0 ? "\u2581" : "") + letters(random, 5));
  }
  const std::size_t scores = random.below(2) == 0 ? 3 : 1000;
  for (const std::string& token : tokens) {
    const bool is_byte = vocabulary.kind == "rwkv" && token.size() == 1;
    const float score = -static_cast<float>(random.below(scores)) / 7.0F;
    const bool is_user = vocabulary.kind == "t5" && random.below(8) == 0;
    if (!is_byte) {
      vocabulary.add(token, score, is_user ? GgufHeader::kUserDefined : GgufHeader::kNormal);
    }
  }
  for (std::size_t n = random.below(8); vocabulary.kind == "t5" && n > 0; --n) {
    const std::string from = random.below(6) == 0 ? " " : letters(random, 3);
    const std::string to = random.below(4) == 0 ? " " : letters(random, 4);
    vocabulary.replacements[from] = random.below(8) == 0 ? "" : to;
  }
  if (!vocabulary.replacements.empty()) {
    vocabulary.charsmap = CharsmapWriter(vocabulary.replacements).bytes();
  }
  return vocabulary;
}

std::string random_text(Random& random) {
  std::string text;
  for (std::size_t n = 1 + random.below(6); n > 0; --n) {
    text += letters(random, 8);
    text += std::string(random.below(4), random.below(8) == 0 ? '\n' : ' ');
  }
  for (std::size_t at = 0; random.below(4) == 0 && at < text.size(); ++at) {
    if (random.below(6) == 0) {
      text[at] = static_cast<char>(random.below(256));
    }
  }
  return text;
}

// WEIR_TOKENIZER_TEXTS sets another number of texts, for a long run by hand.
int number_of_vocabularies() {
  const char* wanted = std::getenv("WEIR_TOKENIZER_TEXTS");
  return wanted == nullptr ? 80 : std::max(1, std::atoi(wanted) / 60);
}

class PlainModel : public testing::TestWithParam<std::string_view> {};

TEST_P(PlainModel, GivesTheReferencesTokens) {
  Random random(21);
  for (int round = 0; round < number_of_vocabularies(); ++round) {
    const PlainVocabulary vocabulary = random_vocabulary(random, std::string(GetParam()));
    const GgufHeader header = vocabulary.header();
    const auto made = gguf_model(header);
    ASSERT_TRUE(made) << made.error().message;
    ASSERT_EQ(made->why_estimate, "");
    for (int i = 0; i < 60; ++i) {
      const std::string text = random_text(random);
      ASSERT_EQ(encode(*made->model, text), encode_plainly(header, text, vocabulary.replacements))
          << round << ": " << text;
    }
  }
}

TEST_P(PlainModel, EveryPrefixOfNastyTextsGivesTheReferencesTokens) {
  Random random(22);
  const std::string nasty =
      " a\u00E9  b\u4F60\u4F61\xF0\x9F\x98 \xC3\x28 a\xED\xA0\x80 \u2581\u2581a!!$ABC\u0301\u0130\n"
      "\t\u3000aaaaaaaaaaaaaaaaaaaabbbbbbb\u200D\uFEFF\uFFFD\U0001F600\x01\x7F" +
      std::string(1, '\0') + "c";
  for (int round = 0; round < 20; ++round) {
    const PlainVocabulary vocabulary = random_vocabulary(random, std::string(GetParam()));
    const GgufHeader header = vocabulary.header();
    const auto made = gguf_model(header);
    ASSERT_TRUE(made) << made.error().message;
    for (std::size_t bytes = 1; bytes <= nasty.size(); ++bytes) {
      const std::string text = nasty.substr(0, bytes);
      ASSERT_EQ(encode(*made->model, text), encode_plainly(header, text, vocabulary.replacements))
          << round << ": " << text;
    }
  }
}

TEST_P(PlainModel, CountsStayWithinTheirBounds) {
  Random random(23);
  for (int round = 0; round < 50; ++round) {
    const auto made = gguf_model(random_vocabulary(random, std::string(GetParam())).header());
    ASSERT_TRUE(made) << made.error().message;
    for (int i = 0; i < 20; ++i) {
      const std::string text = letters(random, 12);
      const std::size_t tokens = encode(*made->model, text).size();
      EXPECT_LE(tokens, text.size() * made->model->tokens_per_byte_max());
      EXPECT_LE(text.size(), made->model->token_bytes_max() == 0
                                 ? text.size()
                                 : tokens * made->model->token_bytes_max());
    }
  }
}

// A megabyte of one letter: the right number, from a ring and not from a table of a megabyte.
TEST_P(PlainModel, LongRunsAreCounted) {
  PlainVocabulary vocabulary;
  vocabulary.kind = std::string(GetParam());
  vocabulary.add("<unk>", 0, GgufHeader::kControl);
  if (vocabulary.kind == "rwkv" || vocabulary.kind == "plamo2") {
    add_bytes(vocabulary);
  }
  vocabulary.add("\u2581", -1);
  vocabulary.add("bb", -2);
  vocabulary.add("bbbb", -3);
  const auto made = gguf_model(vocabulary.header());
  ASSERT_TRUE(made) << made.error().message;
  Model::Work work(*made->model, 0);
  const std::uint64_t expected = 250'000 + (vocabulary.kind == "bert" ? 1 : 0);
  EXPECT_EQ(made->model->count(std::string(1'000'000, 'b'), work), expected);
}

TEST_P(PlainModel, AHugeTokenIsRefused) {
  PlainVocabulary vocabulary;
  vocabulary.kind = std::string(GetParam());
  vocabulary.add(std::string(1024, 'a'));
  const auto made = gguf_model(vocabulary.header());
  ASSERT_FALSE(made);
  EXPECT_EQ(made.error().message, "token 0 is longer than 1023 bytes");
}

TEST_P(PlainModel, AFileWithoutTokensIsRefused) {
  PlainVocabulary vocabulary;
  vocabulary.kind = std::string(GetParam());
  EXPECT_FALSE(gguf_model(vocabulary.header()));
}

INSTANTIATE_TEST_SUITE_P(All, PlainModel, testing::Values("bert", "t5", "rwkv", "plamo2"),
                         [](const auto& test) { return std::string(test.param); });

TEST(WordPiece, AWordIsItsLongestTokens) {
  PlainVocabulary vocabulary;
  vocabulary.kind = "bert";
  for (const char* token : {"[UNK]", "\u2581un", "\u2581", "know", "n", "known", "\u2581!"}) {
    vocabulary.add(token);
  }
  EXPECT_EQ(encode(vocabulary, "unknown"), (Ids{1, 5}));
  EXPECT_EQ(encode(vocabulary, "UNKNOWN!"), (Ids{1, 5, 6}));
  EXPECT_EQ(encode(vocabulary, "unknown?unx !"), (Ids{1, 5, 0, 0, 6}));  // whole words are unknown
  EXPECT_EQ(encode(vocabulary, "n\u0303"), (Ids{2, 4}));                 // an accent is dropped
  EXPECT_EQ(encode(vocabulary, " \t\n"), Ids{});
}

TEST(Unigram, TheHighestSumWins) {
  PlainVocabulary vocabulary;
  vocabulary.kind = "t5";
  vocabulary.add("<unk>", 0, GgufHeader::kControl);
  vocabulary.add("a", -1);
  vocabulary.add("b", -1);
  vocabulary.add("ab", -3);
  EXPECT_EQ(encode(vocabulary, "ab"), (Ids{1, 2}));
  vocabulary.scores[3] = -2;  // equal: the one that begins first
  EXPECT_EQ(encode(vocabulary, "ab"), (Ids{3}));
  EXPECT_EQ(encode(vocabulary, "xyab\u00E9"), (Ids{0, 3, 0}));  // unknown ones in a row are one
}

TEST(Unigram, TheCharsmapReplacesTexts) {
  PlainVocabulary vocabulary;
  vocabulary.kind = "t5";
  vocabulary.charsmap = CharsmapWriter(Replacements{{"x", "ab"}, {"xyz", "y"}}).bytes();
  vocabulary.add("<unk>", 0, GgufHeader::kControl);
  vocabulary.add("ab", -1);
  vocabulary.add("y", -1);
  EXPECT_EQ(encode(vocabulary, "xyx"), (Ids{1, 2, 1}));
  EXPECT_EQ(encode(vocabulary, "xyzx"), (Ids{2, 1}));
}

// As llama.cpp has it: not even the beginning of a user-defined token is replaced.
TEST(Unigram, WhatBeginsLikeAUserTokenIsNotReplaced) {
  PlainVocabulary vocabulary;
  vocabulary.kind = "t5";
  vocabulary.charsmap = CharsmapWriter(Replacements{{"<", "["}, {"e\u0301", "\u00E9"}}).bytes();
  vocabulary.add("<unk>", 0, GgufHeader::kControl);
  for (const char* token : {"<", "[", "e", "\u0301", "\u00E9"}) {
    vocabulary.add(token, -1);
  }
  EXPECT_EQ(encode(vocabulary, "<e\u0301"), (Ids{2, 5}));
  vocabulary.add("<extra_id_0>", 0, GgufHeader::kUserDefined);
  EXPECT_EQ(encode(vocabulary, "<e\u0301"), (Ids{1, 3, 4}));
  EXPECT_EQ(encode(vocabulary, "e\u0301"), (Ids{5}));
}

// A table that leads back into itself: without a limit the time grew with the square of the text.
TEST(Charsmap, ACircleIsLeft) {
  std::string map = CharsmapWriter(Replacements{{"ab", "c"}}).bytes();
  const std::uint32_t circle = 'a' | 1U << 8 | std::uint32_t{'a'} << 10;
  std::memcpy(map.data() + 4 + 4 * (256 ^ 'a'), &circle, sizeof circle);  // its own child for "a"
  const auto read = Charsmap::read({map.begin(), map.end()});
  ASSERT_TRUE(read) << read.error().message;
  EXPECT_EQ(read->longest(std::string(1'000'000, 'a')).bytes, Charsmap::kPrefixBytesMax);
}

TEST(Charsmap, AHugeReplacementIsRefused) {
  const auto read = [](std::size_t bytes) {
    const std::string map = CharsmapWriter(Replacements{{"a", std::string(bytes, 'b')}}).bytes();
    return Charsmap::read({map.begin(), map.end()});
  };
  EXPECT_TRUE(read(Charsmap::kReplacementBytesMax));
  EXPECT_FALSE(read(Charsmap::kReplacementBytesMax + 1));
}

// Random bytes for a charsmap: an error, or some answer within it.
TEST(Charsmap, DamagedOnesDoNoHarm) {
  Random random(24);
  for (int round = 0; round < 3000; ++round) {
    std::vector<char> bytes(random.below(200));
    for (char& byte : bytes) {
      byte = static_cast<char>(random.below(random.below(2) == 0 ? 256 : 4));
    }
    if (bytes.size() > 4 && random.below(4) > 0) {
      bytes[0] = static_cast<char>(random.below(bytes.size() - 4));
      bytes[1] = bytes[2] = bytes[3] = bytes.back() = '\0';
    }
    const auto map = Charsmap::read(bytes);
    if (map) {
      const std::string text = random_text(random);
      EXPECT_LE(map->longest(text).bytes, text.size());
      EXPECT_LE(map->longest(text).replacement.size(), map->replacement_bytes_max());
    }
  }
}

TEST(Unigram, ScoresThatAreNoNumbersDoNoHarm) {
  PlainVocabulary vocabulary;
  vocabulary.kind = "t5";
  vocabulary.add("<unk>", 0, GgufHeader::kControl);
  vocabulary.add("a", std::nanf(""));
  vocabulary.add("b", -std::numeric_limits<float>::infinity());
  vocabulary.add("c", std::numeric_limits<float>::max());
  EXPECT_LE(encode(vocabulary, "aabbcc").size(), 6U);
  vocabulary.scores.pop_back();
  vocabulary.tokens.emplace_back("d");
  vocabulary.types.push_back(GgufHeader::kNormal);
  EXPECT_FALSE(gguf_model([&] {
    auto header = vocabulary.header();
    header.scores.pop_back();
    return header;
  }()));
}

// Tokens of parts of characters, and scores without bounds: the count is that of the tokens.
TEST(Unigram, OddTokensAreCountedAsTheyAreEncoded) {
  Random random(25);
  const float odd[] = {std::nanf(""),
                       std::numeric_limits<float>::infinity(),
                       -std::numeric_limits<float>::infinity(),
                       -1,
                       -2,
                       1e30F};
  for (int round = 0; round < 300; ++round) {
    PlainVocabulary vocabulary = random_vocabulary(random, "t5");
    for (float& score : vocabulary.scores) {
      score = random.below(4) == 0 ? odd[random.below(std::size(odd))] : score;
    }
    for (const char* part : {"\xC3", "\xE4\xBD", "\xF0", "\xA0\xE4", "\xBD\xA0"}) {
      const std::size_t user = random.below(3);
      vocabulary.add(part, -1, user == 0 ? GgufHeader::kUserDefined : GgufHeader::kNormal);
    }
    const auto made = gguf_model(vocabulary.header());
    ASSERT_TRUE(made) << made.error().message;
    for (int i = 0; i < 20; ++i) {
      encode(*made->model, random_text(random));  // compares the two
    }
  }
}

TEST(Rwkv, EveryTokenIsItself) {
  Random random(26);
  for (int round = 0; round < 20; ++round) {
    const PlainVocabulary vocabulary = random_vocabulary(random, "rwkv");
    const auto made = gguf_model(vocabulary.header());
    ASSERT_TRUE(made) << made.error().message;
    for (std::uint32_t id = 0; id < vocabulary.tokens.size(); ++id) {
      const std::string& token = vocabulary.tokens[id];
      EXPECT_EQ(encode(*made->model, token == "\\\\" ? "\\" : token), (Ids{id})) << token;
    }
  }
}

TEST(Plamo2, CharactersThatAreNoTokenAreTheirBytes) {
  PlainVocabulary vocabulary;
  vocabulary.kind = "plamo2";
  vocabulary.add("<unk>", 0, GgufHeader::kControl);
  add_bytes(vocabulary);
  vocabulary.add("a", -1);
  vocabulary.add("aa", -2);
  EXPECT_EQ(encode(vocabulary, "aa\u00E9"), (Ids{258, 1 + 0xC3, 1 + 0xA9}));  // equal: the longer
  EXPECT_EQ(encode(vocabulary, "\uFEFFa"), (Ids{257}));
  vocabulary.types[5] = GgufHeader::kNormal;
  EXPECT_FALSE(gguf_model(vocabulary.header()));
}

TEST(Rwkv, EscapedTokensAreRead) {
  PlainVocabulary vocabulary;
  vocabulary.kind = "rwkv";
  vocabulary.add("<s>");
  add_bytes(vocabulary);
  vocabulary.add("\\n\\t\\r");
  vocabulary.add("\\xe4\\xbd");
  vocabulary.add("a\\\\b");
  EXPECT_EQ(encode(vocabulary, "\n\t\r\u4F60a\\b"), (Ids{257, 258, 1 + 0xA0, 259}));
  vocabulary.tokens[1 + 'q'] = "qq";
  EXPECT_FALSE(gguf_model(vocabulary.header()));
}

}  // namespace
}  // namespace weir::tokenizer::test
