// Small model files, right and wrong ones, made here.

#include "weir/tokenizer/gguf.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "byte_alphabet.h"
#include "gguf_writer.h"

namespace weir::tokenizer::test {
namespace {

using Texts = std::vector<std::string>;

// A model file with all bytes as tokens 0 to 255, then `tokens`.
struct SmallModel {
  std::string kind = "gpt2";
  std::string pre = "qwen2";
  Texts tokens;
  Texts merges;
  std::vector<std::int32_t> types;  // of `tokens`; normal when there are none
  GgufWriter more;                  // more keys

  std::string file() const {
    Texts all;
    for (int byte = 0; byte < 256; ++byte) {
      all.push_back(byte_letter(static_cast<std::uint8_t>(byte)));
    }
    all.insert(all.end(), tokens.begin(), tokens.end());
    std::vector<std::int32_t> all_types(256, 1);
    all_types.insert(all_types.end(), types.begin(), types.end());
    all_types.resize(all.size(), 1);
    GgufWriter writer = more;
    writer.key_text("tokenizer.ggml.model", kind).key_text("tokenizer.ggml.pre", pre);
    writer.key_texts("tokenizer.ggml.tokens", all).key_texts("tokenizer.ggml.merges", merges);
    return writer.key_types("tokenizer.ggml.token_type", all_types).file();
  }
};

base::Result<GgufTokenizer> load(const std::string& bytes) {
  const auto path =
      std::filesystem::path(testing::TempDir()) /
      (std::string(testing::UnitTest::GetInstance()->current_test_info()->name()) + ".gguf");
  std::ofstream(path, std::ios::binary) << bytes;
  auto loaded = load_gguf_tokenizer(path.string());
  std::filesystem::remove(path);
  return loaded;
}

std::vector<std::uint32_t> encode(const SmallModel& model, std::string_view text,
                                  SpecialText special = SpecialText::kParse) {
  const auto loaded = load(model.file());
  EXPECT_TRUE(loaded) << loaded.error().message;
  if (!loaded) {
    return {};
  }
  const auto tokens = loaded->tokenizer->encode(text, special);
  EXPECT_EQ(loaded->tokenizer->count(text, special), tokens.size());
  return tokens;
}

using Ids = std::vector<std::uint32_t>;

TEST(Gguf, MergesGiveTheModelsIds) {
  SmallModel model;
  model.tokens = {"unused", "abc", "ab"};
  model.merges = {"a b", "ab c"};
  EXPECT_EQ(encode(model, "abc"), (Ids{257}));
  EXPECT_EQ(encode(model, "abab"), (Ids{258, 258}));
}

// As in Qwen3.5: abc is listed before its own part.
TEST(Gguf, APartMayComeLater) {
  SmallModel model;
  model.tokens = {"ab", "abc", "bx"};
  model.merges = {"ab c", "b x", "a b"};
  EXPECT_EQ(encode(model, "abc"), (Ids{257}));
  EXPECT_EQ(encode(model, "abx"), (Ids{'a', 258}));
}

// As in Llama 3, which lists every pair that spells a token.
TEST(Gguf, OfSeveralPairsTheOneThatComesToBeCounts) {
  SmallModel model;
  model.tokens = {"bc", "ab", "abc"};
  model.merges = {"b c", "a b", "a bc", "ab c"};
  EXPECT_EQ(encode(model, "abc"), (Ids{258}));
  EXPECT_EQ(encode(model, "ab"), (Ids{257}));
}

TEST(Gguf, ATokenThatNoTextLeadsToIsNotFound) {
  SmallModel model;
  model.tokens = {"ab", "bc", "abc"};
  model.merges = {"b c", "a b", "ab c"};  // bc is always made first
  EXPECT_EQ(encode(model, "abc"), (Ids{'a', 257}));
}

TEST(Gguf, BytesThatAreNoTokensCountNothing) {
  SmallModel model;
  model.tokens = {"ab"};
  model.merges = {"a b"};
  std::string file = model.file();
  const std::string letter = byte_letter(3);  // U+0103
  file.replace(file.find(letter), letter.size(), "zz");
  const auto loaded = load(file);
  ASSERT_TRUE(loaded);
  EXPECT_EQ(loaded->tokenizer->count("ab\x03", SpecialText::kParse), 1U);
  EXPECT_EQ(loaded->tokenizer->encode("ab\x03", SpecialText::kParse), (Ids{256}));
}

TEST(Gguf, SpecialTokensGoByTypeAndText) {
  SmallModel model;
  model.tokens = {"<a>", "<b>", "<c>", "</s>", "<|channel|>", "ab"};
  model.types = {2, 3, 4, 1, 3};
  model.merges = {"a b"};
  EXPECT_EQ(encode(model, "<a><b><c></s><|channel|>"), (Ids{256, 257, 258, 259, 260}));
  EXPECT_EQ(encode(model, "<c><|channel|>", SpecialText::kPlain), (Ids{258, 260}));
  EXPECT_EQ(encode(model, "</s>", SpecialText::kPlain), (Ids{'<', '/', 's', '>'}));
  EXPECT_EQ(encode(model, "<a>", SpecialText::kPlain), (Ids{'<', 'a', '>'}));
}

TEST(Gguf, BosAndEosAreTold) {
  SmallModel model;
  model.tokens = {"ab"};
  model.merges = {"a b"};
  EXPECT_EQ(load(model.file())->tokenizer->facts().added_tokens, 0U);
  model.more.key("tokenizer.ggml.add_bos_token", GgufType::kBool).number<std::uint8_t>(1);
  EXPECT_EQ(load(model.file())->tokenizer->facts().added_tokens, 1U);
  model.more.key("tokenizer.ggml.add_eos_token", GgufType::kBool).number<std::uint8_t>(1);
  EXPECT_EQ(load(model.file())->tokenizer->facts().added_tokens, 2U);
}

TEST(Gguf, TextsOfBosAndEosAreTold) {
  SmallModel model;
  model.tokens = {"<bos>", "\u0120b", "ab"};
  model.types = {3};
  model.merges = {"a b"};
  model.more.key("tokenizer.ggml.bos_token_id", GgufType::kU32).number<std::uint32_t>(256);
  model.more.key("tokenizer.ggml.eos_token_id", GgufType::kU32).number<std::uint32_t>(257);
  model.more.key("tokenizer.ggml.add_bos_token", GgufType::kBool).number<std::uint8_t>(1);
  const auto loaded = load(model.file());
  ASSERT_TRUE(loaded);
  EXPECT_EQ(loaded->bos, "<bos>");
  EXPECT_EQ(loaded->eos, " b");
  EXPECT_TRUE(loaded->adds_bos);
  EXPECT_FALSE(loaded->adds_eos);
}

TEST(Gguf, AFileThatNamesNoBosHasTheEleventhToken) {
  SmallModel model;
  model.tokens = {"ab"};
  model.merges = {"a b"};
  const auto loaded = load(model.file());
  ASSERT_TRUE(loaded);
  EXPECT_EQ(loaded->bos, "\x0B");
  EXPECT_FALSE(loaded->adds_bos);
}

TEST(Gguf, AnUnknownSplitterIsAnEstimate) {
  SmallModel model;
  model.tokens = {"ab"};
  model.merges = {"a b"};
  EXPECT_TRUE(load(model.file())->tokenizer->is_exact());
  model.pre = "no-such\n";
  const auto loaded = load(model.file());
  ASSERT_TRUE(loaded);
  EXPECT_FALSE(loaded->tokenizer->is_exact());
  EXPECT_EQ(loaded->tokenizer->facts().why_estimate,
            "the splitter \"no-such?\" of the model file is not known");
}

TEST(Gguf, MergesOfUnknownTokensAreAnEstimate) {
  SmallModel model;
  model.tokens = {"ab"};
  model.merges = {"a b", "x y", "zz a", "a ", "", "ab"};
  const auto loaded = load(model.file());
  ASSERT_TRUE(loaded) << loaded.error().message;
  EXPECT_FALSE(loaded->tokenizer->is_exact());
  EXPECT_EQ(loaded->tokenizer->count("ab", SpecialText::kParse), 1U);
}

void expect_refused(const std::string& file, std::string_view part) {
  const auto loaded = load(file);
  ASSERT_FALSE(loaded);
  EXPECT_EQ(loaded.error().code, base::ErrorCode::kBadConfig);
  EXPECT_NE(loaded.error().message.find(part), std::string::npos) << loaded.error().message;
  EXPECT_NE(loaded.error().message.find(".gguf: "), std::string::npos);
}

TEST(Gguf, OtherVocabulariesAreRefused) {
  SmallModel model;
  model.kind = "no-such";
  expect_refused(model.file(), "kind \"no-such\"");
  expect_refused(SmallModel().file(), "no merges");
  expect_refused("", "no GGUF");
}

TEST(Gguf, ATokenThatIsTooLongIsRefused) {
  SmallModel model;
  std::string text = "aa";
  model.tokens = {text};
  model.merges = {"a a"};
  while (text.size() < 2048) {
    model.merges.push_back(text + " " + text);
    model.tokens.push_back(text += text);
  }
  expect_refused(model.file(), "too long");
}

TEST(Gguf, AMissingFileIsRefused) {
  const auto loaded = load_gguf_tokenizer("/no/such.gguf");
  ASSERT_FALSE(loaded);
  EXPECT_EQ(loaded.error().message, "/no/such.gguf: there is no such file");
}

// Merges that need merges that are not there, in a long chain: bounded work, no crash.
TEST(Gguf, AChainOfMergesWithoutAStartIsDroppedOrRefused) {
  SmallModel model;
  model.tokens = {"xy"};  // no merge makes it
  std::string text = "xy";
  for (int i = 0; i < 300; ++i) {
    model.merges.insert(model.merges.begin(), text + " a");
    text += 'a';
    model.tokens.push_back(text);
  }
  expect_refused(model.file(), "damaged");
}

TEST(Gguf, AFileCutAnywhereIsRefused) {
  SmallModel model;
  model.tokens = {"ab", "<x>"};
  model.merges = {"a b"};
  const std::string whole = model.file();
  for (std::size_t bytes = 0; bytes < whole.size(); bytes += 97) {
    ASSERT_FALSE(load(whole.substr(0, bytes))) << bytes;
  }
}

}  // namespace
}  // namespace weir::tokenizer::test
