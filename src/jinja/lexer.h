#pragma once

// Cuts a template into tokens.

#include <string>
#include <string_view>
#include <vector>

#include "token.h"

namespace weir::jinja {

// `source` with every line end as LF, and without one at its very end. Offsets of tokens are
// offsets in it.
std::string normalized_lines(std::string_view source);

// The tokens of a normalized source, without an end token. White space around tags is dealt with
// here: a line end after a statement or comment goes (trim_blocks), so does the indentation before
// one (lstrip_blocks), and "-" takes all white space on its side.
// Throws SyntaxFailure.
std::vector<Token> tokenize(std::string_view source);

}  // namespace weir::jinja
