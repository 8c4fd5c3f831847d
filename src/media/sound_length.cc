#include "weir/media/sound_length.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>

#include "base64_source.h"
#include "byte_fields.h"
#include "data_url.h"

namespace weir::media {
namespace {

constexpr int kWavChunksMax = 64;
constexpr std::size_t kFrameSearchBytesMax = 4096;  // from the end of the tags to the first frame

// Writers to a pipe leave the length of the data open; then what there is counts.
std::optional<double> wav_seconds(Base64Source& source) {
  std::size_t at = 12;
  std::uint32_t bytes_a_second = 0;
  for (int i = 0; i < kWavChunksMax; ++i) {
    const auto head = bytes_at<8>(source, at);
    if (!head) {
      return std::nullopt;
    }
    const std::size_t bytes = little(Bytes(*head).last(4));
    if (has(*head, 0, "fmt ")) {
      const auto format = bytes_at<12>(source, at + 8);
      bytes_a_second = format ? little(Bytes(*format).last(4)) : 0;
    } else if (has(*head, 0, "data")) {
      const std::size_t left = source.size() > at + 8 ? source.size() - at - 8 : 0;
      return bytes_a_second == 0
                 ? std::nullopt
                 : std::optional(static_cast<double>(std::min(bytes, left)) / bytes_a_second);
    }
    at += 8 + bytes + bytes % 2;
  }
  return std::nullopt;
}

std::optional<double> flac_seconds(Base64Source& source) {
  const auto info = bytes_at<8>(source, 4 + 4 + 10);
  if (!info) {
    return std::nullopt;
  }
  const std::uint32_t rate = big(Bytes(*info).first(3)) >> 4;
  const double samples = ((*info)[3] & 0x0F) * 4294967296.0 + big(Bytes(*info).last(4));
  return rate == 0 || samples == 0 ? std::nullopt : std::optional(samples / rate);
}

// What the head of an MP3 frame says.
struct Frame {
  double rate = 0;  // samples a second
  double bits_a_second = 0;
  double samples = 0;
  std::size_t side_bytes = 0;  // from the end of the head to where a Xing header may be
};

// Layer III only.
std::optional<Frame> frame_of(Bytes head) {
  static constexpr std::array<std::uint16_t, 16> kKbit1 = {0,   32,  40,  48,  56,  64,  80,  96,
                                                           112, 128, 160, 192, 224, 256, 320, 0};
  static constexpr std::array<std::uint16_t, 16> kKbit2 = {0,  8,  16, 24,  32,  40,  48,  56,
                                                           64, 80, 96, 112, 128, 144, 160, 0};
  static constexpr std::array<std::uint16_t, 4> kRates = {44100, 48000, 32000, 0};
  const unsigned version = head[1] >> 3 & 3;  // 3: MPEG 1, 2: MPEG 2, 0: MPEG 2.5
  const bool is_layer3 = (head[1] >> 1 & 3) == 1;
  if (head[0] != 0xFF || (head[1] & 0xE0) != 0xE0 || version == 1 || !is_layer3) {
    return std::nullopt;
  }
  const bool is_first = version == 3;
  const unsigned divisor = is_first ? 1 : version == 2 ? 2 : 4;
  const bool is_mono = head[3] >> 6 == 3;
  Frame frame;
  frame.rate = kRates[head[2] >> 2 & 3] / static_cast<double>(divisor);
  frame.bits_a_second = 1000.0 * (is_first ? kKbit1 : kKbit2)[head[2] >> 4];
  frame.samples = is_first ? 1152 : 576;
  frame.side_bytes = is_first ? (is_mono ? 17 : 32) : (is_mono ? 9 : 17);
  return frame.rate == 0 || frame.bits_a_second == 0 ? std::nullopt : std::optional(frame);
}

std::optional<double> frame_seconds(Base64Source& source, std::size_t at, const Frame& frame) {
  const auto xing = bytes_at<12>(source, at + 4 + frame.side_bytes);
  const bool counts_frames =
      xing && (has(*xing, 0, "Xing") || has(*xing, 0, "Info")) && ((*xing)[7] & 1) != 0;
  if (counts_frames) {
    return big(Bytes(*xing).last(4)) * frame.samples / frame.rate;
  }
  return 8.0 * static_cast<double>(source.size() - at) / frame.bits_a_second;
}

std::optional<double> mp3_seconds(Base64Source& source) {
  std::size_t at = 0;
  if (const auto tag = bytes_at<10>(source, 0); tag && has(*tag, 0, "ID3")) {
    for (const std::uint8_t byte : Bytes(*tag).last(4)) {
      at = at << 7 | (byte & 0x7F);
    }
    at += 10;
  }
  for (const std::size_t end = at + kFrameSearchBytesMax; at < end && at < source.size(); ++at) {
    const auto head = bytes_at<4>(source, at);
    if (!head) {
      return std::nullopt;
    }
    if (const auto frame = frame_of(*head)) {
      return frame_seconds(source, at, *frame);
    }
  }
  return std::nullopt;
}

std::optional<double> seconds_of(Base64Source& source) {
  const auto start = bytes_at<12>(source, 0);
  if (!start) {
    return std::nullopt;
  }
  if (has(*start, 0, "RIFF") && has(*start, 8, "WAVE")) {
    return wav_seconds(source);
  }
  return has(*start, 0, "fLaC") ? flac_seconds(source) : mp3_seconds(source);
}

}  // namespace

std::optional<double> sound_seconds(std::string_view source) {
  const auto text = base64_of(source);
  if (!text) {
    return std::nullopt;
  }
  for (const auto reading : {Base64Source::Reading::kStrict, Base64Source::Reading::kLenient}) {
    Base64Source bytes(*text, reading);
    const auto seconds = seconds_of(bytes);
    if (seconds && *seconds >= 0 && *seconds <= kSoundSecondsMax) {
      return seconds;
    }
  }
  return std::nullopt;
}

}  // namespace weir::media
