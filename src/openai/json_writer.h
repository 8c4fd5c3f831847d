#pragma once

#include <string>

#include "json_reader.h"

namespace weir::openai {

// Appends a value as llama-server's `tojson` filter writes it: ", " and ": " between things, only
// what must be is escaped, 64-bit integers, floats as Python prints them. For text that was
// checked.
void append_tojson(std::string& out, JsonView value);

// Appends a number in that form.
void append_number(std::string& out, std::string_view raw);

}  // namespace weir::openai
