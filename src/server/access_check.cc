#include "access_check.h"

#include <algorithm>

#include "weir/base/text.h"

namespace weir::server {
namespace {

using base::Error;
using base::ErrorCode;

bool is_port(std::string_view text) {
  return text.starts_with(':') && text.find_first_not_of("0123456789", 1) == std::string_view::npos;
}

// "host:port", "[::1]:port" or "host" without its port and brackets; anything else as it is, so
// that it matches nothing.
std::string_view host_of(std::string_view authority) {
  const bool brackets = authority.starts_with('[');
  const auto end = brackets ? authority.find(']') : authority.rfind(':');
  if (end == std::string_view::npos) {
    return authority;
  }
  const std::string_view rest = authority.substr(brackets ? end + 1 : end);
  if (!rest.empty() && !is_port(rest)) {
    return authority;
  }
  return brackets ? authority.substr(1, end - 1) : authority.substr(0, end);
}

// Not every name that begins with "127.": 127.0.0.1.example.com may lead anywhere.
bool is_loopback_name(std::string_view host) {
  host.remove_suffix(host.ends_with('.') ? 1 : 0);
  return config::ListenAddress{base::ascii_lower(host), 0}.is_loopback();
}

std::string_view without_scheme(std::string_view origin) {
  const auto scheme = origin.find("://");
  return scheme == std::string_view::npos ? std::string_view() : origin.substr(scheme + 3);
}

bool listens_only_on_loopback(const config::Server& settings) {
  return std::all_of(settings.listen.begin(), settings.listen.end(),
                     [](const config::ListenAddress& address) { return address.is_loopback(); });
}

bool is_own_host(const config::Server& settings, std::string_view host) {
  return std::any_of(settings.listen.begin(), settings.listen.end(),
                     [&](const config::ListenAddress& address) {
                       return base::equal_ignoring_case(address.host, host);
                     });
}

std::string_view bearer_of(std::string_view authorization) {
  constexpr std::string_view kScheme = "bearer ";
  return base::starts_with_ignoring_case(authorization, kScheme)
             ? base::trim_ascii(authorization.substr(kScheme.size()))
             : std::string_view();
}

}  // namespace

base::Result<std::string_view> check_key(const config::Server& settings,
                                         const proxy::ClientRequest& request) {
  if (settings.keys.empty()) {
    return std::string_view();
  }
  const std::string_view authorization = request.value_of("Authorization");
  const std::string_view bearer = bearer_of(authorization);
  const std::string_view header = request.value_of("X-Api-Key");
  const config::ClientKey* shown = nullptr;
  for (const config::ClientKey& key : settings.keys) {  // all of them: the time must not tell which
    const bool by_bearer = key.key.equals(bearer);
    const bool by_header = key.key.equals(header);
    shown = by_bearer || by_header ? &key : shown;
  }
  if (shown != nullptr) {
    return std::string_view(shown->name);
  }
  const bool no_scheme = !authorization.empty() && bearer.empty();
  return Error{ErrorCode::kUnauthorized,
               no_scheme ? "write the key as \"Authorization: Bearer KEY\""
                         : "this weir wants one of its server.keys: \"Authorization: Bearer KEY\""};
}

bool is_allowed_origin(const config::Server& settings, std::string_view origin) {
  const auto& allowed = settings.allow_origins;
  return is_loopback_name(host_of(without_scheme(origin))) ||
         std::find(allowed.begin(), allowed.end(), origin) != allowed.end() ||
         std::find(allowed.begin(), allowed.end(), "*") != allowed.end();
}

std::optional<Error> check_origin(const config::Server& settings,
                                  const proxy::ClientRequest& request) {
  const std::string_view origin = request.value_of("Origin");
  if (!origin.empty() && !is_allowed_origin(settings, origin)) {
    return Error{
        ErrorCode::kForbiddenOrigin,
        "a web page of another origin may not ask; add its origin to server.allow_origins"};
  }
  const std::string_view host = host_of(request.value_of("Host"));
  const bool foreign = !host.empty() && !is_loopback_name(host) && !is_own_host(settings, host);
  if (foreign && settings.keys.empty() && listens_only_on_loopback(settings)) {
    return Error{ErrorCode::kForbiddenOrigin,
                 "the Host header is neither loopback nor an address of server.listen"};
  }
  return std::nullopt;
}

}  // namespace weir::server
