#include "weir/media/picture_size.h"

#include <cstddef>

#include "base64_source.h"
#include "byte_fields.h"
#include "data_url.h"

namespace weir::media {
namespace {

constexpr int kJpegMarkersMax = 4096;  // a photograph has 20
constexpr int kJpegPaddingMax = 1024;  // bytes between two segments that belong to none

// Behind the signature, or behind Apple's own first chunk.
std::optional<PictureSize> png_size(Base64Source& source) {
  auto chunk = bytes_at<16>(source, 8);
  if (chunk && has(*chunk, 4, "CgBI") && big(Bytes(*chunk).first(4)) < 1024) {
    chunk = bytes_at<16>(source, 8 + 12 + big(Bytes(*chunk).first(4)));
  }
  if (!chunk || !has(*chunk, 4, "IHDR")) {
    return std::nullopt;
  }
  return PictureSize{big(Bytes(*chunk).subspan(8, 4)), big(Bytes(*chunk).subspan(12, 4))};
}

std::optional<PictureSize> gif_size(Base64Source& source) {
  const auto sides = bytes_at<4>(source, 6);
  return sides ? std::optional(
                     PictureSize{little(Bytes(*sides).first(2)), little(Bytes(*sides).last(2))})
               : std::nullopt;
}

// Heights below zero mean that the first line is on top.
std::optional<PictureSize> bmp_size(Base64Source& source) {
  const auto header = bytes_at<12>(source, 14);
  if (!header) {
    return std::nullopt;
  }
  const Bytes bytes(*header);
  if (little(bytes.first(4)) == 12) {
    return PictureSize{little(bytes.subspan(4, 2)), little(bytes.subspan(6, 2))};
  }
  const std::uint32_t height = little(bytes.subspan(8, 4));
  return PictureSize{little(bytes.subspan(4, 4)), height > 0x7FFFFFFF ? 0U - height : height};
}

std::optional<PictureSize> webp_size(Base64Source& source) {
  const auto chunk = bytes_at<18>(source, 12);
  if (!chunk) {
    return std::nullopt;
  }
  const Bytes bytes(*chunk);
  if (has(bytes, 0, "VP8X")) {
    return PictureSize{little(bytes.subspan(12, 3)) + 1, little(bytes.subspan(15, 3)) + 1};
  }
  if (has(bytes, 0, "VP8L") && bytes[8] == 0x2F) {
    const std::uint32_t bits = little(bytes.subspan(9, 4));
    return PictureSize{(bits & 0x3FFF) + 1, (bits >> 14 & 0x3FFF) + 1};
  }
  if (has(bytes, 0, "VP8 ") && has(bytes, 11, "\x9D\x01\x2A")) {
    return PictureSize{little(bytes.subspan(14, 2)) & 0x3FFF,
                       little(bytes.subspan(16, 2)) & 0x3FFF};
  }
  return std::nullopt;
}

// SOF0 to SOF15, without what else is among their numbers: DHT, JPG, DAC.
bool is_frame_header(std::uint8_t marker) {
  return marker >= 0xC0 && marker <= 0xCF && marker != 0xC4 && marker != 0xC8 && marker != 0xCC;
}

bool stands_alone(std::uint8_t marker) {
  return marker == 0x01 || (marker >= 0xD0 && marker <= 0xD8);
}

// Goes from segment to segment by their lengths: a thumbnail inside of one is not looked into.
std::optional<PictureSize> jpeg_size(Base64Source& source) {
  std::size_t at = 2;
  int padding = 0;
  for (int i = 0; i < kJpegMarkersMax; ++i) {
    const auto head = bytes_at<4>(source, at);
    if (!head) {
      return std::nullopt;
    }
    const std::uint8_t marker = (*head)[1];
    if ((*head)[0] != 0xFF || marker == 0xFF || marker == 0) {
      ++at;
      --i;
      if (++padding > kJpegPaddingMax) {
        return std::nullopt;
      }
    } else if (is_frame_header(marker)) {
      const auto sides = bytes_at<4>(source, at + 5);
      return sides ? std::optional(
                         PictureSize{big(Bytes(*sides).last(2)), big(Bytes(*sides).first(2))})
                   : std::nullopt;
    } else if (stands_alone(marker)) {
      at += 2;
    } else if (marker == 0xD9 || marker == 0xDA) {
      return std::nullopt;  // the end, or pixels, and no frame header yet
    } else {
      at += 2 + big(Bytes(*head).last(2));
    }
  }
  return std::nullopt;
}

std::optional<PictureSize> size_of(Base64Source& source) {
  const auto start = bytes_at<12>(source, 0);
  if (!start) {
    return std::nullopt;
  }
  if (has(*start, 0, "\x89PNG\r\n\x1A\n")) {
    return png_size(source);
  }
  if (has(*start, 0, "\xFF\xD8\xFF")) {
    return jpeg_size(source);
  }
  if (has(*start, 0, "GIF8")) {
    return gif_size(source);
  }
  if (has(*start, 0, "RIFF") && has(*start, 8, "WEBP")) {
    return webp_size(source);
  }
  return has(*start, 0, "BM") ? bmp_size(source) : std::nullopt;
}

bool is_credible(const PictureSize& size) {
  return size.width > 0 && size.height > 0 && size.width <= kPictureSideMax &&
         size.height <= kPictureSideMax &&
         std::uint64_t{size.width} * size.height <= kPictureAreaMax;
}

}  // namespace

std::optional<PictureHeader> picture_header(std::string_view source) {
  const auto text = base64_of(source);
  if (!text) {
    return std::nullopt;
  }
  for (const auto reading : {Base64Source::Reading::kStrict, Base64Source::Reading::kLenient}) {
    Base64Source bytes(*text, reading);
    const auto size = size_of(bytes);
    const bool is_there = reading == Base64Source::Reading::kLenient || bytes.is_all_base64();
    if (size && is_credible(*size) && is_there) {
      return PictureHeader{*size, !bytes.was_lenient()};
    }
  }
  return std::nullopt;
}

}  // namespace weir::media
