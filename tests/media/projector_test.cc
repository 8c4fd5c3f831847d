#include "weir/media/projector.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <map>
#include <string>

#include "../tokenizer/gguf_writer.h"

namespace weir::media {
namespace {

using tokenizer::test::GgufType;
using tokenizer::test::GgufWriter;
using Keys = std::map<std::string, std::uint32_t>;

class ProjectorTest : public testing::Test {
 protected:
  ~ProjectorTest() override { std::filesystem::remove(path_); }

  base::Result<Projector> load_bytes(const std::string& bytes, const TokenLimits& limits = {}) {
    std::ofstream(path_, std::ios::binary) << bytes;
    return Projector::load(path_, limits);
  }

  // `keys` stand below "clip.vision.".
  static GgufWriter file(std::string_view kind, const Keys& keys) {
    GgufWriter writer;
    writer.key_text("general.architecture", "clip").key_text("clip.projector_type", kind);
    for (const auto& [key, value] : keys) {
      writer.key("clip.vision." + key, GgufType::kU32).number(value);
    }
    return writer;
  }
  Projector load(std::string_view kind, const Keys& keys, const TokenLimits& limits = {}) {
    auto projector = load_bytes(file(kind, keys).file(), limits);
    EXPECT_TRUE(projector);
    return *projector;
  }

