// Texts in parts: the places where they are cut, for every splitter, and counts that are those of
// the whole text, for every kind of vocabulary.

#include "weir/tokenizer/stream_counter.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <sstream>

#include "gguf_model.h"
#include "gguf_writer.h"
#include "model.h"
#include "pre_tokenizers.h"
#include "safe_cut.h"
#include "test_support.h"

namespace weir::tokenizer::test {
namespace {

constexpr std::string_view kParts[] = {"the",
                                       "word",
                                       "I'll",
                                       "HTTPServer",
                                       "don't",
                                       "x",
                                       "我们",
                                       "今天天气很好",
                                       "，",
                                       "。",
                                       " ",
                                       " ",
                                       "  ",
                                       "\n",
                                       "\n",
                                       "\n\n",
                                       "\t",
                                       "123",
                                       "4567",
                                       "!",
                                       "...",
                                       "-=",
                                       "é",
                                       "e\u0301",
                                       "ひらがな",
                                       "안녕",
                                       "\u3000",
                                       "ภาษา",
                                       "'",
                                       "'s",
                                       "/",
                                       "=>",
                                       "    ",
                                       "a1",
                                       "\r\n",
                                       "好\n你",
                                       "end\nBegin",
                                       "well, then",
                                       "是，他说。我",
                                       "$"};

std::string random_text(Random& random, std::size_t parts) {
  std::string text;
  while (parts-- > 0) {
    text += kParts[random.below(std::size(kParts))];
    if (random.below(3) == 0) {
      text += " ";
    }
  }
  return text;
}

// WEIR_TOKENIZER_TEXTS sets another number of texts, for a long run by hand.
int number_of_texts(int usual) {
  const char* wanted = std::getenv("WEIR_TOKENIZER_TEXTS");
  return wanted == nullptr ? usual : std::atoi(wanted);
}

std::vector<std::string_view> pieces_of(Splitter split, const CharClasses& classes,
                                        std::string_view text) {
  std::vector<std::uint32_t> ends(text.size());
  ends.resize(split(classes, text, 0, ends));
  std::vector<std::string_view> pieces;
  std::uint32_t from = 0;
  for (const std::uint32_t end : ends) {
    pieces.push_back(text.substr(from, end - from));
    from = end;
  }
  return pieces;
}

class CutWith : public testing::TestWithParam<std::string_view> {};

TEST_P(CutWith, ChangesNoPiece) {
  const bool is_openai = GetParam() == "o200k" || GetParam() == "cl100k";
  const Splitter split = GetParam() == "o200k"    ? split_o200k
                         : GetParam() == "cl100k" ? split_cl100k
                                                  : find_pre_tokenizer(GetParam())->splitter;
  const auto classes = CharClasses::read(
      data_file(is_openai ? "classes.unicode16.0.tsv" : "classes.unicode15.1.tsv"),
      GetParam() == "o200k" ? Letters::kByCase : Letters::kAlike);
  ASSERT_TRUE(classes);
  Random random(31);
  const IsPlace is_place = places_between_pieces(split);
  if (GetParam() == "superbpe") {
    EXPECT_EQ(is_place, nullptr);
    return;
  }
  int cuts = 0;
  for (int i = 0; i < number_of_texts(1500); ++i) {
    const std::string text = random_text(random, 60);
    const auto whole = pieces_of(split, *classes, text);
    for (std::size_t at = last_place(text, is_place); at > 0;
         at = last_place(std::string_view(text).substr(0, at + kCutMargin - 1), is_place)) {
      ++cuts;
      auto parts = pieces_of(split, *classes, std::string_view(text).substr(0, at));
      const auto rest = pieces_of(split, *classes, std::string_view(text).substr(at));
      parts.insert(parts.end(), rest.begin(), rest.end());
      ASSERT_EQ(parts, whole) << "cut before: " << text.substr(at);
    }
  }
  EXPECT_GT(cuts, 100);
}

INSTANTIATE_TEST_SUITE_P(
    All, CutWith,
    testing::Values("qwen2", "qwen35", "llama-bpe", "minicpm5", "seed-coder", "ufakzeka", "gpt-2",
                    "starcoder", "falcon", "default", "gpt-4o", "tekken", "deepseek-v3",
                    "deepseek-coder", "deepseek-llm", "jais-2", "laguna", "exaone-moe", "kimi-k2",
                    "tiny_aya", "youtu", "granite-embed-multi-97m", "spark2_5", "afmoe", "bloom",
                    "viking", "superbpe", "chameleon", "o200k", "cl100k"),
    [](const auto& test) {
      std::string name(test.param);
      std::replace_if(
          name.begin(), name.end(), [](char c) { return c == '-' || c == '.'; }, '_');
      return name;
    });

std::uint64_t count_in_parts(const Tokenizer& tokenizer, std::string_view text, SpecialText special,
                             Random& random) {
  StreamCounter counter(tokenizer, special, 40 + random.below(400));
  const std::size_t part_max = 1 + random.below(300);
  while (!text.empty()) {
    const std::string_view part = text.substr(0, 1 + random.below(part_max));
    const auto added = counter.append(part);
    EXPECT_TRUE(added) << added.error().message;
    text.remove_prefix(part.size());
  }
  const auto tokens = counter.finish();
  EXPECT_TRUE(tokens) << tokens.error().message;
  return tokens ? *tokens : 0;
}

void compare_with_whole(const Tokenizer& tokenizer, const std::vector<std::string>& special,
                        int texts) {
  Random random(32);
  for (int i = 0; i < texts; ++i) {
    std::string text;
    for (std::size_t n = random.below(30); n > 0; --n) {
      text += random_text(random, random.below(25));
      text += random.below(3) == 0 ? special[random.below(special.size())] : "";
      text += random.below(20) == 0 ? std::string(1, static_cast<char>(random.below(256))) : "";
    }
    for (const SpecialText way : {SpecialText::kParse, SpecialText::kPlain}) {
      ASSERT_EQ(count_in_parts(tokenizer, text, way, random), tokenizer.count(text, way)) << text;
    }
  }
}

TEST(StreamCounter, BuiltInVocabulariesCountAsTheWhole) {
  for (const char* name : {"qwen3.5", "qwen3", "o200k", "cl100k", "gpt-oss", "deepseek-v3"}) {
    SCOPED_TRACE(name);
    compare_with_whole(builtin(name), {"<|im_end|>", "<think>", "<|im_sta", "<|endoftext|>"},
                       number_of_texts(300));
  }
}

GgufHeader small_header(std::string_view kind, bool adds_space) {
  std::vector<std::string> tokens = {"<unk>"};
  for (int byte = 0; byte < 256; ++byte) {
    char name[8];
    std::snprintf(name, sizeof name, "<0x%02X>", byte);
    tokens.emplace_back(name);
  }
  for (const char* token :
       {"\u2581", "t",        "h",   "e",  "th",   "the",  "\u2581the", "w",    "o",
        "wo",     "\u2581wo", "我",  "们", "我们", "今",   "天",        "今天", "n",
        "d",      "en",       "end", "\n", "B",    "\n\n", "，",        "!",    "\u2581x"}) {
    tokens.emplace_back(token);
  }
  std::vector<float> scores(tokens.size());
  for (std::size_t id = 0; id < tokens.size(); ++id) {
    scores[id] = -static_cast<float>(id) / 10;
  }
  GgufWriter writer;
  writer.key_text("tokenizer.ggml.model", kind).key_texts("tokenizer.ggml.tokens", tokens);
  writer.key_scores("tokenizer.ggml.scores", scores);
  writer.key_texts("tokenizer.ggml.merges",
                   {"t h", "th e", "\u2581 the", "w o", "\u2581 wo", "我 们", "e n", "en d"});
  writer.key_bool("tokenizer.ggml.remove_extra_whitespaces", adds_space);
  const std::string file = writer.key_bool("tokenizer.ggml.add_space_prefix", adds_space).file();
  std::istringstream in(file);
  return *read_gguf_header(in, file.size());
}

TEST(StreamCounter, OtherKindsCountAsTheWhole) {
  for (const char* kind : {"llama", "gemma4", "bert", "t5"}) {
    for (const bool adds_space : {false, true}) {
      for (const bool strips : {false, true}) {
        SCOPED_TRACE(std::string(kind) + (adds_space ? " space" : "") + (strips ? " strips" : ""));
        const auto made = gguf_model(small_header(kind, adds_space));
        ASSERT_TRUE(made) << made.error().message;
        const Tokenizer tokenizer("small", made->model,
                                  {{500, SpecialToken::Kind::kControl, "<|end|>", false, strips},
                                   {501, SpecialToken::Kind::kUser, "<mask>", strips, false},
                                   {502, SpecialToken::Kind::kUser, "word", false, false}});
        compare_with_whole(tokenizer, {"<|end|>", "<mask>", " <mask>", "<|end|>  \n", "word"},
                           number_of_texts(150));
      }
    }
  }
}

TEST(StreamCounter, ALongTextWaitsForNoMoreThanItsBlock) {
  const Tokenizer& tokenizer = builtin("qwen3.5");
  StreamCounter counter(tokenizer, SpecialText::kParse, 1000);
  for (int i = 0; i < 20000; ++i) {
    ASSERT_TRUE(counter.append("A line of words, and one more.\n"));
  }
  const auto tokens = counter.finish();
  ASSERT_TRUE(tokens);
  std::string whole;
  for (int i = 0; i < 20000; ++i) {
    whole += "A line of words, and one more.\n";
  }
  EXPECT_EQ(*tokens, tokenizer.count(whole, SpecialText::kParse));
}

}  // namespace
}  // namespace weir::tokenizer::test
