#pragma once

// Which header lines may cross weir, in either direction.

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "weir/proxy/client.h"
#include "weir/upstream/exchange.h"

namespace weir::proxy {

// The lines of a client's request that go on to an upstream, each with its CRLF, in their order and
// unchanged. Left out: what belongs to this connection, every key and cookie, what tells of the way
// here, what weir sets itself, and what `configured` (the upstream's own `headers`) holds.
std::string lines_for_upstream(
    const std::vector<HeaderField>& headers,
    const std::vector<std::pair<std::string, std::string>>& configured = {});

// Whether a line of an upstream's answer goes on to the client: all but those of that connection
// and its framing, and X-Weir-*, which only this weir may say. `connection_value` is the answer's
// own Connection header, which may name more.
bool passes_to_client(std::string_view name, std::string_view connection_value);

}  // namespace weir::proxy
