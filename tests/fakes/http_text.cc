#include "http_text.h"

#include <charconv>

#include "weir/base/text.h"

namespace weir::fakes {

std::size_t head_bytes(std::string_view bytes) {
  const auto end = bytes.find("\r\n\r\n");
  return end == std::string_view::npos ? 0 : end + 4;
}

std::string first_line(std::string_view head) {
  return std::string(head.substr(0, head.find("\r\n")));
}

std::vector<std::string> all_header_lines(std::string_view head) {
  std::vector<std::string> lines;
  head.remove_prefix(std::min(head.size(), head.find("\r\n") + 2));
  while (!head.empty() && !head.starts_with("\r\n")) {
    const auto end = head.find("\r\n");
    lines.emplace_back(head.substr(0, end));
    head.remove_prefix(std::min(head.size(), end + 2));
  }
  return lines;
}

std::vector<std::string> header_lines(std::string_view head, std::string_view name) {
  std::vector<std::string> found;
  for (std::string& line : all_header_lines(head)) {
    if (base::equal_ignoring_case(std::string_view(line).substr(0, line.find(':')), name)) {
      found.push_back(std::move(line));
    }
  }
  return found;
}

std::string header_value(std::string_view head, std::string_view name) {
  const auto lines = header_lines(head, name);
  if (lines.empty()) {
    return "";
  }
  const std::string_view line = lines.front();
  return lines.size() > 1 ? "(several)"
                          : std::string(base::trim_ascii(line.substr(line.find(':') + 1)));
}

Chunks dechunk(std::string_view bytes) {
  Chunks chunks;
  while (!chunks.is_whole) {
    const std::string_view rest = bytes.substr(chunks.bytes_used);
    const auto line_end = rest.find("\r\n");
    if (line_end == std::string_view::npos) {
      return chunks;
    }
    const std::string_view digits = rest.substr(0, std::min(line_end, rest.find(';')));
    std::size_t size = 0;
    const auto [end, error] =
        std::from_chars(digits.data(), digits.data() + digits.size(), size, 16);
    chunks.is_broken = error != std::errc() || end != digits.data() + digits.size();
    // The last chunk ends with its trailer lines and an empty one.
    const auto trailer_end = size == 0 ? rest.find("\r\n\r\n") : 0;
    const std::size_t whole = size == 0 ? trailer_end + 4 : line_end + 2 + size + 2;
    if (chunks.is_broken || trailer_end == std::string_view::npos || rest.size() < whole) {
      return chunks;
    }
    chunks.is_broken = rest.substr(whole - 2, 2) != "\r\n";
    if (chunks.is_broken) {
      return chunks;
    }
    chunks.body += rest.substr(line_end + 2, size);
    chunks.bytes_used += whole;
    chunks.is_whole = size == 0;
  }
  return chunks;
}

}  // namespace weir::fakes