  const std::string path_ = testing::TempDir() + "weir_projector_" +
                            testing::UnitTest::GetInstance()->current_test_info()->name() + ".gguf";
};

std::int64_t tokens(const Projector& projector, std::uint32_t width, std::uint32_t height) {
  const auto cost = projector.picture_cost({width, height});
  return cost ? static_cast<std::int64_t>(cost->tokens) : -1;
}

const Keys kQwen3 = {{"image_size", 768}, {"patch_size", 16}, {"spatial_merge_size", 2}};

// The numbers of a real llama-server 0.7.0, without the texts around the picture.
struct Counted {
  const char* kind;
  Keys keys;
  PictureSize size;
  std::int64_t tokens;
};

const Counted kCounted[] = {
    {"qwen3vl_merger", kQwen3, {1, 1}, 9},
    {"qwen3vl_merger", kQwen3, {100, 50}, 8},
    {"qwen3vl_merger", kQwen3, {1920, 1080}, 2040},
    {"qwen3vl_merger", kQwen3, {4000, 3000}, 4015},
    {"qwen3vl_merger", kQwen3, {30, 3000}, 94},
    {"qwen2vl_merger", {{"image_size", 560}, {"patch_size", 14}}, {640, 480}, 391},
    {"gemma3", {{"image_size", 896}, {"patch_size", 14}}, {640, 480}, 256},
    {"mlp", {{"image_size", 336}, {"patch_size", 14}}, {640, 480}, 576},
    {"phi4",
     {{"image_size", 448},
      {"patch_size", 14},
      {"image_min_pixels", 3136},
      {"image_max_pixels", 1003520}},
     {640, 480},
     1564},
};

TEST_F(ProjectorTest, CountsAsLlamaServer) {
  for (const Counted& counted : kCounted) {
    EXPECT_EQ(tokens(load(counted.kind, counted.keys), counted.size.width, counted.size.height),
              counted.tokens)
        << counted.kind << " " << counted.size.width << "x" << counted.size.height;
  }
}

TEST_F(ProjectorTest, AProvedRuleIsExact) {
  EXPECT_EQ(load("qwen3vl_merger", kQwen3).why_estimate(), "");
  const auto cost = load("qwen3vl_merger", kQwen3).picture_cost({32, 32});
  ASSERT_TRUE(cost);
  EXPECT_EQ(cost->texts, (std::vector<std::string>{"<|vision_start|>", "<|vision_end|>"}));
}

TEST_F(ProjectorTest, AnUnprovedRuleIsAnEstimate) {
  const Projector projector = load("dots_ocr", {{"image_size", 768},
                                                {"patch_size", 14},
                                                {"projector.scale_factor", 2},
                                                {"image_min_pixels", 3136},
                                                {"image_max_pixels", 1003520}});
  EXPECT_GT(tokens(projector, 640, 480), 0);
  EXPECT_NE(projector.why_estimate().find("dots_ocr"), std::string::npos);
}

TEST_F(ProjectorTest, ARuleThatDependsOnTheServersBatchIsExactWithTheLimitOnly) {
  const Keys keys = {{"image_size", 768}, {"patch_size", 16}};
  EXPECT_NE(load("gemma4v", keys).why_estimate(), "");
  const Projector limited = load("gemma4v", keys, {0, 512});
  EXPECT_EQ(limited.why_estimate(), "");
  EXPECT_EQ(tokens(limited, 1920, 1080), 480);
}

TEST_F(ProjectorTest, AnUnknownKindHasNoRule) {
  const Projector projector = load("tomorrow", kQwen3);
  EXPECT_EQ(tokens(projector, 640, 480), -1);
  EXPECT_NE(projector.why_estimate().find("tomorrow"), std::string::npos);
}

TEST_F(ProjectorTest, LimitsOfTheServersCommandLineCount) {
  EXPECT_GE(tokens(load("qwen3vl_merger", kQwen3, {1024, 0}), 32, 32), 1024);
  EXPECT_LE(tokens(load("qwen3vl_merger", kQwen3, {0, 100}), 4000, 4000), 100);
}

TEST_F(ProjectorTest, SettingsThatCannotBeHaveNoRule) {
  for (const Keys& keys :
       {Keys{}, Keys{{"image_size", 768}}, Keys{{"patch_size", 16}},
        Keys{{"image_size", 768}, {"patch_size", 0}}, Keys{{"image_size", 8}, {"patch_size", 16}},
        Keys{{"image_size", 0xFFFFFFFF}, {"patch_size", 0xFFFFFFFF}},
        Keys{{"image_size", 65536}, {"patch_size", 65536}},
        Keys{{"image_size", 768}, {"patch_size", 16}, {"spatial_merge_size", 0}},
        Keys{{"image_size", 768}, {"patch_size", 16}, {"spatial_merge_size", 3}}}) {
    EXPECT_EQ(tokens(load("qwen3vl_merger", keys), 640, 480), -1);
  }
  EXPECT_EQ(tokens(load("internvl", {{"image_size", 448},
                                     {"patch_size", 14},
                                     {"preproc_min_tiles", 3},
                                     {"preproc_max_tiles", 2}}),
                   640, 480),
            -1);
}

TEST_F(ProjectorTest, PinpointsOfTheFileAreCandidates) {
  GgufWriter writer = file("mlp", {{"image_size", 336}, {"patch_size", 14}});
  writer.key_types("clip.vision.image_grid_pinpoints", {336, 672, 672, 336, 672, 672});
  const auto projector = load_bytes(writer.file());
  ASSERT_TRUE(projector);
  EXPECT_EQ(tokens(*projector, 300, 300), 576);
  EXPECT_EQ(tokens(*projector, 1000, 1000), 5 * 576);
  EXPECT_EQ(tokens(*projector, 1000, 500), 3 * 576);
}

TEST_F(ProjectorTest, EveryKindBearsEverySize) {
  const char* kinds[] = {"qwen3vl_merger", "gemma3",        "gemma3nv", "gemma4v",    "gemma4uv",
                         "idefics3",       "pixtral",       "internvl", "lightonocr", "llama4",
                         "lfm2",           "kimivl",        "kimik25",  "glm4v",      "paddleocr",
                         "hunyuanvl",      "resampler",     "mlp",      "ldp",        "adapter",
                         "cogvlm",         "nemotron_v2_vl"};
  for (const char* kind : kinds) {
    const Projector projector = load(kind, {{"image_size", 448},
                                            {"patch_size", 14},
                                            {"preproc_image_size", 1792},
                                            {"image_min_pixels", 3136},
                                            {"image_max_pixels", 1003520}});
    for (const std::uint32_t width : {1U, 13U, 448U, 449U, 4096U, 65535U}) {
      for (const std::uint32_t height : {1U, 27U, 448U, 10000U}) {
        const std::int64_t count = tokens(projector, width, height);
        EXPECT_GE(count, std::string_view(kind) == "idefics3" ? -1 : 0)  // a side may become 0
            << kind << " " << width << "x" << height;
        EXPECT_LT(count, 1 << 20) << kind << " " << width << "x" << height;
      }
    }
    EXPECT_EQ(tokens(projector, 0, 5), -1);
  }
}

TEST_F(ProjectorTest, AFileThatIsNoProjectorIsRefused) {
  EXPECT_FALSE(load_bytes("no GGUF at all"));
  EXPECT_FALSE(load_bytes(GgufWriter().key_text("general.architecture", "qwen3").file()));
  const std::string whole = file("qwen3vl_merger", kQwen3).file();
  for (std::size_t length = 0; length < whole.size(); ++length) {
    const auto cut = load_bytes(whole.substr(0, length));
    ASSERT_FALSE(cut) << length;
    EXPECT_TRUE(cut.error().message.starts_with(path_));
  }
  const auto missing = Projector::load("/nonexistent/mmproj.gguf", {});
  ASSERT_FALSE(missing);
  EXPECT_EQ(missing.error().code, base::ErrorCode::kBadConfig);
}

TEST_F(ProjectorTest, AModelsNameTellsItsFamily) {
  const auto qwen = Projector::of_model("Qwen3.6-35B-A3B-Q4_K_M.gguf", {});
  ASSERT_TRUE(qwen);
  EXPECT_EQ(tokens(*qwen, 1024, 1024), 1024);
  EXPECT_NE(qwen->why_estimate(), "");
  EXPECT_EQ(tokens(*Projector::of_model("qwen2.5-vl-7b", {}), 640, 480), 391);
  EXPECT_EQ(tokens(*Projector::of_model("gemma-3-4b-it", {}), 640, 480), 256);
  EXPECT_FALSE(Projector::of_model("my-model", {}));
}

TEST_F(ProjectorTest, SoundGoesByItsOwnProjector) {
  GgufWriter writer = file("", kQwen3);
  writer.key_text("clip.audio.projector_type", "qwen2a");
  const auto whisper = load_bytes(writer.file());
  ASSERT_TRUE(whisper);
  EXPECT_EQ(whisper->sound_tokens(1), 752U);  // chunks of 30 s
  EXPECT_EQ(whisper->sound_tokens(31), 1502U);
  const auto ultravox = load_bytes(file("ultravox", {})
                                       .key("clip.audio.projector.stack_factor", GgufType::kU32)
                                       .number<std::uint32_t>(8)
                                       .file());
  ASSERT_TRUE(ultravox);
  EXPECT_EQ(ultravox->sound_tokens(1), 189U);
  EXPECT_EQ(load("qwen3a", {}).sound_tokens(0.5), 15U);
  EXPECT_EQ(load("qwen3a", {}).sound_tokens(95), 1250U);
  EXPECT_EQ(load("gemma4a", {}).sound_tokens(2), 52U);
  EXPECT_EQ(load("tomorrow", {}).sound_tokens(2), 50U);
}

}  // namespace
}  // namespace weir::media
