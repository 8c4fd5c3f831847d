// Tables that are kept: they come back as they were, and no damage gets through.

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <map>

#include "byte_alphabet.h"
#include "gguf_writer.h"
#include "table_archive.h"
#include "table_file.h"
#include "test_support.h"
#include "weir/tokenizer/gguf.h"

namespace weir::tokenizer::test {
namespace {

class MemoryStore : public TableStore {
 public:
  std::optional<std::string> read(const std::string& name) override {
    const auto found = files.find(name);
    return found == files.end() ? std::nullopt : std::optional(found->second);
  }
  void write(const std::string& name, std::string_view bytes) override {
    ++writes;
    files[name] = bytes;
  }
  std::string& only_file() { return files.begin()->second; }

  std::map<std::string, std::string> files;
  int writes = 0;
};

// "bytes": merges of bytes with a whole piece and special tokens. "characters": as Gemma 4.
std::string model_file(std::string_view kind) {
  GgufWriter writer;
  std::vector<std::string> tokens;
  std::vector<std::string> merges;
  if (kind == "bytes") {
    for (int byte = 0; byte < 256; ++byte) {
      tokens.push_back(byte_letter(static_cast<std::uint8_t>(byte)));
    }
    tokens.insert(tokens.end(), {"he", "ll", "hell", "hello", "\u0120w", "whole", "or", "orl"});
    merges = {"h e", "l l", "he ll", "hell o", "\u0120 w", "o r", "or l"};
    writer.key_text("tokenizer.ggml.model", "gpt2").key_text("tokenizer.ggml.pre", "llama-bpe");
  } else {
    tokens = {"h",  "e",  "l",  "o",    "w",     "r",       "\u2581",
              "\n", "he", "ll", "hell", "hello", "\u2581w", "or"};
    for (const char* byte : {"<0x00>", "<0xE4>", "<0x64>"}) {
      tokens.emplace_back(byte);
    }
    merges = {"h e", "l l", "he ll", "hell o", "\u2581 w", "o r"};
    writer.key_text("tokenizer.ggml.model", "gemma4");
  }
  tokens.insert(tokens.end(), {"<|end|>", "<think>"});
  std::vector<std::int32_t> types(tokens.size(), 1);
  types[types.size() - 2] = 3;
  types[types.size() - 1] = 4;
  writer.key_text("general.name", "small").key_text("tokenizer.chat_template", "{{ messages }}");
  writer.key_texts("tokenizer.ggml.tokens", tokens).key_texts("tokenizer.ggml.merges", merges);
  return writer.key_types("tokenizer.ggml.token_type", types).file();
}

class GgufTables : public testing::TestWithParam<std::string_view> {
 protected:
  GgufTables() {
    std::string name = testing::UnitTest::GetInstance()->current_test_info()->name();
    std::replace(name.begin(), name.end(), '/', '_');
    path_ =
        std::filesystem::path(testing::TempDir()) / (name + std::to_string(::getpid()) + ".gguf");
    write_model(model_file(GetParam()));
  }
  ~GgufTables() override { std::filesystem::remove(path_); }

  void write_model(const std::string& bytes) { std::ofstream(path_, std::ios::binary) << bytes; }
  GgufTokenizer load() {
    auto loaded = load_gguf_tokenizer(path_.string(), &store_);
    EXPECT_TRUE(loaded) << loaded.error().message;
    return std::move(*loaded);
  }
  // Everything that counting may reach.
  static std::vector<std::uint32_t> use(const Tokenizer& tokenizer) {
    std::vector<std::uint32_t> all;
    Random random(3);
    for (int round = 0; round < 30; ++round) {
      std::string text = "hello world whole <think>hell\n\n\u4F60\u597D \u2581w\xFF<|end|>";
      for (std::size_t n = random.below(60); n > 0; --n) {
        text += std::string(
            "helowr d\n\xE4\xBD\xA0"
            "1'<")[random.below(14)];
      }
      for (const auto special : {SpecialText::kParse, SpecialText::kPlain}) {
        const auto ids = tokenizer.encode(text, special);
        all.insert(all.end(), ids.begin(), ids.end());
        all.push_back(static_cast<std::uint32_t>(tokenizer.count(text, special)));
      }
    }
    return all;
  }
  // The kept tables, to be changed; sealed again with a checksum that is right.
  std::string tables() { return std::string(open_tables(store_.only_file())->tables); }
  void reseal(const std::string& tables) {
    const GgufKey key = open_tables(store_.only_file())->key;
    store_.only_file() = seal_tables(key, tables);
  }

