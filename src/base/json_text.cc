#include "weir/base/json_text.h"

#include "weir/base/text.h"

namespace weir::base {
namespace {

void append_escaped(std::string& out, char c) {
  constexpr std::string_view kHex = "0123456789abcdef";
  switch (c) {
    case '"':
      out += "\\\"";
      return;
    case '\\':
      out += "\\\\";
      return;
    case '\n':
      out += "\\n";
      return;
    case '\r':
      out += "\\r";
      return;
    case '\t':
      out += "\\t";
      return;
    default:
      break;
  }
  const auto byte = static_cast<unsigned char>(c);
  if (byte >= 0x20 && byte != 0x7F) {
    out.push_back(c);
    return;
  }
  out += "\\u00";
  out.push_back(kHex[byte >> 4]);
  out.push_back(kHex[byte & 0xF]);
}

}  // namespace

void append_json_string(std::string& out, std::string_view text) {
  out.push_back('"');
  while (!text.empty()) {
    const std::size_t valid = std::min(find_invalid_utf8(text), text.size());
    for (const char c : text.substr(0, valid)) {
      append_escaped(out, c);
    }
    text.remove_prefix(valid);
    if (!text.empty()) {
      append_utf8(out, 0xFFFD);
      text.remove_prefix(1);
    }
  }
  out.push_back('"');
}

}  // namespace weir::base
