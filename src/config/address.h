#pragma once

// Host names, IP addresses and ports as people write them.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "weir/base/result.h"

namespace weir::config {

struct HostPort {
  std::string host;  // lower case, without brackets
  std::optional<std::uint16_t> port;
};

// "name", "name:80", "1.2.3.4:80", "[::1]:80". Errors: kBadConfig, "what; what would be right",
// without the text itself.
base::Result<HostPort> parse_host_port(std::string_view text);

// "[::1]" for an IPv6 address, otherwise the host itself.
std::string bracketed(const std::string& host);

}  // namespace weir::config
