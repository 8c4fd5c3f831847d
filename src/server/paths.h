#pragma once

// The usual slips in a client's base_url.

#include <string>
#include <string_view>
#include <vector>

namespace weir::server {

// The path of a request target as the endpoints are named: without query, doubled slashes and a
// slash at the end, and with
// "/v1/v1/x", "/api/v1/x" and a bare "/chat/completions" brought to "/v1/x".
std::string normalised_path(std::string_view target);

// Whether the client's path is one of the slips, worth one warning a client. A path without "/v1"
// is none.
bool is_slip(std::string_view target, std::string_view normalised);

}  // namespace weir::server
