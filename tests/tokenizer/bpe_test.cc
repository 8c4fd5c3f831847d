// The fast tokenizer against the slow one of reference_bpe.h, and the tables by themselves.

#include "bpe.h"

#include <gtest/gtest.h>

#include <array>
#include <string>

#include "merge_order.h"
#include "reference_bpe.h"
#include "test_support.h"
#include "weir/base/text.h"

namespace weir::tokenizer::test {
namespace {

const ReferenceTokenizer& reference(bool qwen35) {
  static const ReferenceTokenizer kQwen35(data_file("qwen3_5.bpe"),
                                          data_file("classes.unicode15.1.tsv"), true);
  static const ReferenceTokenizer kQwen3(data_file("qwen3.bpe"),
                                         data_file("classes.unicode15.1.tsv"), false);
  return qwen35 ? kQwen35 : kQwen3;
}

// Tokens whose part has a larger number, with the tokens around them: where fast BPE goes wrong.
std::vector<std::string> late_texts(const ReferenceTokenizer& slow) {
  std::vector<std::string> texts;
  for (std::uint32_t i = 0; i < slow.pairs().size(); ++i) {
    const auto [left, right] = slow.pairs()[i];
    if (left >= 256 + i || right >= 256 + i) {
      for (const std::uint32_t token : {256 + i, left, right}) {
        texts.push_back(slow.text(token));
      }
    }
  }
  return texts;
}

// Random text of one of several kinds.
class TextMaker {
 public:
  TextMaker(const ReferenceTokenizer& slow, std::uint64_t seed)
      : slow_(slow), random_(seed), late_(late_texts(slow)) {
    if (late_.empty()) {
      late_.emplace_back("x");
    }
  }

  std::string make() {
    std::string text;
    const std::size_t kind = random_.below(kKinds + 2);
    for (std::size_t n = 1 + random_.below(24); n > 0; --n) {
      add(text, kind < kKinds ? kind : random_.below(kKinds));  // the last two mix all kinds
    }
    return text;
  }

 private:
  static constexpr std::size_t kKinds = 12;

  void add_between(std::string& text, std::uint32_t first, std::uint32_t last) {
    base::append_utf8(text, first + static_cast<std::uint32_t>(random_.below(last - first + 1)));
  }

  template <std::size_t kCount>
  void add_one_of(std::string& text, const std::array<std::string_view, kCount>& choices) {
    text += choices[random_.below(kCount)];
  }

  // A token, or a piece of one.
  void add_token(std::string& text) {
    const std::string& token = slow_.text(static_cast<std::uint32_t>(random_.below(slow_.size())));
    const std::size_t from = random_.below(4) == 0 ? random_.below(token.size()) : 0;
    text += token.substr(from, random_.below(4) == 0 ? 1 + random_.below(6) : token.size());
  }

  void add(std::string& text, std::size_t kind) {
    switch (kind) {
      case 0:
        return add_between(text, random_.below(2) == 0 ? 'a' : 'A', 'z');
      case 1:
        return add_between(text, 0x4E00, random_.below(2) == 0 ? 0x4E80 : 0x9FFF);
      case 2:
        return add_one_of(
            text, std::array<std::string_view, 9>{"いっぱ", "い", "っ", "ぱ", "いっぱい", "ー",
                                                  "ん", "いい", "っぱ"});
      case 3:
        return add_one_of(
            text, std::array<std::string_view, 12>{" ", "  ", "\n", "\r\n", "\t", "\v", "\u0085",
                                                   "\u3000", "\u2028", "a", ".", "\n\n"});
      case 4:
        return add_one_of(
            text, std::array<std::string_view, 8>{"7", "42", "\u0663", "½", "Ⅳ", " 1", "三", "x9"});
      case 5:
        return add_one_of(text, std::array<std::string_view, 8>{"e\u0301", "\u0301", "\u0E31", "ส",
                                                                "\u093F", "क", " \u0301", "."});
      case 6:
        return add_between(text, 0x1F300, 0x1FAFF);
      case 7:
        return text.push_back(static_cast<char>(random_.below(256)));
      case 8:
        return add_token(text);
      case 9:
        text.append(1 + random_.below(200), "-=/#*_. a\n"[random_.below(10)]);
        return;
      case 10:
        text += late_[random_.below(late_.size())];
        return;
      default:
        return add_one_of(
            text, std::array<std::string_view, 12>{"'s", "'LL", "'re", "'", "don't", "，", "。\n",
                                                   "...", " (", ")", "<", "\xC2\xA0"});
    }
  }

