#pragma once

// ${NAME}, ${file:PATH} and $${ in a text.

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "weir/config/load.h"

namespace weir::config {

struct Expansion {
  std::string text;
  std::string origin;               // "variable NAME", "file key.txt"; empty: no placeholder
  std::vector<std::string> faults;  // "what is wrong; what would be right"
};

// Relative PATHs are looked for in `directory`. What a placeholder gives is not expanded again.
Expansion expand(std::string_view text, const std::filesystem::path& directory,
                 const Environment& environment);

}  // namespace weir::config
