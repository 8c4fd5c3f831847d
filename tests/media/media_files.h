#pragma once

// Headers of pictures and sounds, and how they come in a request.

#include <cstdint>
#include <string>
#include <string_view>

namespace weir::media::test {

inline std::string big(std::uint32_t number, int bytes) {
  std::string out;
  for (int i = bytes - 1; i >= 0; --i) {
    out += static_cast<char>(number >> (8 * i) & 0xFF);
  }
  return out;
}

inline std::string little(std::uint32_t number, int bytes) {
  const std::string turned = big(number, bytes);
  return {turned.rbegin(), turned.rend()};
}

inline std::string base64(std::string_view bytes) {
  constexpr std::string_view kAlphabet =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string out;
  for (std::size_t at = 0; at < bytes.size(); at += 3) {
    std::uint32_t bits = 0;
    for (std::size_t i = at; i < at + 3; ++i) {
      bits = bits << 8 | (i < bytes.size() ? static_cast<unsigned char>(bytes[i]) : 0U);
    }
    for (int i = 3; i >= 0; --i) {
      out += kAlphabet[bits >> (6 * i) & 0x3F];
    }
  }
  for (std::size_t i = bytes.size() % 3; i != 0 && i < 3; ++i) {
    out[out.size() - (3 - i)] = '=';
  }
  return out;
}

inline std::string replaced(std::string text, std::string_view what, std::string_view with) {
  for (std::size_t at = 0; (at = text.find(what, at)) != std::string::npos; at += with.size()) {
    text.replace(at, what.size(), with);
  }
  return text;
}

inline std::string url(std::string_view bytes, std::string_view type = "image/png") {
  return "data:" + std::string(type) + ";base64," + base64(bytes);
}

inline std::string png(std::uint32_t width, std::uint32_t height) {
  return "\x89PNG\r\n\x1A\n" + big(13, 4) + "IHDR" + big(width, 4) + big(height, 4) +
         std::string("\x08\x02\x00\x00\x00", 5) + big(0, 4);
}

inline std::string jpeg_segment(int marker, std::string_view content) {
  return std::string("\xFF") + static_cast<char>(marker) +
         big(static_cast<std::uint32_t>(content.size() + 2), 2) + std::string(content);
}

// `before` are the segments in front of the frame header, whose marker is `sof`.
inline std::string jpeg(std::uint32_t width, std::uint32_t height, int sof = 0xC0,
                        const std::string& before = "") {
  return "\xFF\xD8" + before +
         jpeg_segment(sof,
                      "\x08" + big(height, 2) + big(width, 2) + std::string("\x01\x01\x11\0", 4)) +
         jpeg_segment(0xDA, "pixels");
}

}  // namespace weir::media::test
