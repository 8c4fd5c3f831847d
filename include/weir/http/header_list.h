#pragma once

#include <string_view>

namespace weir::http {

// Whether `list`, the value of a header field such as "keep-alive, Upgrade", names `token`: between
// its commas, without the blanks around, in any letter case.
bool list_names(std::string_view list, std::string_view token);

}  // namespace weir::http
