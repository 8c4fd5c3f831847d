#include <algorithm>

#include "shown.h"
#include "weir/config/load.h"

namespace weir::config {
namespace {

constexpr std::size_t kOriginColumn = 48;

}  // namespace

std::string print_config(const Loaded& loaded) {
  std::string out = "# " + utf8_of(loaded.config.path) + "\n";
  std::string table;
  for (const Setting& setting : loaded.settings) {
    if (setting.table != table) {
      table = setting.table;
      out += "\n[" + table + "]\n";
    }
    std::string line = setting.value.empty() ? "# " + setting.key + " is not set"
                                             : setting.key + " = " + setting.value;
    line.resize(std::max(line.size() + 2, kOriginColumn), ' ');
    out += line + "# " + setting.origin + "\n";
  }
  return out;
}

}  // namespace weir::config
