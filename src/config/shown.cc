#include "shown.h"

#include <charconv>

#include "weir/base/text.h"

namespace weir::config {
namespace {

constexpr std::size_t kShownMax = 40;

bool may_be_secret(std::string_view text) {
  return text.size() > kShownMax || base::starts_with_ignoring_case(text, "sk-") ||
         base::starts_with_ignoring_case(text, "bearer");
}

}  // namespace

std::string shown_name(std::string_view name) {
  if (may_be_secret(name)) {
    return "(a name of " + std::to_string(name.size()) + " bytes)";
  }
  return base::find_invalid_utf8(name) == std::string_view::npos ? std::string(name) : "?";
}

std::string shown_text(std::string_view text) {
  if (may_be_secret(text)) {
    return "a text of " + std::to_string(text.size()) + " bytes";
  }
  return in_quotes(text);
}

std::string shown_choices(const std::vector<std::string_view>& choices) {
  std::string out;
  for (std::size_t i = 0; i < choices.size(); ++i) {
    if (i > 0) {
      out += i + 1 == choices.size() ? " or " : ", ";
    }
    out += in_quotes(choices[i]);
  }
  return out;
}

std::string in_quotes(std::string_view text) {
  constexpr std::string_view kHex = "0123456789ABCDEF";
  std::string out = "\"";
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (c == '"' || c == '\\') {
      out += '\\';
      out += c;
    } else if (byte < 0x20 || byte == 0x7F) {
      out += "\\u00";
      out += kHex[byte >> 4];
      out += kHex[byte & 15];
    } else {
      out += c;
    }
  }
  out += '"';
  return out;
}

std::string shown(bool value) {
  return value ? "true" : "false";
}

std::string shown(double value) {
  char buffer[64];
  const auto end = std::to_chars(buffer, buffer + sizeof buffer, value, std::chars_format::fixed);
  return end.ec == std::errc() ? std::string(buffer, end.ptr) : std::to_string(value);
}

std::string shown(Seconds value) {
  return shown(value.count());
}

std::string shown(const std::string& value) {
  return value.empty() ? "" : in_quotes(value);
}

std::string shown(const std::filesystem::path& value) {
  return shown(utf8_of(value));
}

std::string shown(const std::vector<std::string>& value) {
  std::string out = "[";
  for (const std::string& item : value) {
    out += (out.size() > 1 ? ", " : "") + in_quotes(item);
  }
  return out + "]";
}

std::string utf8_of(const std::filesystem::path& path) {
  const std::u8string text = path.u8string();
  return {text.begin(), text.end()};
}

std::filesystem::path path_of(std::string_view utf8) {
  return std::filesystem::path(std::u8string(utf8.begin(), utf8.end()));
}

}  // namespace weir::config
