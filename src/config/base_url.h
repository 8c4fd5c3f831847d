#pragma once

// The base_url of an upstream as people write it.

#include <string>
#include <string_view>

#include "weir/base/result.h"
#include "weir/config/config.h"

namespace weir::config {

// Takes `text` apart. A path whose last part is a version ("v1", "v4", "v1beta") is kept, otherwise
// "/v1" is added; an endpoint that ends in /chat/completions is cut back to its base. Errors:
// kBadConfig, "what is wrong; what would be right", without the text itself (it may hold a key).
base::Result<BaseUrl> parse_base_url(std::string_view text);

// "http://host:port", as it is kept in Upstream::proxy. Errors as above.
base::Result<std::string> parse_proxy(std::string_view text);

// "https://host" or "http://host:port" of [server] allow_origins, in lower case. Errors as above.
base::Result<std::string> parse_origin(std::string_view text);

}  // namespace weir::config
