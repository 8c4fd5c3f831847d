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

// The shortest form that reads back the same, with an exponent below 1e-4 and from 1e16 on; this is
// Python's repr.
void append_exact(std::string& out, double value) {
  std::array<char, 32> buffer;
  const double size = std::fabs(value);
  const bool is_plain = value == 0 || (size >= 1e-4 && size < 1e16);
  const auto format = is_plain ? std::chars_format::fixed : std::chars_format::scientific;
  const auto written = std::to_chars(buffer.data(), buffer.data() + buffer.size(), value, format);
  const std::string_view digits(buffer.data(),
                                static_cast<std::size_t>(written.ptr - buffer.data()));
  out += digits;
  if (is_plain && digits.find('.') == std::string_view::npos) {
    out += ".0";
  }
}

// C's %g.
void append_short(std::string& out, double value) {
  constexpr int kDigits = 6;
  std::array<char, 32> buffer;
  const auto written = std::to_chars(buffer.data(), buffer.data() + buffer.size(), value,
                                     std::chars_format::general, kDigits);
  out.append(buffer.data(), written.ptr);
}

bool append_fraction(std::string& out, double value, Fractions form) {
  std::string exact;
  std::string brief;
  append_exact(exact, value);
  append_short(brief, value);
  out += form == Fractions::kShort ? brief : exact;
  return exact == brief;
}

bool append_number(std::string& out, std::string_view raw, Fractions form) {
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
    return append_fraction(out, real, form);
  } else {
    out += raw;
  }
  return true;
}

}  // namespace

bool is_certain_fraction(double value) {
  std::string unused;
  return append_fraction(unused, value, Fractions::kExact);
}

bool append_tojson(std::string& out, JsonView value, Fractions form) {
  const char* at = value.raw().data();
  const char* const end = at + value.raw().size();
  bool is_certain = true;
  while ((at = skip_json_space(at, end)) != end) {
    if (*at == ',' || *at == ':') {
      out.push_back(*at++);
      out.push_back(' ');
      continue;
    }
    const bool is_bracket = *at == '{' || *at == '}' || *at == '[' || *at == ']';
    const std::string_view rest(at, static_cast<std::size_t>(end - at));
    const JsonView token(rest.substr(0, is_bracket ? 1 : good_value_length(rest)));
    if (token.is(JsonKind::kString)) {
      append_string(out, token);
    } else if (token.is(JsonKind::kNumber) && !is_bracket) {
      is_certain = append_number(out, token.raw(), form) && is_certain;
    } else {
      out += token.raw();
    }
    at += token.raw().size();
  }
  return is_certain;
}

}  // namespace weir::openai
