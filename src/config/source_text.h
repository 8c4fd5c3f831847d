#pragma once

// The bytes of a file as UTF-8 text.

#include <optional>
#include <string>
#include <string_view>

#include "node.h"

namespace weir::config {

// Line and column (in characters) of the byte at `offset`.
Place place_of(std::string_view text, std::size_t offset);

// "UTF-16 (little endian)" and the like, or "" when `bytes` may be UTF-8. Sees a byte order mark,
// and without one the NUL bytes that UTF-16 puts between ASCII letters.
std::string_view foreign_encoding(std::string_view bytes);

// Nothing when `bytes` can be parsed; `text` is then set to them without a byte order mark.
std::optional<Fault> take_utf8(std::string_view bytes, std::string_view& text);

}  // namespace weir::config
