#include "weir/tokenizer/gguf_values.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "gguf_writer.h"

namespace weir::tokenizer {
namespace {

using test::GgufType;
using test::GgufWriter;

class GgufValuesTest : public testing::Test {
 protected:
  ~GgufValuesTest() override { std::filesystem::remove(path_); }
  base::Result<GgufValues> read(const std::string& bytes) {
    std::ofstream(path_, std::ios::binary) << bytes;
    return read_gguf_values(path_, "clip.");
  }
  const std::string path_ = testing::TempDir() + "weir_values_" +
                            testing::UnitTest::GetInstance()->current_test_info()->name() + ".gguf";
};

TEST_F(GgufValuesTest, KeysOfTheFamilyAreKept) {
  GgufWriter writer;
  writer.key_text("general.architecture", "clip").key_text("general.name", "x");
  writer.key("clip.a", GgufType::kU32).number<std::uint32_t>(7);
  writer.key("clip.b", GgufType::kI32).number<std::int32_t>(-7);
  writer.key("clip.c", GgufType::kBool).number<std::uint8_t>(1);
  writer.key_types("clip.list", {1, -2});
  writer.key_texts("clip.texts", {"left", "out"});
  writer.key("other.a", GgufType::kU32).number<std::uint32_t>(9);
  writer.key_text("clip.kind", "qwen");
  const auto values = read(writer.file());
  ASSERT_TRUE(values);
  EXPECT_EQ(values->number("clip.a"), 7);
  EXPECT_EQ(values->number("clip.b"), -7);
  EXPECT_EQ(values->number("clip.c"), 1);
  EXPECT_EQ(values->numbers.at("clip.list"), (std::vector<std::int64_t>{1, -2}));
  EXPECT_FALSE(values->number("clip.list"));
  EXPECT_FALSE(values->number("other.a"));
  EXPECT_EQ(values->text("clip.kind"), "qwen");
  EXPECT_EQ(values->text("general.architecture"), "clip");
  EXPECT_EQ(values->text("general.name"), "");
}

TEST_F(GgufValuesTest, LongListsAreLeftOut) {
  const auto values =
      read(GgufWriter().key_types("clip.list", std::vector<std::int32_t>(1000, 3)).file());
  ASSERT_TRUE(values);
  EXPECT_TRUE(values->numbers.empty());
}

TEST_F(GgufValuesTest, HostileLengthsAreErrors) {
  EXPECT_FALSE(read(GgufWriter().array("clip.a", GgufType::kU32, std::uint64_t{1} << 62).file()));
  EXPECT_FALSE(read(GgufWriter().array("a", GgufType::kString, std::uint64_t{1} << 62).file()));
  EXPECT_FALSE(read(GgufWriter().key("clip.a", GgufType{99}).file()));
  EXPECT_FALSE(read(GgufWriter()
                        .key("clip.a", GgufType::kString)
                        .number<std::uint64_t>(~std::uint64_t{0})
                        .file()));
  GgufWriter many;
  for (std::uint32_t i = 0; i < 2000; ++i) {
    many.key("clip." + std::to_string(i), GgufType::kU32).number(i);
  }
  EXPECT_FALSE(read(many.file()));
}

}  // namespace
}  // namespace weir::tokenizer
