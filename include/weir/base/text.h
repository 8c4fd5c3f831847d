#pragma once

// Functions on strings that more than one part needs. All of them work on bytes; ASCII only where
// letters matter.

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace weir::base {

char ascii_lower(char c);
std::string ascii_lower(std::string_view text);
bool equal_ignoring_case(std::string_view a, std::string_view b);
bool starts_with_ignoring_case(std::string_view text, std::string_view prefix);

// Without the spaces, tabs, CR and LF at both ends.
std::string_view trim_ascii(std::string_view text);

// trim_ascii, and also without a byte order mark (U+FEFF) and no-break spaces (U+00A0) at both
// ends: what clings to a key that was pasted or echoed into a file.
std::string_view trim_pasted(std::string_view text);

// The element of `candidates` with the smallest edit distance to `text`, or "" when none is near
// enough to be a typo of it (more than a third of the letters differ).
std::string_view nearest_of(std::string_view text, const std::vector<std::string_view>& candidates);

// Offset of the first byte that is no valid UTF-8 (overlong forms and surrogates are invalid), or
// npos.
std::size_t find_invalid_utf8(std::string_view text);

// Appends the UTF-8 of `code_point`; a surrogate or a number above U+10FFFF becomes U+FFFD.
void append_utf8(std::string& out, std::uint32_t code_point);

// `text` made fit for a message: control characters and non-ASCII become '?', and at most
// `bytes_max` bytes are kept. For putting a client's words into one of our error messages or log
// lines.
std::string printable(std::string_view text, std::size_t bytes_max);

}  // namespace weir::base
