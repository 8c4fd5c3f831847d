#pragma once

// Writes one JSON string. For parts that print a little JSON and know no JSON library.

#include <string>
#include <string_view>

namespace weir::base {

// Appends `text` as a JSON string with its quotes. Bytes that are no valid UTF-8 become U+FFFD.
void append_json_string(std::string& out, std::string_view text);

}  // namespace weir::base
