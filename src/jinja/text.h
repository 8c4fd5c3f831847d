#pragma once

// Values as text, and text put together.

#include <cstddef>
#include <string>
#include <string_view>

#include "value.h"

namespace weir::jinja {

// What `value ~ ''` is: True, 1.0, ['a', 1]. RenderFailure for undefined values and functions.
Value to_text(Rendering& run, const Value& value);

// Appends what stands for `value` inside a printed array: strings in quotes.
void append_quoted(Rendering& run, std::string& out, const Value& value);

void append_number(std::string& out, std::int64_t integer);
void append_number(std::string& out,
                   double real);  // six digits, without zeros at the end: 0.5, 2.0
// As Python writes it: the fewest digits that read back as the same number; 1e+16, 1e-05, NaN.
void append_python_float(std::string& out, double real);

// Both are strings. In place where `a` ends where its buffer ends.
Value concat(Rendering& run, const Value& a, const Value& b);

// A new string in the arena, of one piece.
Value new_string(Rendering& run, std::string_view text);

// The offsets inside `text` at which a piece begins, ascending, without 0.
std::vector<std::size_t> cuts_of(const Value& text);

// A new string of the bytes in `text` with cuts at the offsets `cuts`.
Value string_with_cuts(Rendering& run, std::string_view text, const std::vector<std::size_t>& cuts);

}  // namespace weir::jinja
