#pragma once

// ${NAME}, ${file:PATH}, ${credential:NAME} and $${ in a text.

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "weir/config/load.h"

namespace weir::config {

struct Expansion {
  std::string text;
  std::string origin;  // "variable NAME", "file key.txt", "credential key"; empty: no placeholder
  std::vector<std::string> faults;       // "what is wrong; what would be right"
  std::vector<std::string> variables;    // the names asked for, there or not
  std::vector<std::string> credentials;  // likewise
  std::vector<std::filesystem::path> files;  // that were to be read
};

// Relative PATHs are looked for in `directory`. What a placeholder gives is not expanded again.
Expansion expand(std::string_view text, const std::filesystem::path& directory,
                 const Environment& environment);

}  // namespace weir::config
