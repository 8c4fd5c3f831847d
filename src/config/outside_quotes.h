#pragma once

// Finds what may only stand in quotes or comments.

#include <optional>
#include <string_view>

#include "node.h"

namespace weir::config {

// The first character of `text` that is not ASCII and stands neither in a quoted text nor in a
// comment: a full-width comma, a typographic quote, a bare name in Chinese. TOML has none of these,
// and toml++ 3.3 has undefined behaviour for some of them (U+00E9, U+3001).
std::optional<Place> non_ascii_outside_quotes(std::string_view text);

}  // namespace weir::config
