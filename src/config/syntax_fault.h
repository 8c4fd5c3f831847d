#pragma once

// Says in plain words why a text is no TOML. The words of the parser quote the text, and the text
// may be a key: none of them are passed on.

#include <string>
#include <string_view>

#include "node.h"

namespace weir::config {

struct SyntaxError {
  Place place;
  std::string description;  // of the parser; never shown
};

// A description of our own, for what the parser is not asked about.
inline constexpr std::string_view kNonAsciiSign = "not ASCII outside quotes";

struct SyntaxFault {
  Fault fault;
  bool ends_with_its_line = false;  // the next line can be read without it
};

SyntaxFault explain(const SyntaxError& error, std::string_view text);

// Takes what stands in `line` out of `text` (a table header becomes one that nobody reads). False
// when it cannot be taken out alone.
bool skip_line(std::string& text, std::uint32_t line);

// Begins the names of the tables that skip_line makes.
inline constexpr std::string_view kSkippedTable = "weir-skipped-";

}  // namespace weir::config
