#include "weir/http/header_list.h"

#include "weir/base/text.h"

namespace weir::http {

bool list_names(std::string_view list, std::string_view token) {
  for (;;) {
    const auto comma = list.find(',');
    if (base::equal_ignoring_case(base::trim_ascii(list.substr(0, comma)), token)) {
      return true;
    }
    if (comma == std::string_view::npos) {
      return false;
    }
    list.remove_prefix(comma + 1);
  }
}

}  // namespace weir::http
