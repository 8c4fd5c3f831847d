#include "weir/media/openai_pictures.h"

#include <gtest/gtest.h>

namespace weir::media {
namespace {

std::uint64_t tokens(std::string_view model, PictureSize size, std::string_view detail = "high") {
  return openai_picture_tokens(model, size, detail_named(detail));
}

// The examples of OpenAI's guide.
TEST(OpenAiPictures, ByTiles) {
  EXPECT_EQ(tokens("gpt-4o", {1024, 1024}), 765U);
  EXPECT_EQ(tokens("gpt-4o", {2048, 4096}), 1105U);
  EXPECT_EQ(tokens("gpt-4o", {4096, 8192}, "low"), 85U);
  EXPECT_EQ(tokens("gpt-4o", {512, 512}), 255U);
  EXPECT_EQ(tokens("gpt-4o-mini-2024-07-18", {1024, 1024}), 2833U + 4 * 5667U);
  EXPECT_EQ(tokens("openai/gpt-5", {1024, 1024}), 70U + 4 * 140U);
}

TEST(OpenAiPictures, ByPatches) {
  EXPECT_EQ(tokens("gpt-4.1-mini", {1024, 1024}), 1659U);      // 1024 * 1.62
  EXPECT_EQ(tokens("gpt-4.1-mini", {1800, 2400}), 2353U);      // 1452 * 1.62
  EXPECT_EQ(tokens("gpt-5-mini", {2048, 768}, "low"), 1844U);  // as billed
  EXPECT_LE(tokens("o4-mini", {65535, 1}), 2642U);
}

TEST(OpenAiPictures, AnUnknownNameCountsAsGpt4o) {
  EXPECT_EQ(tokens("long_context", {1024, 1024}, "auto"), 765U);
}

TEST(OpenAiPictures, LowDetailNeedsNoSizeWhereItHasABase) {
  EXPECT_EQ(openai_low_tokens("gpt-4o"), 85U);
  EXPECT_FALSE(openai_low_tokens("o4-mini"));
}

}  // namespace
}  // namespace weir::media