  std::filesystem::path path_;
  MemoryStore store_;
};

TEST_P(GgufTables, ComeBackAsTheyWere) {
  const GgufTokenizer built = load();
  ASSERT_EQ(store_.files.size(), 1U);
  const GgufTokenizer kept = load();
  EXPECT_EQ(store_.writes, 1);
  EXPECT_EQ(use(*kept.tokenizer), use(*built.tokenizer));
  EXPECT_EQ(kept.tokenizer->name(), built.tokenizer->name());
  EXPECT_EQ(kept.tokenizer->facts().why_estimate, built.tokenizer->facts().why_estimate);
  EXPECT_EQ(kept.tokenizer->facts().added_tokens, built.tokenizer->facts().added_tokens);
  EXPECT_EQ(kept.model_name, "small");
  EXPECT_EQ(kept.chat_template, "{{ messages }}");
  EXPECT_EQ(kept.bos, built.bos);
  EXPECT_EQ(kept.adds_bos, built.adds_bos);
}

TEST_P(GgufTables, AreBuiltAgainForAnotherFile) {
  load();
  const auto changed_at = std::filesystem::last_write_time(path_);
  std::string bytes = model_file(GetParam());
  bytes[bytes.find("small")] = 'S';
  write_model(bytes);
  std::filesystem::last_write_time(path_, changed_at);  // as large and as old as before
  EXPECT_EQ(load().model_name, "Small");
  EXPECT_EQ(store_.writes, 2);
  std::filesystem::last_write_time(path_, changed_at + std::chrono::seconds(1));
  load();
  EXPECT_EQ(store_.writes, 3);
}

TEST_P(GgufTables, AreBuiltAgainWhenDamaged) {
  const auto expected = use(*load().tokenizer);
  const std::string good = store_.only_file();
  for (const std::size_t at : {std::size_t{0}, std::size_t{9}, good.size() / 2, good.size() - 1}) {
    store_.only_file() = good;
    store_.only_file()[at] ^= 1;
    EXPECT_EQ(use(*load().tokenizer), expected);
    EXPECT_EQ(store_.only_file(), good);
  }
  for (const std::size_t bytes : {std::size_t{0}, std::size_t{20}, good.size() - 1}) {
    store_.only_file() = good.substr(0, bytes);
    EXPECT_EQ(use(*load().tokenizer), expected);
    EXPECT_EQ(store_.only_file(), good);
  }
  EXPECT_EQ(store_.writes, 8);
}

TEST_P(GgufTables, NoFlippedByteGetsThrough) {
  load();
  std::string file = store_.only_file();
  ASSERT_TRUE(open_tables(file));
  for (std::size_t at = 0; at < file.size(); at += at < 400 || at + 400 > file.size() ? 1 : 4099) {
    for (const int bit : {0, 7}) {
      file[at] = static_cast<char>(file[at] ^ 1 << bit);
      EXPECT_FALSE(open_tables(file)) << at;
      file[at] = static_cast<char>(file[at] ^ 1 << bit);
    }
  }
}

// The checksum is right and the numbers are not: built again, or used without harm.
TEST_P(GgufTables, NonsenseUnderARightChecksumDoesNoHarm) {
  load();
  const std::string good = tables();
  const auto try_with = [&](const std::string& bad) {
    reseal(bad);
    use(*load().tokenizer);
  };
  Random random(11);
  for (int round = 0; round < 400; ++round) {
    std::string bad = good;
    for (std::size_t changes = 1 + random.below(4); changes > 0; --changes) {
      // What is not the two large tables of entries is at the ends.
      const std::size_t near = 1 + random.below(std::min<std::size_t>(bad.size() - 8, 20000));
      const std::size_t at = random.below(3) == 0   ? random.below(bad.size() - 8)
                             : random.below(2) == 0 ? near
                                                    : bad.size() - 8 - near;
      const std::uint64_t values[] = {0, UINT64_MAX, random.below(1U << 30), random.below(300)};
      std::memcpy(bad.data() + at, &values[random.below(4)], 1 + random.below(8));
    }
    try_with(bad);
  }
  const int built_again = store_.writes - 1;
  EXPECT_GT(built_again, 20);
  EXPECT_LT(built_again, 380);  // the others were used
  for (const std::size_t bytes :
       {std::size_t{0}, std::size_t{8}, good.size() / 3, good.size() - 1}) {
    try_with(good.substr(0, bytes));
  }
  try_with(good + '\0');
}

INSTANTIATE_TEST_SUITE_P(Kinds, GgufTables, testing::Values("bytes", "characters"),
                         [](const auto& test) { return std::string(test.param); });

TEST(BlockHash, PartsAreTheWhole) {
  std::string text;
  for (int i = 0; i < 1000; ++i) {
    text += static_cast<char>(i * 7);
  }
  BlockHash parts;
  parts.add(std::string_view(text).substr(0, 320));
  parts.add(std::string_view(text).substr(320));
  EXPECT_EQ(parts.sum(), BlockHash::of(text));
  EXPECT_NE(BlockHash::of(text), BlockHash::of(text + '\0'));
}

TEST(TableReader, ALengthAboveTheRestIsAnError) {
  TableWriter writer;
  writer(std::uint64_t{1} << 60);
  TableReader reader(writer.bytes());
  std::vector<std::uint32_t> numbers;
  reader(numbers);
  EXPECT_FALSE(reader.ok());
  EXPECT_TRUE(numbers.empty());
}

}  // namespace
}  // namespace weir::tokenizer::test