  const ReferenceTokenizer& slow_;
  Random random_;
  std::vector<std::string> late_;
};

void compare_with_reference(const Tokenizer& fast, const ReferenceTokenizer& slow,
                            std::uint64_t seed, int texts) {
  TextMaker maker(slow, seed);
  for (int i = 0; i < texts; ++i) {
    const std::string text = maker.make();
    const std::vector<std::uint32_t> expected = slow.encode(text);
    ASSERT_EQ(fast.encode(text, SpecialText::kPlain), expected) << "text " << i << ": " << text;
    ASSERT_EQ(fast.count(text, SpecialText::kPlain), expected.size()) << text;
  }
}

// WEIR_TOKENIZER_TEXTS sets another number of texts, for a long run by hand.
int number_of_texts() {
  const char* wanted = std::getenv("WEIR_TOKENIZER_TEXTS");
  return wanted == nullptr ? 4000 : std::atoi(wanted);
}

TEST(Bpe, Qwen35IsTheSameAsTheReference) {
  compare_with_reference(builtin("qwen3.5"), reference(true), 1, number_of_texts());
}

// The walk guesses in long runs of one character (bpe.h); the reference needs quadratic time there.
TEST(Bpe, LongRunsAreTheSameAsTheReference) {
  Random random(4);
  for (const char c : std::string_view("-=/#*_.+!~a \n0x")) {
    const std::string text = std::string(1000 + random.below(1500), c) + '!';
    ASSERT_EQ(builtin("qwen3.5").encode(text, SpecialText::kPlain), reference(true).encode(text));
  }
}

TEST(Bpe, Qwen3IsTheSameAsTheReference) {
  compare_with_reference(builtin("qwen3"), reference(false), 2, number_of_texts());
}

void expect_each_token_is_itself(std::string_view file, const ReferenceTokenizer& slow) {
  const std::string bpe_file = data_file(file);
  auto vocabulary = read_bpe_pairs(bpe_file);
  ASSERT_TRUE(vocabulary);
  const auto bpe = Bpe::build(*std::move(vocabulary));
  ASSERT_TRUE(bpe);
  BpeScratch scratch;
  for (std::uint32_t token = 0; token < slow.size(); ++token) {
    std::vector<std::uint32_t> tokens;
    (*bpe)->encode(slow.text(token), scratch, tokens);
    ASSERT_EQ(tokens, std::vector<std::uint32_t>{token});
  }
}

TEST(Bpe, EachTokenOfQwen35IsItself) {
  expect_each_token_is_itself("qwen3_5.bpe", reference(true));
}

TEST(Bpe, EachTokenOfQwen3IsItself) {
  expect_each_token_is_itself("qwen3.bpe", reference(false));
}

TEST(Bpe, EachTokenOfTheOthersIsItself) {
  for (const std::string file : {"o200k.bpe", "cl100k.bpe", "deepseek.bpe"}) {
    SCOPED_TRACE(file);
    expect_each_token_is_itself(
        file, ReferenceTokenizer(data_file(file), data_file("classes.unicode15.1.tsv"), false));
  }
}

// The whole-piece shortcut rests on this: merging the bytes of a token gives the token.
TEST(Bpe, ReferenceMergesEachTokenToItself) {
  const ReferenceTokenizer& slow = reference(true);
  for (std::uint32_t token = 0; token < slow.size(); token += 7) {
    ASSERT_EQ(slow.merge(slow.text(token)), std::vector<std::uint32_t>{token});
  }
}

TEST(MergeOrder, Qwen35HasOneGuard) {
  auto vocabulary = read_bpe_pairs(data_file("qwen3_5.bpe"));
  ASSERT_TRUE(vocabulary);
  const auto ordered = order_merges(*std::move(vocabulary));
  ASSERT_TRUE(ordered);
  ASSERT_EQ(ordered->guards.size(), 1U);
  EXPECT_EQ(reference(true).text(ordered->published[ordered->guards[0]]), "いっぱ");
}

// A tiny vocabulary over the letters a to d, in the numbers of the file.
Vocabulary tiny(std::vector<Pair> merges) {
  Vocabulary vocabulary;
  for (std::uint32_t byte = 0; byte < kByteTokens; ++byte) {
    vocabulary.bytes[byte] = static_cast<std::uint8_t>(byte);
  }
  vocabulary.merges = std::move(merges);
  return vocabulary;
}

TEST(MergeOrder, PartsOfAPublishedOrderStay) {
  const auto ordered = order_merges(tiny({{'a', 'b'}, {256, 'c'}}));
  ASSERT_TRUE(ordered);
  EXPECT_TRUE(ordered->published.empty());
  EXPECT_TRUE(ordered->guards.empty());
}

TEST(MergeOrder, LateTokensFollowTheirPart) {
  // 256 = 258 c, 257 = 256 d, 258 = a b, 259 = c c
  const auto ordered = order_merges(tiny({{258, 'c'}, {256, 'd'}, {'a', 'b'}, {'c', 'c'}}));
  ASSERT_TRUE(ordered);
  const std::vector<std::uint32_t> tail(ordered->published.begin() + 256, ordered->published.end());
  EXPECT_EQ(tail, (std::vector<std::uint32_t>{258, 256, 257, 259}));
  EXPECT_TRUE(ordered->guards.empty());
}

TEST(MergeOrder, TokensMadeOfEachOtherAreAnError) {
  EXPECT_FALSE(order_merges(tiny({{257, 'c'}, {256, 'd'}})));
}

// All ways in which late tokens can compete, over a small alphabet: random vocabularies whose
// merges are in a random order, each compared with the definition on random words.
std::vector<std::uint32_t> merge_by_definition(const Vocabulary& vocabulary,
                                               std::string_view piece) {
  std::vector<std::uint32_t> tokens;
  for (const char byte : piece) {
    tokens.push_back(static_cast<std::uint8_t>(byte));
  }
  for (std::uint32_t i = 0; i < vocabulary.merges.size();) {
    std::size_t at = 0;
    while (at + 1 < tokens.size() && (tokens[at] != vocabulary.merges[i].left ||
                                      tokens[at + 1] != vocabulary.merges[i].right)) {
      ++at;
    }
    if (at + 1 >= tokens.size()) {
      ++i;
      continue;
    }
    tokens[at] = kByteTokens + i;
    tokens.erase(tokens.begin() + static_cast<std::ptrdiff_t>(at) + 1);
    i = 0;  // a late token may be possible now
  }
  return tokens;
}

Vocabulary random_vocabulary(Random& random) {
  std::vector<Pair> merges;
  std::vector<std::string> texts;
  const auto text_of = [&](std::uint32_t token) {
    return token < kByteTokens ? std::string(1, static_cast<char>(token))
                               : texts[token - kByteTokens];
  };
  for (std::size_t n = 3 + random.below(8); n > 0; --n) {
    const auto part = [&] {
      const std::size_t pick = random.below(3 + 2 * merges.size());
      return static_cast<std::uint32_t>(pick < 3 ? 'a' + pick
                                                 : kByteTokens + (pick - 3) % merges.size());
    };
    const Pair pair{part(), part()};
    std::string text = text_of(pair.left) + text_of(pair.right);
    if (std::find(texts.begin(), texts.end(), text) == texts.end()) {
      merges.push_back(pair);
      texts.push_back(std::move(text));
    }
  }
  // Swap two tokens, so that one comes before its part.
  if (merges.size() >= 2) {
    const auto a = static_cast<std::uint32_t>(random.below(merges.size()));
    const auto b = static_cast<std::uint32_t>(random.below(merges.size()));
    std::swap(merges[a], merges[b]);
    for (Pair& pair : merges) {
      for (std::uint32_t* part : {&pair.left, &pair.right}) {
        *part = *part == kByteTokens + a ? kByteTokens + b
                                         : (*part == kByteTokens + b ? kByteTokens + a : *part);
      }
    }
  }
  return tiny(std::move(merges));
}

bool each_token_is_itself(const Vocabulary& vocabulary, const TokenTexts& texts,
                          const OrderedVocabulary& ordered) {
  for (std::uint32_t token = kByteTokens; token < texts.size(); ++token) {
    const std::uint32_t published = ordered.published.empty() ? token : ordered.published[token];
    if (merge_by_definition(vocabulary, texts[token]) != std::vector<std::uint32_t>{published}) {
      return false;
    }
  }
  return true;
}

TEST(MergeOrder, RandomVocabulariesWithLateTokensAreMergedByDefinition) {
  Random random(3);
  int compared = 0;
  int late = 0;
  for (int round = 0; round < 150; ++round) {
    const Vocabulary vocabulary = random_vocabulary(random);
    const auto ordered = order_merges(vocabulary);
    ASSERT_TRUE(ordered);
    const auto texts = TokenTexts::build(ordered->vocabulary);
    ASSERT_TRUE(texts);
    if (!each_token_is_itself(vocabulary, *texts, *ordered)) {
      continue;  // no trainer makes such a vocabulary
    }
    late += ordered->published.empty() ? 0 : 1;
    const auto bpe = Bpe::build(vocabulary);
    ASSERT_TRUE(bpe);
    BpeScratch scratch;
    for (int word = 0; word < 60; ++word, ++compared) {
      std::string piece;
      for (std::size_t n = 1 + random.below(14); n > 0; --n) {
        piece.push_back(static_cast<char>('a' + random.below(3)));
      }
      std::vector<std::uint32_t> tokens;
      (*bpe)->encode(piece, scratch, tokens);
      ASSERT_EQ(tokens, merge_by_definition(vocabulary, piece))
          << "round " << round << " " << piece;
    }
  }
  EXPECT_GT(compared, 1000);
  EXPECT_GT(late, 10);
}

TEST(Vocabulary, DamagedFilesAreErrors) {
  const std::string whole = data_file("qwen3.bpe");
  EXPECT_FALSE(read_bpe_pairs(""));
  EXPECT_FALSE(read_bpe_pairs("BPEPAIR1"));
  EXPECT_FALSE(read_bpe_pairs(whole.substr(0, whole.size() - 1)));
  std::string twice = whole;
  twice[12] = twice[13];
  EXPECT_FALSE(read_bpe_pairs(twice));
  std::string unknown = whole;
  unknown[268 + 2 * ((whole.size() - 268) / 6)] = '\x7F';  // bits 16 to 23 of the first left part
  EXPECT_FALSE(read_bpe_pairs(unknown));
}

TEST(BuildModel, UnknownSplitterIsAnError) {
  const auto model = build_model(data_file("qwen3.bpe"), "no-such");
  ASSERT_FALSE(model);
  EXPECT_EQ(model.error().code, base::ErrorCode::kBadConfig);
}

}  // namespace
}  // namespace weir::tokenizer::test
