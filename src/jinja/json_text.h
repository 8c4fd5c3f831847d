#pragma once

// The filter tojson.

#include <string>
#include <string_view>

#include "functions.h"
#include "value.h"

namespace weir::jinja {

struct JsonStyle {
  std::int64_t indent = -1;  // below 0: all on one line
  std::string_view item_separator = ", ";
  std::string_view key_separator = ": ";
};

// Functions and undefined values are null. Floats have six digits at most, as llama.cpp prints
// them.
void append_json(Rendering& run, std::string& out, const Value& value, const JsonStyle& style);

Value tojson(Call& call);

}  // namespace weir::jinja
