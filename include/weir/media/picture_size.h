#pragma once

// The size of a picture from the header of its file: PNG, JPEG, WebP, GIF, BMP. What the file is
// shows in its first bytes; the type that a data URL names is not looked at.

#include <cstdint>
#include <optional>
#include <string_view>

namespace weir::media {

struct PictureSize {
  std::uint32_t width = 0;
  std::uint32_t height = 0;
};

struct PictureHeader {
  PictureSize size;
  // False when the base64 text holds what llama-server does not take (white space, percent escapes,
  // - and _): others may.
  bool is_plain = true;
};

// Larger ones are not believed: llama-server decodes no picture of more bytes than an int has.
inline constexpr std::uint32_t kPictureSideMax = 65535;
inline constexpr std::uint64_t kPictureAreaMax = 0x7FFFFFFF / 3;

// `source` is what stands between the quotes of a JSON string: a data URL, or base64 alone. Decodes
// a few bytes only, wherever they are, not those between; never beyond 4 MiB. Nothing when there is
// no such header, or none that can be believed.
std::optional<PictureHeader> picture_header(std::string_view source);

}  // namespace weir::media
