#pragma once

// The little HTTP that the fakes understand: strict, and apart from weir's own, so that the two
// cannot be wrong together.

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace weir::fakes {

// Length of the head at the front of `bytes` with its empty line, or 0.
std::size_t head_bytes(std::string_view bytes);

// The first line of a head.
std::string first_line(std::string_view head);
// Whole header lines of that name (any letter case), without CRLF, in order.
std::vector<std::string> header_lines(std::string_view head, std::string_view name);
// The trimmed value of the only one; "" when there is none, "(several)" when there are more.
std::string header_value(std::string_view head, std::string_view name);
// All header lines, in order.
std::vector<std::string> all_header_lines(std::string_view head);

struct Chunks {
  std::string body;
  std::size_t bytes_used = 0;  // with the end mark
  bool is_whole = false;       // the end mark was there
  bool is_broken = false;
};
Chunks dechunk(std::string_view bytes);

}  // namespace weir::fakes
