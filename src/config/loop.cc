#include "loop.h"

#include "weir/config/load.h"

namespace weir::config {
namespace {

bool is_any(std::string_view host) {
  return host == "0.0.0.0" || host == "::";
}

// What "localhost" stands for on any machine.
bool is_localhost(std::string_view host) {
  return host == "localhost" || host == "127.0.0.1" || host == "::1";
}

// Whether a call of `host` ends at a socket that listens on `listen`. To call 0.0.0.0 is to call
// localhost.
bool reaches(const std::string& host, const std::string& listen) {
  if (host == listen) {
    return true;
  }
  if (is_any(listen)) {
    return is_any(host) || ListenAddress{host, 0}.is_loopback();
  }
  if (host == "localhost" || is_any(host)) {
    return is_localhost(listen);
  }
  return listen == "localhost" && is_localhost(host);
}

}  // namespace

std::optional<std::string> loop_fault(const Server& server, const Upstream& upstream) {
  for (const ListenAddress& address : server.listen) {
    if (upstream.base_url.port == address.port && reaches(upstream.base_url.host, address.host)) {
      return "this is where weir itself listens (server.listen), a request would go round in a "
             "circle; write the address of " +
             std::string(upstream.kind == UpstreamKind::kLocal ? "llama-server" : "the provider") +
             ", or give weir another port";
    }
  }
  return std::nullopt;
}

base::Result<void> check_no_loop(const Config& config) {
  for (const Upstream& upstream : config.upstreams) {
    if (const auto fault = loop_fault(config.server, upstream)) {
      return base::Error{base::ErrorCode::kBadConfig,
                         upstream.full_name() + ".base_url: " + *fault};
    }
  }
  return {};
}

}  // namespace weir::config
