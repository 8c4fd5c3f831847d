#pragma once

// Places where a text may be cut in two without changing its tokens, whatever stands further away
// on either side. Found by a few bytes around them.

#include <cstddef>
#include <string_view>

#include "splitter.h"

namespace weir::tokenizer {

// How many bytes around a place are looked at; also how far it stays away from both ends.
inline constexpr std::size_t kCutMargin = 16;

// For the last place in `text` with is_place(p), where p points into the text and kCutMargin bytes
// on both sides may be read; 0 when there is none.
template <class IsPlace>
std::size_t last_place(std::string_view text, IsPlace is_place) {
  for (std::size_t at = text.size(); at > 2 * kCutMargin; --at) {
    if (is_place(text.data() + at - kCutMargin)) {
      return at - kCutMargin;
    }
  }
  return 0;
}

// The bytes from `p` on are ASCII.
bool is_ascii(const char* p, std::size_t bytes);
// At `p` stands a common Han character (U+5000 to U+8FFF).
bool is_common_han(const char* p);

// Whether a byte-level BPE with this splitter always cuts at `p`: between lines that end and begin
// with a word; with most also before a space between two ASCII words, and before a comma or a full
// stop between two Han characters. nullptr when there are no such places.
// tests/tokenizer/stream_counter_test.cc tries all splitters.
using IsPlace = bool (*)(const char* p);
IsPlace places_between_pieces(Splitter splitter);

}  // namespace weir::tokenizer
