#pragma once

// The pages that tell about weir itself. No key, no prompt, no answer is in any of them.

#include <string>
#include <string_view>

#include "weir/proxy/services.h"

namespace weir::proxy {

// GET /health: {"status":"ok"} as soon as weir listens, whatever the upstreams do.
std::string health_page();

// GET /v1/models: what a request may say as its model: "auto", the locals' models, the aliases.
// From the configuration and the last probe, so it never waits.
std::string models_page(const Services& services);

// GET /weir/status: upstreams with their state, requests under way, the configuration's path,
// version, counts.
std::string status_page(const Services& services, std::string_view version);

}  // namespace weir::proxy
