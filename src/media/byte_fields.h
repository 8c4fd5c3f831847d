#pragma once

// Numbers and texts at fixed places of a file's header.

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

#include "base64_source.h"

namespace weir::media {

using Bytes = std::span<const std::uint8_t>;

template <std::size_t kCount>
std::optional<std::array<std::uint8_t, kCount>> bytes_at(Base64Source& source, std::size_t offset) {
  std::array<std::uint8_t, kCount> bytes{};
  return source.read(offset, bytes) ? std::optional(bytes) : std::nullopt;
}

// Whether `text` stands at `at`; the bytes must be enough.
inline bool has(Bytes bytes, std::size_t at, std::string_view text) {
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (bytes[at + i] != static_cast<std::uint8_t>(text[i])) {
      return false;
    }
  }
  return true;
}

// At most four bytes.
inline std::uint32_t big(Bytes bytes) {
  std::uint32_t number = 0;
  for (const std::uint8_t byte : bytes) {
    number = number << 8 | byte;
  }
  return number;
}

inline std::uint32_t little(Bytes bytes) {
  std::uint32_t number = 0;
  for (std::size_t i = bytes.size(); i > 0; --i) {
    number = number << 8 | bytes[i - 1];
  }
  return number;
}

}  // namespace weir::media
