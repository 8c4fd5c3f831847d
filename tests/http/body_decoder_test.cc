#include "weir/http/body_decoder.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace weir::http {
namespace {

using Status = BodyDecoder::Status;

struct Decoded {
  std::string body;
  Status last = Status::kNeedMore;
  std::size_t used = 0;  // of all bytes
};

// Feeds `pieces` one after the other, as a connection would: what was not consumed stays in front.
Decoded decode(const BodyFraming& framing, const std::vector<std::string_view>& pieces) {
  BodyDecoder decoder(framing);
  Decoded decoded;
  std::string buffer;
  for (const std::string_view piece : pieces) {
    buffer += piece;
    for (;;) {
      const auto step = decoder.step(buffer);
      decoded.body += step.payload;
      decoded.last = step.status;
      decoded.used += step.skip + step.payload.size();
      buffer.erase(0, step.skip + step.payload.size());
      if (step.status != Status::kPayload) {
        break;
      }
    }
  }
  return decoded;
}

constexpr BodyFraming kChunked{Framing::kChunked, 0, true};

BodyFraming of_length(std::uint64_t length) {
  return {Framing::kLength, length, true};
}

constexpr std::string_view kChunkedText =
    "4\r\nWiki\r\n"
    "6;name=\"value\"\r\npedia \r\n"
    "00e\r\nin \r\n\r\nchunks.\r\n"
    "0\r\nX-Trailer: a\r\nX-Other:\r\n\r\n";
constexpr std::string_view kChunkedBody = "Wikipedia in \r\n\r\nchunks.";

TEST(BodyDecoder, ChunkedInEverySplit) {
  for (std::size_t at = 0; at <= kChunkedText.size(); ++at) {
    const Decoded decoded = decode(kChunked, {kChunkedText.substr(0, at), kChunkedText.substr(at)});
    EXPECT_EQ(decoded.body, kChunkedBody) << at;
    EXPECT_EQ(decoded.last, Status::kEnd) << at;
    EXPECT_EQ(decoded.used, kChunkedText.size()) << at;
  }
}

TEST(BodyDecoder, ChunkedInSingleBytes) {
  std::vector<std::string_view> bytes;
  for (const char& c : kChunkedText) {
    bytes.emplace_back(&c, 1);
  }
  const Decoded decoded = decode(kChunked, bytes);
  EXPECT_EQ(decoded.body, kChunkedBody);
  EXPECT_EQ(decoded.last, Status::kEnd);
}

TEST(BodyDecoder, NotWholeBeforeItsLastByte) {
  for (std::size_t bytes = 0; bytes < kChunkedText.size(); ++bytes) {
    EXPECT_EQ(decode(kChunked, {kChunkedText.substr(0, bytes)}).last, Status::kNeedMore) << bytes;
  }
}

TEST(BodyDecoder, WhatFollowsTheEndIsLeft) {
  const std::string text = std::string(kChunkedText) + "HTTP/1.1 200";
  EXPECT_EQ(decode(kChunked, {text}).used, kChunkedText.size());
  EXPECT_EQ(decode(of_length(3), {"abcdef"}).used, 3U);
}

TEST(BodyDecoder, BrokenChunkMarks) {
  for (const char* text :
       {"\r\n", "zz\r\n", "-1\r\n", "+1\r\na\r\n", "0x1\r\na\r\n", "1 2\r\na\r\n", "1\r\nab\r\n",
        "11111111111111111\r\n", ";ext\r\n", "1\r\na0\r\n\r\n"}) {
    EXPECT_EQ(decode(kChunked, {text}).last, Status::kBroken) << text;
  }
}

constexpr BodyFraming kStrictlyChunked{Framing::kChunked, 0, true, true};

TEST(BodyDecoder, AStrictReaderTakesWhatTheStandardWrites) {
  const Decoded decoded = decode(kStrictlyChunked, {kChunkedText});
  EXPECT_EQ(decoded.body, kChunkedBody);
  EXPECT_EQ(decoded.last, Status::kEnd);
}

TEST(BodyDecoder, AStrictReaderTakesChunkMarksInOneFormOnly) {
  for (const char* text :
       {"1\na\r\n0\r\n\r\n", "1\r\na\n0\r\n\r\n", "1\r\na\r\n0\n\n", "1\r\na\r\n0\r\n\n",
        " 1\r\na\r\n0\r\n\r\n", "1 \r\na\r\n0\r\n\r\n", "1\r\r\na\r\n0\r\n\r\n",
        "1;\rx\r\na\r\n0\r\n\r\n", "1\r\na \r\n0\r\n\r\n", "1\r\na\r\n0\r\nX: a\n\r\n",
        "1\r\na\r\n0\r\nX: a\rb\r\n\r\n", "1\r\na\r\n0\r\n x: y\r\n\r\n",
        "1\r\na\r\n0\r\nX : y\r\n\r\n", "1\r\na\r\n0\r\nX\r\n\r\n"}) {
    EXPECT_EQ(decode(kStrictlyChunked, {text}).last, Status::kBroken) << text;
    EXPECT_EQ(decode(kChunked, {text}).last, Status::kEnd) << text;  // an upstream may
  }
}

TEST(BodyDecoder, AMarkThatDoesNotEndIsBroken) {
  EXPECT_EQ(decode(kChunked, {"1;" + std::string(5000, 'x')}).last, Status::kBroken);
  EXPECT_EQ(decode(kChunked, {"0\r\n" + std::string(5000, 'x')}).last, Status::kBroken);
}

std::string repeated(std::string_view text, std::size_t times) {
  std::string all;
  for (std::size_t i = 0; i < times; ++i) {
    all += text;
  }
  return all;
}

TEST(BodyDecoder, TrailersHaveALimitOfFields) {
  for (const BodyFraming& framing : {kChunked, kStrictlyChunked}) {
    const std::string most = "0\r\n" + repeated("X: a\r\n", kTrailerFieldsMax);
    EXPECT_EQ(decode(framing, {most + "\r\n"}).last, Status::kEnd);
    EXPECT_EQ(decode(framing, {most + "X: a\r\n"}).last, Status::kBroken);
  }
}

TEST(BodyDecoder, TrailersHaveALimitOfBytes) {
  const std::string line = "X: " + std::string(4091, 'x') + "\r\n";
  static_assert(kTrailerBytesMax % 4096 == 0);
  const std::size_t lines = kTrailerBytesMax / 4096;
  for (const BodyFraming& framing : {kChunked, kStrictlyChunked}) {
    EXPECT_EQ(decode(framing, {"0\r\n", repeated(line, lines - 1), "\r\n"}).last, Status::kEnd);
    EXPECT_EQ(decode(framing, {"0\r\n", repeated(line, lines), "\r\n"}).last, Status::kBroken);
  }
}

TEST(BodyDecoder, ExtensionsHaveALimitInAll) {
  const std::string chunk = "1;" + std::string(1000, 'x') + "\r\na\r\n";
  const std::size_t most = kChunkMarkBytesMax / 1000;
  for (const BodyFraming& framing : {kChunked, kStrictlyChunked}) {
    EXPECT_EQ(decode(framing, {repeated(chunk, most), "0\r\n\r\n"}).last, Status::kEnd);
    EXPECT_EQ(decode(framing, {repeated(chunk, most * 2)}).last, Status::kBroken);
  }
}

// Some clouds sign every chunk in an extension of 85 bytes.
TEST(BodyDecoder, ExtensionsMayBeAsLongAsThePayload) {
  const std::string chunk = "64;" + std::string(100, 'x') + "\r\n" + std::string(100, 'a') + "\r\n";
  const Decoded decoded = decode(kStrictlyChunked, {repeated(chunk, 5000), "0\r\n\r\n"});
  EXPECT_EQ(decoded.last, Status::kEnd);
  EXPECT_EQ(decoded.body.size(), 500000U);
}

TEST(BodyDecoder, SingleBytesInChunksAreNoExcess) {
  const std::string text = repeated("1\r\na\r\n", 200000) + "0\r\n\r\n";
  BodyDecoder decoder(kStrictlyChunked);
  std::string_view rest = text;
  auto step = decoder.step(rest);
  for (; step.status == Status::kPayload; step = decoder.step(rest)) {
    rest.remove_prefix(step.skip + step.payload.size());
  }
  EXPECT_EQ(step.status, Status::kEnd);
}

TEST(BodyDecoder, LengthInEverySplit) {
  constexpr std::string_view kText = "0123456789";
  for (std::size_t at = 0; at <= kText.size(); ++at) {
    const Decoded decoded = decode(of_length(10), {kText.substr(0, at), kText.substr(at)});
    EXPECT_EQ(decoded.body, kText);
    EXPECT_EQ(decoded.last, Status::kEnd);
  }
  EXPECT_EQ(decode(of_length(11), {kText}).last, Status::kNeedMore);
}

TEST(BodyDecoder, NothingToCome) {
  EXPECT_EQ(decode(of_length(0), {""}).last, Status::kEnd);
  EXPECT_EQ(decode({}, {""}).last, Status::kEnd);
}

TEST(BodyDecoder, UntilTheCloseEverythingIsPayload) {
  const BodyFraming framing{Framing::kUntilClose, 0, false};
  const Decoded decoded = decode(framing, {"a", "0\r\n\r\n", "b"});
  EXPECT_EQ(decoded.body, "a0\r\n\r\nb");
  EXPECT_EQ(decoded.last, Status::kNeedMore);
  EXPECT_TRUE(BodyDecoder(framing).close_is_end());
  EXPECT_FALSE(BodyDecoder(kChunked).close_is_end());
  EXPECT_FALSE(BodyDecoder(of_length(1)).close_is_end());
}

}  // namespace
}  // namespace weir::http
