#pragma once

// The bytes of a base64 text, any of them without decoding those before it. The text is a piece of
// a JSON string as it stands in the body, so `/` may be written as `\/`.

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace weir::media {

// How far into a file is read; a header that lies behind it is not found. Before the size of a
// photograph there may be a preview and a colour profile of some 100 KB.
inline constexpr std::size_t kHeaderBytesMax = std::size_t{4} << 20;

// Borrows the text.
class Base64Source {
 public:
  // Strict is what llama-server takes (the alphabet with + and /, up to the first other character)
  // and needs no look at what is skipped, but knows no escapes. Lenient reads on from the start and
  // also takes JSON escapes, white space, percent escapes and the alphabet with - and _.
  enum class Reading { kStrict, kLenient };
  Base64Source(std::string_view text, Reading reading) : text_(text), reading_(reading) {}

  // False when the text has not so many bytes, or is no base64 there.
  bool read(std::size_t offset, std::span<std::uint8_t> out);

  // About how many bytes there are.
  std::size_t size() const { return text_.size() / 4 * 3 + text_.size() % 4 * 3 / 4; }

  // Whether something was read that llama-server would not take.
  bool was_lenient() const { return was_lenient_; }

  // Of the strict reading: whether all the text up to the last byte read is of the alphabet. If
  // not, the bytes are not where they were looked for.
  bool is_all_base64() const;

 private:
  bool read_strictly(std::size_t offset, std::span<std::uint8_t> out);
  void decode_up_to(std::size_t bytes);
  int take_character();
  int take_escape();

  std::string_view text_;
  Reading reading_;
  bool was_lenient_ = false;
  std::size_t furthest_ = 0;  // of the strict reading, in characters

  // Of the lenient reading.
  std::string decoded_;
  std::size_t at_ = 0;
  std::uint32_t bits_ = 0;
  unsigned bit_count_ = 0;
};

}  // namespace weir::media
