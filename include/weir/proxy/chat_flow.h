#pragma once

// The life of one chat request, from its body to the last byte of its answer.

#include "weir/proxy/client.h"
#include "weir/proxy/services.h"

namespace weir::proxy {

// Serves one POST of /v1/chat/completions on the calling thread: reads, counts, decides, sends,
// relays, records. Writes one whole answer to `sink`, or an error of weir's own, or nothing more
// when the client has gone. Never throws.
void serve_chat(const Services& services, const ClientRequest& request, ClientSink& sink);

}  // namespace weir::proxy
