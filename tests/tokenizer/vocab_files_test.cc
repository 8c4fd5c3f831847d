// The vocabularies that llama.cpp publishes with what its own tokenizer makes of some texts. They
// are fetched (tests/e2e/fetch_vocabularies.sh) into the folder that WEIR_VOCAB_DIR names.

#include <gtest/gtest.h>

#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "byte_alphabet.h"
#include "gguf_header.h"
#include "test_support.h"
#include "weir/base/text.h"
#include "weir/tokenizer/gguf.h"

namespace weir::tokenizer::test {
namespace {

std::vector<std::string> cut(const std::string& text, std::string_view separator) {
  std::vector<std::string> parts;
  for (std::size_t from = 0; from < text.size();) {
    const std::size_t end = std::min(text.find(separator, from), text.size());
    parts.push_back(text.substr(from, end - from));
    from = end + separator.size();
  }
  return parts;
}

std::vector<std::uint32_t> numbers_of(const std::string& line) {
  std::istringstream in(line);
  return {std::istream_iterator<std::uint32_t>(in), {}};
}

class VocabFile : public testing::TestWithParam<std::string_view> {
 protected:
  static std::string path() {
    const char* folder = std::getenv("WEIR_VOCAB_DIR");
    return folder == nullptr
               ? ""
               : std::string(folder) + "/ggml-vocab-" + std::string(GetParam()) + ".gguf";
  }
  void SetUp() override {
    if (!std::ifstream(path())) {
      GTEST_SKIP() << "not there: " << path();
    }
  }
};

TEST_P(VocabFile, GivesLlamaCppsTokens) {
  const auto loaded = load_gguf_tokenizer(path());
  ASSERT_TRUE(loaded) << loaded.error().message;
  const Tokenizer& tokenizer = *loaded->tokenizer;
  EXPECT_TRUE(tokenizer.is_exact()) << tokenizer.facts().why_estimate;
  const auto texts = cut(read_file(path() + ".inp"), "\n__ggml_vocab_test__\n");
  const auto expected = cut(read_file(path() + ".out"), "\n");
  ASSERT_GT(texts.size(), 30U);
  ASSERT_EQ(texts.size(), expected.size());
  for (std::size_t i = 0; i < texts.size(); ++i) {
    const auto tokens = numbers_of(expected[i]);
    EXPECT_EQ(tokenizer.encode(texts[i], SpecialText::kPlain), tokens) << texts[i];
    EXPECT_EQ(tokenizer.count(texts[i], SpecialText::kPlain), tokens.size()) << texts[i];
  }
}

std::string with_spaces(std::string text) {
  for (std::size_t at = 0; (at = text.find("\u2581", at)) != std::string::npos;) {
    text.replace(at, 3, " ");
  }
  return text;
}

// The text of each token, as the vocabulary's kind writes it.
class Texts {
 public:
  explicit Texts(const std::string& path) {
    std::ifstream file(path, std::ios::binary);
    header_ = *read_gguf_header(file, std::filesystem::file_size(path));
  }
  std::uint32_t size() const { return static_cast<std::uint32_t>(header_.tokens.size()); }
  bool is_lossy() const { return header_.model == "bert"; }
  bool is_normal(std::uint32_t id) const {
    return header_.token_types.empty() || header_.token_types[id] == GgufHeader::kNormal;
  }
  std::string operator[](std::uint32_t id) const {
    std::string text(header_.tokens[id]);
    if (header_.model == "gpt2") {
      return is_normal(id) ? bytes_of_letters(text).value_or(text) : text;
    }
    const bool is_byte = text.size() == 6 && text.starts_with("<0x") && !is_normal(id);
    return is_byte ? std::string(1, static_cast<char>(std::stoi(text.substr(3, 2), nullptr, 16)))
                   : with_spaces(text);
  }
  std::string joined(const std::vector<std::uint32_t>& ids) const {
    std::string text;
    for (const std::uint32_t id : ids) {
      text += (*this)[id];
    }
    return text;
  }
  // What stands before every text, as encoded.
  std::string before() const {
    return header_.model == "llama" && header_.add_space_prefix.value_or(true) ? " " : "";
  }

