#pragma once

// Brings together what `routing::decide` wants to know.

#include "weir/openai/chat_request.h"
#include "weir/proxy/services.h"
#include "weir/routing/decide.h"

namespace weir::proxy {

// What the request itself says. Borrows `request` and `pin_header`.
routing::RouteFacts request_facts(const openai::ChatRequest& request, std::uint64_t prompt_tokens,
                                  std::string_view pin_header);

// The same with one snapshot of what is known of the upstreams, and what the request says. Borrows
// `request` and `pin_header`.
routing::RouteFacts routing_facts(const Services& services, const openai::ChatRequest& request,
                                  std::uint64_t prompt_tokens, std::string_view pin_header);

}  // namespace weir::proxy
