#pragma once

// How long a character is, by its first byte alone.

#include <cstddef>
#include <cstdint>

namespace weir::tokenizer {

// 1 also for bytes that start no character.
inline std::size_t utf8_length(char first) {
  const auto lead = static_cast<std::uint8_t>(first);
  return lead < 0xC0 ? 1 : lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : 4;
}

}  // namespace weir::tokenizer
