#include "weir/media/picture_size.h"

#include <gtest/gtest.h>

#include <string>

#include "media_files.h"

namespace weir::media {
namespace {

using namespace test;

// "640x480", with "~" behind it when the text is not plain; "none".
std::string size_in(std::string_view source) {
  const auto found = picture_header(source);
  return !found ? "none"
                : std::to_string(found->size.width) + "x" + std::to_string(found->size.height) +
                      (found->is_plain ? "" : "~");
}

std::string size_of(std::string_view bytes) {
  return size_in(url(bytes));
}

TEST(PictureSize, Png) {
  EXPECT_EQ(size_of(png(640, 480)), "640x480");
  const std::string apple = "\x89PNG\r\n\x1A\n" + big(4, 4) + "CgBI" + big(0x50002002, 4) +
                            big(0, 4) + png(3, 5).substr(8);
  EXPECT_EQ(size_of(apple), "3x5");
}

TEST(PictureSize, JpegOfEachKindOfFrame) {
  for (const int sof :
       {0xC0, 0xC1, 0xC2, 0xC3, 0xC5, 0xC6, 0xC7, 0xC9, 0xCA, 0xCB, 0xCD, 0xCE, 0xCF}) {
    EXPECT_EQ(size_of(jpeg(640, 480, sof)), "640x480") << sof;
  }
  for (const int other : {0xC4, 0xC8, 0xCC}) {
    EXPECT_EQ(size_of(jpeg(640, 480, other)), "none") << other;
  }
}

TEST(PictureSize, JpegBehindLongSegmentsAndAThumbnailOfItsOwn) {
  std::string before = jpeg_segment(0xE1, "Exif" + jpeg(160, 120));
  for (int i = 0; i < 40; ++i) {
    before += jpeg_segment(0xE2, std::string(65533, '\xFF'));
  }
  EXPECT_EQ(size_of(jpeg(4000, 3000, 0xC2, before)), "4000x3000");
}

TEST(PictureSize, JpegWithFillBytesAndPadding) {
  EXPECT_EQ(size_of(jpeg(64, 48, 0xC0, std::string("\xFF\xFF\xFF\0\0", 5))), "64x48");
  EXPECT_EQ(size_of(jpeg(64, 48, 0xC0, "\xFF\xD8\xFF\x01")), "64x48");
}

TEST(PictureSize, Gif) {
  EXPECT_EQ(size_of("GIF89a" + little(320, 2) + little(200, 2) + "\x80\x01\x01"), "320x200");
  EXPECT_EQ(size_of("GIF87a" + little(1, 2) + little(2, 2) + "\x80\x01\x01"), "1x2");
}

TEST(PictureSize, Bmp) {
  const std::string file = "BM" + std::string(12, '\0');
  const std::string rest(28, '\0');
  EXPECT_EQ(size_of(file + little(40, 4) + little(640, 4) + little(480, 4) + rest), "640x480");
  EXPECT_EQ(size_of(file + little(124, 4) + little(640, 4) + little(0U - 480, 4) + rest),
            "640x480");
  EXPECT_EQ(size_of(file + little(12, 4) + little(64, 2) + little(48, 2) + rest), "64x48");
}

TEST(PictureSize, WebpOfEachKind) {
  const auto webp = [](const std::string& chunk) {
    return "RIFF" + little(100, 4) + "WEBP" + chunk + std::string(20, '\0');
  };
  EXPECT_EQ(size_of(webp("VP8 " + little(50, 4) + "\x01\x02\x03\x9D\x01\x2A" +
                         little(640 | 0x4000, 2) + little(480 | 0x8000, 2))),
            "640x480");
  EXPECT_EQ(size_of(webp("VP8L" + little(50, 4) + "\x2F" + little(639 | 479 << 14, 4))), "640x480");
  EXPECT_EQ(size_of(webp("VP8X" + little(10, 4) + little(16, 4) + little(639, 3) + little(479, 3))),
            "640x480");
}

TEST(PictureSize, TheNameOfTheTypeDoesNotMatter) {
  EXPECT_EQ(size_in(url(png(2, 3), "image/jpeg;charset=x")), "2x3");
  EXPECT_EQ(size_in(base64(png(2, 3))), "2x3");  // no URL at all: llama-server takes it
}

TEST(PictureSize, SlashesMayBeEscapedAsInJson) {
  std::string before = jpeg_segment(0xE1, std::string(3000, '\xFF'));
  const std::string source = replaced(url(jpeg(64, 48, 0xC0, before)), "/", "\\/");
  ASSERT_NE(source.find("\\/"), std::string::npos);
  EXPECT_EQ(size_in(source), "64x48");
  EXPECT_EQ(size_in(replaced(url(jpeg(64, 48, 0xC0, before)), "/", "\\u002f")), "64x48");
}

TEST(PictureSize, WhatLlamaServerDoesNotTakeIsReadAllTheSame) {
  const std::string text = base64(jpeg(64, 48, 0xC0, jpeg_segment(0xE1, std::string(300, '\xFB'))));
  std::string lines;
  for (std::size_t at = 0; at < text.size(); at += 76) {
    lines += text.substr(at, 76) + "\\r\\n";
  }
  const std::string head = "data:image/jpeg;base64,";
  EXPECT_EQ(size_in(head + lines), "64x48~");
  EXPECT_EQ(size_in(head + replaced(lines, "\\r\\n", " ")), "64x48~");
  EXPECT_EQ(size_in(head + replaced(replaced(text, "/", "%2F"), "+", "%2b")), "64x48~");
  EXPECT_EQ(size_in(head + replaced(replaced(text, "/", "_"), "+", "-")), "64x48~");
}

TEST(PictureSize, PaddingMayBeMissing) {
  EXPECT_EQ(size_in(replaced(url(png(7, 9)), "=", "")), "7x9");
}

TEST(PictureSize, OtherAddressesHaveNoSize) {
  for (const char* source : {"", "https://example.com/a.png", "file:///a.png", "data:image/png,abc",
                             "data:image/png;base64", "data:;base64,", "abc", "\\"}) {
    EXPECT_EQ(size_in(source), "none") << source;
  }
}

TEST(PictureSize, IncredibleSizesAreNone) {
  for (const auto& [width, height] : {std::pair{0U, 5U},
                                      {5U, 0U},
                                      {0xFFFFFFFFU, 1U},
                                      {65536U, 1U},
                                      {65535U, 65535U},
                                      {0x80000000U, 0x80000000U}}) {
    EXPECT_EQ(size_of(png(width, height)), "none") << width << " " << height;
  }
  EXPECT_EQ(size_of(png(65535, 100)), "65535x100");
}

TEST(PictureSize, EveryCutHeaderIsNone) {
  for (const std::string& file : {png(640, 480), jpeg(640, 480).substr(0, 11)}) {
    const std::string text = base64(file.substr(0, 24));
    for (std::size_t length = 0; length < 10; ++length) {
      EXPECT_EQ(size_in("data:image/png;base64," + text.substr(0, length)), "none");
    }
  }
  EXPECT_EQ(size_of(png(640, 480).substr(0, 23)), "none");
  EXPECT_EQ(size_of(png(640, 480).substr(0, 24)), "640x480");
}

TEST(PictureSize, AJpegWithoutAFrameEndsTheSearch) {
  std::string markers;
  for (int i = 0; i < 100000; ++i) {
    markers += "\xFF\xD0";
  }
  EXPECT_EQ(size_of(jpeg(1, 1, 0xC0, markers)), "none");
  EXPECT_EQ(size_of("\xFF\xD8\xFF" + std::string(100000, '\0')), "none");
  EXPECT_EQ(size_of(jpeg(1, 1, 0xC0, jpeg_segment(0xDA, "pixels"))), "none");
}

}  // namespace
}  // namespace weir::media
