#pragma once

// Whether a text is strict JSON, in one walk without recursion.

#include <cstddef>
#include <optional>
#include <string_view>

namespace weir::openai {

struct JsonFault {
  std::size_t offset = 0;  // bytes before the fault
  const char* what = "";   // what is wrong there; never a word of the text
};

// nullopt when `text` is one JSON value with at most white space around it, nested at most
// kJsonDepthMax deep, and valid UTF-8. A byte order mark is not accepted here.
std::optional<JsonFault> check_json(std::string_view text);

}  // namespace weir::openai
