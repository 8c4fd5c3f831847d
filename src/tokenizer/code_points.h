#pragma once

// Code points, for the splitters that go by their numbers and not by their classes.

#include <cstdint>

namespace weir::tokenizer {

// That of the character at `p` in valid UTF-8.
inline std::uint32_t code_point_at(const char* p) {
  const auto byte = [p](int i) {
    return static_cast<std::uint32_t>(static_cast<std::uint8_t>(p[i]));
  };
  const std::uint32_t lead = byte(0);
  if (lead < 0x80) {
    return lead;
  }
  if (lead < 0xE0) {
    return (lead & 0x1F) << 6 | (byte(1) & 0x3F);
  }
  if (lead < 0xF0) {
    return (lead & 0x0F) << 12 | (byte(1) & 0x3F) << 6 | (byte(2) & 0x3F);
  }
  return (lead & 0x07) << 18 | (byte(1) & 0x3F) << 12 | (byte(2) & 0x3F) << 6 | (byte(3) & 0x3F);
}

struct CodePoints {
  std::uint32_t first;
  std::uint32_t last;
};

template <class Ranges>
bool is_in(std::uint32_t c, const Ranges& ranges) {
  for (const CodePoints& range : ranges) {
    if (c >= range.first && c <= range.last) {
      return true;
    }
  }
  return false;
}

// Han characters as llama.cpp has them for Kimi K2.
bool is_han(std::uint32_t c);

// Capital and small letters as DeepSeek LLM's expression lists them: those of about Unicode 11,
// without mathematical ones, Georgian and some more. Not for ASCII.
bool is_cased_letter(std::uint32_t c);

}  // namespace weir::tokenizer