 private:
  GgufHeader header_;
};

TEST_P(VocabFile, EveryTokenComesBackFromItsText) {
  const Texts texts(path());
  if (texts.is_lossy()) {
    GTEST_SKIP() << "folds its text";
  }
  const auto loaded = load_gguf_tokenizer(path());
  ASSERT_TRUE(loaded) << loaded.error().message;
  std::uint32_t same = 0;
  std::uint32_t normal = 0;
  for (std::uint32_t id = 0; id < texts.size(); ++id) {
    const std::string text = texts[id];
    if (!texts.is_normal(id) || base::find_invalid_utf8(text) != std::string::npos) {
      continue;
    }
    // The space that is put before every text may be the token's own.
    const bool has_space = !texts.before().empty() && text.starts_with(texts.before());
    const std::string given = text.substr(has_space ? texts.before().size() : 0);
    const auto ids = loaded->tokenizer->encode(given, SpecialText::kPlain);
    ASSERT_EQ(texts.joined(ids), given.empty() ? "" : texts.before() + given) << id;
    ASSERT_EQ(loaded->tokenizer->count(given, SpecialText::kPlain), ids.size()) << id;
    ++normal;
    same += ids.size() == 1 && ids[0] == id ? 1 : 0;
  }
  // Some are never alone: others have spaces inside, or no merge leads to them.
  EXPECT_GT(same, texts.before().empty() ? normal * 8 / 10 : normal / 4);
}

TEST_P(VocabFile, EveryPrefixOfANastyTextComesBack) {
  const Texts texts(path());
  const auto loaded = load_gguf_tokenizer(path());
  ASSERT_TRUE(loaded) << loaded.error().message;
  const std::string nasty =
      "I'll  don't\n\n \tx\r\n  1234567 ...!!! \u00E9e\u0301 \u4F60\u597D\uFF0C\u4E16\u754C "
      "\U0001F468\u200D\U0001F469 \u0E20\u0E32\u0E29\u0E32 a\u3000b \u2028 \uFEFF\u0130 aaaaaaaa   "
      "bbbb\x01\x7F -=-=-= https://x.y/z?q=1&r=%20";
  for (std::size_t bytes = 1; bytes <= nasty.size(); ++bytes) {
    const std::string text = nasty.substr(0, bytes);
    const auto ids = loaded->tokenizer->encode(text, SpecialText::kPlain);
    ASSERT_EQ(loaded->tokenizer->count(text, SpecialText::kPlain), ids.size()) << text;
    if (!texts.is_lossy() && base::find_invalid_utf8(text) == std::string::npos) {
      ASSERT_EQ(texts.joined(ids), texts.before() + text);
    }
  }
}

// The built-in one gives the tokens of the model's own file.
TEST(VocabFiles, Gemma4IsBuiltIn) {
  const char* folder = std::getenv("WEIR_VOCAB_DIR");
  const std::string path =
      folder == nullptr ? "" : std::string(folder) + "/ggml-vocab-gemma-4.gguf";
  if (!std::ifstream(path)) {
    GTEST_SKIP() << "not there: " << path;
  }
  const Texts texts(path);
  const auto loaded = load_gguf_tokenizer(path);
  ASSERT_TRUE(loaded) << loaded.error().message;
  EXPECT_EQ(builtin("gemma4").facts().added_tokens, loaded->tokenizer->facts().added_tokens);
  std::string all;
  for (std::uint32_t id = 0; id < texts.size(); ++id) {
    const std::string text = texts[id];
    ASSERT_EQ(builtin("gemma4").encode(text, SpecialText::kParse),
              loaded->tokenizer->encode(text, SpecialText::kParse))
        << id;
    all += text + (id % 3 == 0 ? " " : "");
  }
  EXPECT_EQ(builtin("gemma4").encode(all, SpecialText::kParse),
            loaded->tokenizer->encode(all, SpecialText::kParse));
}

INSTANTIATE_TEST_SUITE_P(All, VocabFile,
                         testing::Values("bert-bge", "command-r", "deepseek-coder", "deepseek-llm",
                                         "falcon", "gemma-4", "gpt-2", "llama-bpe", "llama-spm",
                                         "mpt", "phi-3", "qwen2", "qwen35", "refact", "starcoder"),
                         [](const auto& test) {
                           std::string name(test.param);
                           std::replace(name.begin(), name.end(), '-', '_');
                           return name;
                         });

}  // namespace
}  // namespace weir::tokenizer::test
