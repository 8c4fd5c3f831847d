#pragma once

#include <string>

#include "json_reader.h"
#include "weir/openai/prompt.h"

namespace weir::openai {

// Appends a value as llama-server's `tojson` filter writes it: ", " and ": " between things, only
// what must be is escaped, 64-bit integers, fractions as `form` says. For text that was checked.
//
// Answers whether the result is the same for every form.
bool append_tojson(std::string& out, JsonView value, Fractions form);

// Whether a number with a fraction is the same in every form.
bool is_certain_fraction(double value);

}  // namespace weir::openai
