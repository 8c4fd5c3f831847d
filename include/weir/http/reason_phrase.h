#pragma once

#include <string_view>

namespace weir::http {

// "Not Found" for 404, and so on for the statuses that weir itself gives; "Error" for any other.
std::string_view reason_phrase(int status);

}  // namespace weir::http
