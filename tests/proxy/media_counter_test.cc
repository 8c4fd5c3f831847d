#include "weir/proxy/media_counter.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <string>

#include "../media/media_files.h"
#include "../tokenizer/gguf_writer.h"
#include "weir/proxy/prompt_counter.h"

namespace weir::proxy {
namespace {

namespace fs = std::filesystem;

using openai::MediaPart;
using tokenizer::test::GgufType;
using tokenizer::test::GgufWriter;
using Kind = MediaPart::Kind;

class MediaCounterTest : public testing::Test {
 protected:
  MediaCounterTest() { fs::create_directory(directory_); }
  ~MediaCounterTest() override { fs::remove_all(directory_); }

  std::string write_projector(const std::string& name = "mmproj.gguf") {
    GgufWriter writer;
    writer.key_text("general.architecture", "clip");
    writer.key_text("clip.projector_type", "qwen3vl_merger");
    writer.key("clip.vision.image_size", GgufType::kU32).number<std::uint32_t>(768);
    writer.key("clip.vision.patch_size", GgufType::kU32).number<std::uint32_t>(16);
    std::ofstream(directory_ / name, std::ios::binary) << writer.file();
    return (directory_ / name).string();
  }

  MediaCount count(const MediaCounter& counter, const MediaPart& part,
                   std::string_view vocabulary = "qwen3.5") {
    return counter.count({part}, *builtins_.find(vocabulary), "gpt-4o");
  }
  MediaCounter configured(const std::string& mmproj, const config::Upstream* local = nullptr) {
    config::Tokenizer settings;
    settings.image_tokens = 1000;
    settings.mmproj = mmproj;
    auto counter = MediaCounter::choose(settings, local);
    EXPECT_TRUE(counter);
    return *counter;
  }

