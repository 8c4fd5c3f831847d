#include "source_text.h"

#include <algorithm>

#include "weir/base/text.h"

namespace weir::config {
namespace {

constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";

}  // namespace

Place place_of(std::string_view text, std::size_t offset) {
  const std::string_view before = text.substr(0, offset);
  const auto line_start = before.rfind('\n') + 1;  // npos + 1 is 0
  Place place;
  place.line = static_cast<std::uint32_t>(std::count(before.begin(), before.end(), '\n') + 1);
  // In characters, as everywhere: continuation bytes do not count.
  place.column = 1;
  for (const char c : before.substr(line_start)) {
    place.column += (static_cast<unsigned char>(c) & 0xC0) != 0x80 ? 1 : 0;
  }
  return place;
}

std::string_view foreign_encoding(std::string_view bytes) {
  using namespace std::string_view_literals;
  if (bytes.starts_with("\xFF\xFE\0\0"sv) || bytes.starts_with("\0\0\xFE\xFF"sv)) {
    return "UTF-32";
  }
  if (bytes.starts_with("\xFF\xFE"sv)) {
    return "UTF-16 (little endian)";
  }
  if (bytes.starts_with("\xFE\xFF"sv)) {
    return "UTF-16 (big endian)";
  }
  if (bytes.size() >= 4 && bytes[0] == '\0' && bytes[1] != '\0' && bytes[2] == '\0') {
    return "UTF-16 (big endian)";
  }
  if (bytes.size() >= 4 && bytes[0] != '\0' && bytes[1] == '\0' && bytes[3] == '\0') {
    return "UTF-16 (little endian)";
  }
  return "";
}

std::optional<Fault> take_utf8(std::string_view bytes, std::string_view& text) {
  const std::string_view foreign = foreign_encoding(bytes);
  if (!foreign.empty()) {
    return Fault{{1, 1}, "", "the file is " + std::string(foreign) + "; save it as UTF-8"};
  }
  text = bytes.starts_with(kByteOrderMark) ? bytes.substr(kByteOrderMark.size()) : bytes;
  const std::size_t invalid = base::find_invalid_utf8(text);
  if (invalid != std::string_view::npos) {
    return Fault{place_of(text, invalid), "", "a byte that is no UTF-8; save the file as UTF-8"};
  }
  return std::nullopt;
}

}  // namespace weir::config
