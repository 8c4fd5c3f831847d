#pragma once

// A request head as the handlers see it.

#include "weir/http/request_head.h"
#include "weir/os/socket.h"
#include "weir/proxy/client.h"

namespace weir::server {

// Everything but the body. The views of the result point where those of `head` do. The id is the
// client's own when it is fit for a header and a log line.
proxy::ClientRequest request_of(const http::RequestHead& head, const os::Address& peer);

}  // namespace weir::server