  const fs::path directory_ =
      fs::path(testing::TempDir()) /
      (std::string("weir_media_") + testing::UnitTest::GetInstance()->current_test_info()->name());
  const std::string url_ = media::test::url(media::test::png(1024, 1024));
  const MediaPart picture_{Kind::kPicture, url_, ""};
  tokenizer::Builtins builtins_;
};

TEST_F(MediaCounterTest, WithoutAProjectorAPictureIsAnAllowance) {
  const MediaCount counted = count(MediaCounter(1000), picture_);
  EXPECT_EQ(counted.tokens, 1000U);
  EXPECT_NE(counted.why_estimate.find("tokenizer.mmproj"), std::string::npos);
}

TEST_F(MediaCounterTest, TheConfiguredProjectorIsExact) {
  const MediaCount counted = count(configured(write_projector()), picture_);
  EXPECT_EQ(counted.tokens, 1026U);  // with a token before and behind it
  EXPECT_EQ(counted.why_estimate, "");
}

TEST_F(MediaCounterTest, TheConfiguredProjectorStaysWhateverTheModel) {
  const MediaCounter counter = configured(write_projector());
  EXPECT_EQ(count(counter.for_model("gemma-3"), picture_).why_estimate, "");
  EXPECT_EQ(count(counter.for_file("/models/gemma-3.gguf"), picture_).why_estimate, "");
}

TEST_F(MediaCounterTest, TheProjectorOfTheLaunchTableCounts) {
  config::Upstream local;
  local.launch.emplace();
  local.launch->mmproj = write_projector();
  EXPECT_EQ(count(configured("", &local), picture_).why_estimate, "");
  local.launch->mmproj = "/nonexistent/mmproj.gguf";
  EXPECT_EQ(count(configured("", &local), picture_).tokens, 1000U);
}

TEST_F(MediaCounterTest, AConfiguredFileThatIsNoProjectorIsAFault) {
  config::Tokenizer settings;
  settings.mmproj = "/nonexistent/mmproj.gguf";
  const auto counter = MediaCounter::choose(settings, nullptr);
  ASSERT_FALSE(counter);
  EXPECT_TRUE(counter.error().message.starts_with("tokenizer.mmproj: /nonexistent"));
}

TEST_F(MediaCounterTest, AFileBesideTheModelIsAnEstimate) {
  write_projector("MyModel-mmproj-F16.gguf");
  const std::string model = (directory_ / "my-model.gguf").string();
  const MediaCount counted = count(MediaCounter(1000).for_file(model), picture_);
  EXPECT_EQ(counted.tokens, 1026U);
  EXPECT_NE(counted.why_estimate.find("beside"), std::string::npos);
  write_projector("mmproj-other.gguf");  // two of them tell nothing
  EXPECT_EQ(count(MediaCounter(1000).for_file(model), picture_).tokens, 1000U);
}

TEST_F(MediaCounterTest, TheModelsNameIsAnEstimate) {
  const MediaCount counted = count(MediaCounter(1000).for_model("Qwen3.6-35B"), picture_);
  EXPECT_EQ(counted.tokens, 1026U);
  EXPECT_NE(counted.why_estimate, "");
}

TEST_F(MediaCounterTest, APictureWithoutASizeIsAnAllowance) {
  const MediaCounter counter = configured(write_projector());
  for (const char* source : {"https://example.com/a.png", "", "data:image/png;base64,AAAA"}) {
    const MediaCount counted = count(counter, {Kind::kPicture, source, ""});
    EXPECT_EQ(counted.tokens, 1000U) << source;
    EXPECT_NE(counted.why_estimate, "") << source;
  }
}

TEST_F(MediaCounterTest, DataThatLlamaServerDoesNotTakeIsAnEstimate) {
  const std::string spaced = media::test::replaced(url_, "base64,", "base64, ");
  const MediaCount counted = count(configured(write_projector()), {Kind::kPicture, spaced, ""});
  EXPECT_EQ(counted.tokens, 1026U);
  EXPECT_NE(counted.why_estimate, "");
}

TEST_F(MediaCounterTest, OpenAisVocabularyBringsOpenAisRules) {
  const MediaCounter counter(1000);
  EXPECT_EQ(count(counter, picture_, "o200k").tokens, 765U);
  EXPECT_EQ(count(counter, {Kind::kPicture, url_, "low"}, "o200k").tokens, 85U);
  EXPECT_EQ(count(counter, {Kind::kPicture, "https://example.com", "low"}, "o200k").tokens, 85U);
  EXPECT_EQ(count(counter, {Kind::kPicture, "https://example.com", "high"}, "o200k").tokens, 1000U);
}

TEST_F(MediaCounterTest, SoundCountsByItsLength) {
  const std::string wav = media::test::base64(
      "RIFF" + media::test::little(0, 4) + "WAVEfmt " + media::test::little(16, 4) +
      media::test::little(0x10001, 4) + media::test::little(16000, 4) +
      media::test::little(32000, 4) + media::test::little(2, 4) + "data" +
      media::test::little(64000, 4) + std::string(64000, 'x'));
  EXPECT_EQ(count(MediaCounter(1000), {Kind::kSound, wav, ""}).tokens, 50U);
  EXPECT_NE(count(MediaCounter(1000), {Kind::kSound, wav, ""}).why_estimate, "");
  EXPECT_EQ(count(MediaCounter(1000), {Kind::kSound, "AAAA", ""}).tokens, 1000U);
}

TEST_F(MediaCounterTest, AFileOfTextCountsByItsBytes) {
  const std::string file = "data:text/plain;base64," + std::string(4000, 'A');
  EXPECT_NEAR(static_cast<double>(count(MediaCounter(1000), {Kind::kFile, file, ""}).tokens), 750,
              10);
  EXPECT_EQ(count(MediaCounter(1000), {Kind::kFile, "data:application/pdf;base64,AA", ""}).tokens,
            1000U);
  EXPECT_EQ(count(MediaCounter(1000), {Kind::kVideo, "", ""}).tokens, 1000U);
}

TEST_F(MediaCounterTest, ARequestWithAPictureIsExact) {
  const auto counter =
      PromptCounter::choose("qwen3.5", "", configured(write_projector()), builtins_);
  ASSERT_TRUE(counter);
  const auto with = [&](const std::string& parts) {
    const std::string body = R"({"messages":[{"role":"user","content":[)" + parts + "]}]}";
    return counter->count(*openai::ChatRequest::parse(body));
  };
  const std::string text = R"({"type":"text","text":"hi"})";
  const PromptCount counted =
      with(text + R"(,{"type":"image_url","image_url":{"url":")" + url_ + "\"}}");
  EXPECT_FALSE(counted.is_estimate) << counted.why_estimate;
  EXPECT_EQ(counted.tokens, with(text).tokens + 1026);
}

}  // namespace
}  // namespace weir::proxy
