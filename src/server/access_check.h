#pragma once

// Who may ask: client keys, and on loopback no web page of somebody else.

#include <optional>
#include <string_view>

#include "weir/base/result.h"
#include "weir/config/config.h"
#include "weir/proxy/client.h"

namespace weir::server {

// The name of the key that the request shows (Authorization: Bearer KEY, or X-Api-Key: KEY); ""
// when none are configured. It lives as long as the settings. Error: kUnauthorized.
base::Result<std::string_view> check_key(const config::Server& settings,
                                         const proxy::ClientRequest& request);

// kForbiddenOrigin for an Origin that is neither loopback nor in allow_origins, and for a Host that
// is neither loopback nor one that weir listens on: a name that was re-bound to this machine.
std::optional<base::Error> check_origin(const config::Server& settings,
                                        const proxy::ClientRequest& request);

// Whether the request's Origin may read the answer; then the answer says so.
bool is_allowed_origin(const config::Server& settings, std::string_view origin);

}  // namespace weir::server
