#include "json_writer.h"

#include <array>
#include <charconv>
#include <cmath>
#include <string>

#include "json_scan.h"

namespace weir::openai {
namespace {

void append_escaped(std::string& out, char c) {
  constexpr std::string_view kHex = "0123456789abcdef";
  constexpr std::string_view kPlain = "\"\\\b\f\n\r\t";
  constexpr std::string_view kLetter = "\"\\bfnrt";
  const std::size_t known = kPlain.find(c);
  if (known != std::string_view::npos) {
    out.push_back('\\');
    out.push_back(kLetter[known]);
  } else if (static_cast<unsigned char>(c) < 0x20) {
    out += "\\u00";
    out.push_back(kHex[static_cast<unsigned char>(c) >> 4]);
    out.push_back(kHex[static_cast<unsigned char>(c) & 0xF]);
  } else {
    out.push_back(c);
  }
}

void append_string(std::string& out, JsonView string) {
  if (string.raw().find('\\') == std::string_view::npos) {
    out += string.raw();
    return;
  }
  std::string storage;
  out.push_back('"');
  for (const char c : string.text(storage)) {
    append_escaped(out, c);
  }
  out.push_back('"');
}

// As Python's repr: the shortest form that reads back the same, with an exponent below 1e-4 and
// from 1e16 on.
void append_float(std::string& out, double value) {
  std::array<char, 32> buffer;
  char* const end = buffer.data() + buffer.size();
  const double size = std::fabs(value);
  const bool is_plain = value == 0 || (size >= 1e-4 && size < 1e16);
  const auto format = is_plain ? std::chars_format::fixed : std::chars_format::scientific;
  const auto written = std::to_chars(buffer.data(), end, value, format);
  const std::string_view digits(buffer.data(),
                                static_cast<std::size_t>(written.ptr - buffer.data()));
  out += digits;
  if (is_plain && digits.find('.') == std::string_view::npos) {
    out += ".0";
  }
}

// The token at `at`, which is no string: one of the brackets and marks, a number or a word.
const char* append_token(std::string& out, const char* at, const char* end) {
  if (*at == ',' || *at == ':') {
    out.push_back(*at);
    out.push_back(' ');
    return at + 1;
  }
  if (*at == '{' || *at == '}' || *at == '[' || *at == ']') {
    out.push_back(*at);
    return at + 1;
  }
  const std::size_t length = good_value_length({at, static_cast<std::size_t>(end - at)});
  const std::string_view word(at, length);
  if (JsonView(word).is(JsonKind::kNumber)) {
    append_number(out, word);
  } else {
    out += word;
  }
  return at + length;
}

}  // namespace

void append_number(std::string& out, std::string_view raw) {
  const char* const end = raw.data() + raw.size();
  std::int64_t small = 0;
  std::uint64_t large = 0;
  double real = 0;
  if (const auto read = std::from_chars(raw.data(), end, small);
      read.ec == std::errc() && read.ptr == end) {
    out += std::to_string(small);
  } else if (const auto again = std::from_chars(raw.data(), end, large);
             again.ec == std::errc() && again.ptr == end) {
    out += std::to_string(static_cast<std::int64_t>(large));  // the server wraps it around, too
  } else if (std::from_chars(raw.data(), end, real).ec == std::errc()) {
    append_float(out, real);
  } else {
    out += raw;
  }
}

void append_tojson(std::string& out, JsonView value) {
  const char* at = value.raw().data();
  const char* const end = at + value.raw().size();
  while ((at = skip_json_space(at, end)) != end) {
    if (*at == '"') {
      const char* const behind = skip_good_string(at + 1, end);
      append_string(out, JsonView({at, static_cast<std::size_t>(behind - at)}));
      at = behind;
    } else {
      at = append_token(out, at, end);
    }
  }
}

}  // namespace weir::openai
