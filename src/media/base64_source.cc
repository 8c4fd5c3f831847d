#include "base64_source.h"

#include <algorithm>
#include <array>

namespace weir::media {
namespace {

constexpr int kEnd = -1;

constexpr std::array<std::int8_t, 256> make_values() {
  std::array<std::int8_t, 256> values{};
  values.fill(-1);
  constexpr std::string_view kAlphabet =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  for (std::size_t i = 0; i < kAlphabet.size(); ++i) {
    values[static_cast<std::uint8_t>(kAlphabet[i])] = static_cast<std::int8_t>(i);
  }
  return values;
}
constexpr std::array<std::int8_t, 256> kValues = make_values();

int value_of(char c) {
  return kValues[static_cast<std::uint8_t>(c)];
}

int hex_value(char c) {
  if (c >= '0' && c <= '9') {
    return c - '0';
  }
  const char lower = static_cast<char>(c | 0x20);
  return lower >= 'a' && lower <= 'f' ? lower - 'a' + 10 : kEnd;
}

// The character that so many hexadecimal digits name; kEnd when it is none of ASCII.
int hex_character(std::string_view digits) {
  int code = 0;
  for (const char c : digits) {
    const int value = hex_value(c);
    if (value < 0) {
      return kEnd;
    }
    code = code * 16 + value;
  }
  return code < 128 ? code : kEnd;
}

}  // namespace

bool Base64Source::read(std::size_t offset, std::span<std::uint8_t> out) {
  if (offset > kHeaderBytesMax || out.size() > kHeaderBytesMax - offset) {
    return false;
  }
  if (reading_ == Reading::kStrict) {
    return read_strictly(offset, out);
  }
  decode_up_to(offset + out.size());
  if (decoded_.size() < offset + out.size()) {
    return false;
  }
  std::transform(decoded_.begin() + static_cast<std::ptrdiff_t>(offset),
                 decoded_.begin() + static_cast<std::ptrdiff_t>(offset + out.size()), out.begin(),
                 [](char c) { return static_cast<std::uint8_t>(c); });
  return true;
}

// Byte n is in the characters n * 4 / 3 and the next.
bool Base64Source::read_strictly(std::size_t offset, std::span<std::uint8_t> out) {
  for (std::size_t i = 0; i < out.size(); ++i) {
    const std::size_t byte = offset + i;
    const std::size_t at = byte / 3 * 4 + byte % 3;
    if (at + 1 >= text_.size()) {
      return false;
    }
    const int high = value_of(text_[at]);
    const int low = value_of(text_[at + 1]);
    if (high < 0 || low < 0) {
      return false;
    }
    const auto shift = static_cast<unsigned>(byte % 3 * 2);
    out[i] = static_cast<std::uint8_t>((high << (2 + shift)) | (low >> (4 - shift)));
    furthest_ = std::max(furthest_, at + 2);
  }
  return true;
}

bool Base64Source::is_all_base64() const {
  return std::all_of(text_.begin(), text_.begin() + static_cast<std::ptrdiff_t>(furthest_),
                     [](char c) { return value_of(c) >= 0; });
}

void Base64Source::decode_up_to(std::size_t bytes) {
  while (decoded_.size() < bytes) {
    const int c = take_character();
    if (c == kEnd) {
      return;
    }
    bits_ = bits_ << 6 | static_cast<std::uint32_t>(value_of(static_cast<char>(c)));
    bit_count_ += 6;
    if (bit_count_ >= 8) {
      bit_count_ -= 8;
      decoded_ += static_cast<char>(bits_ >> bit_count_ & 0xFF);
    }
  }
}

// The next character of the alphabet, or kEnd; nothing is read behind an end.
int Base64Source::take_character() {
  while (at_ < text_.size()) {
    int c = static_cast<unsigned char>(text_[at_++]);
    if (c == '\\') {
      c = take_escape();
    }
    if (c == '%') {
      c = hex_character(text_.substr(at_, 2));
      at_ += 2;
      was_lenient_ = true;
    }
    if (c == ' ' || c == '\n' || c == '\r' || c == '\t') {
      was_lenient_ = true;
      continue;
    }
    if (c == '-' || c == '_') {
      was_lenient_ = true;
      return c == '-' ? '+' : '/';
    }
    if (c != kEnd && value_of(static_cast<char>(c)) >= 0) {
      return c;
    }
    break;
  }
  at_ = text_.size();
  return kEnd;
}

// `at_` is behind a backslash.
int Base64Source::take_escape() {
  if (at_ >= text_.size()) {
    return kEnd;
  }
  const char letter = text_[at_++];
  if (letter == 'u') {
    const int c = hex_character(text_.substr(at_, 4));
    at_ = std::min(at_ + 4, text_.size());
    return c;
  }
  constexpr std::string_view kLetters = "/nrt";
  constexpr std::string_view kMeanings = "/\n\r\t";
  const std::size_t found = kLetters.find(letter);
  return found == std::string_view::npos ? kEnd : kMeanings[found];
}

}  // namespace weir::media
