#include "address.h"

#include <algorithm>
#include <charconv>

#include "shown.h"
#include "weir/base/text.h"
#include "weir/config/load.h"

namespace weir::config {
namespace {

base::Error wrong(std::string text) {
  return {base::ErrorCode::kBadConfig, std::move(text)};
}

bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

std::optional<std::uint32_t> whole_number(std::string_view text, std::uint32_t max) {
  std::uint32_t number = 0;
  const char* end = text.data() + text.size();
  const auto read = std::from_chars(text.data(), end, number);
  if (text.empty() || read.ec != std::errc() || read.ptr != end || number > max) {
    return std::nullopt;
  }
  return number;
}

// 8 groups of hex digits with one "::", perhaps an IPv4 tail and a zone: near enough, the system
// has the last word.
bool is_ipv6(std::string_view text) {
  text = text.substr(0, text.find('%'));
  const auto colons = std::count(text.begin(), text.end(), ':');
  return colons >= 2 && colons <= 8 && std::all_of(text.begin(), text.end(), [](char c) {
           return is_digit(c) || (c >= 'a' && c <= 'f') || c == ':' || c == '.';
         });
}

bool is_ipv4(std::string_view text) {
  int parts = 0;
  while (true) {
    const auto dot = text.find('.');
    if (!whole_number(text.substr(0, dot), 255)) {
      return false;
    }
    ++parts;
    if (dot == std::string_view::npos) {
      return parts == 4;
    }
    text.remove_prefix(dot + 1);
  }
}

bool is_name(std::string_view text) {
  const bool only_name_letters = std::all_of(text.begin(), text.end(), [](char c) {
    return is_digit(c) || (c >= 'a' && c <= 'z') || c == '-' || c == '_' || c == '.';
  });
  return only_name_letters && text.size() <= 253 && !text.starts_with('.') &&
         text.find("..") == std::string_view::npos;
}

base::Result<HostPort> with_port(std::string host, std::string_view port) {
  if (port.empty()) {
    return HostPort{std::move(host), std::nullopt};
  }
  const auto number = whole_number(port.substr(1), 65535);
  if (!port.starts_with(':') || !number) {
    return wrong("the port is no number from 0 to 65535; write host:port");
  }
  return HostPort{std::move(host), static_cast<std::uint16_t>(*number)};
}

base::Result<HostPort> parse_bracketed(std::string_view text) {
  const auto close = text.find(']');
  if (close == std::string_view::npos) {
    return wrong("the bracket of the IPv6 address is not closed; write [::1]:8090");
  }
  const std::string host = base::ascii_lower(text.substr(1, close - 1));
  if (!is_ipv6(host)) {
    return wrong("what stands in [ ] is no IPv6 address; write [::1]:8090");
  }
  return with_port(host, text.substr(close + 1));
}

}  // namespace

base::Result<HostPort> parse_host_port(std::string_view text) {
  if (text.starts_with('[')) {
    return parse_bracketed(text);
  }
  if (std::count(text.begin(), text.end(), ':') > 1) {
    return wrong("an IPv6 address needs brackets; write [::1]:8090");
  }
  const auto colon = text.find(':');
  const std::string host = base::ascii_lower(text.substr(0, colon));
  if (host.empty()) {
    return wrong("the host is missing; write 127.0.0.1 or a name before the port");
  }
  const bool looks_like_ipv4 =
      std::all_of(host.begin(), host.end(), [](char c) { return is_digit(c) || c == '.'; });
  if (looks_like_ipv4 ? !is_ipv4(host) : !is_name(host)) {
    return wrong("the host is neither a name nor an address; write a name or 127.0.0.1");
  }
  return with_port(host, colon == std::string_view::npos ? "" : text.substr(colon));
}

std::string bracketed(const std::string& host) {
  return host.find(':') == std::string::npos ? host : "[" + host + "]";
}

bool ListenAddress::is_loopback() const {
  return host == "localhost" || host == "::1" || (host.starts_with("127.") && is_ipv4(host)) ||
         host.starts_with("::ffff:127.");
}

std::string ListenAddress::text() const {
  return bracketed(host) + ":" + std::to_string(port);
}

base::Result<ListenAddress> parse_listen(std::string_view text) {
  text = base::trim_ascii(text);
  if (text.find("://") != std::string_view::npos) {
    return wrong("an address without http:// is needed; write 127.0.0.1:8090");
  }
  if (!text.empty() && std::all_of(text.begin(), text.end(), is_digit)) {
    return wrong("the host is missing; write 127.0.0.1:" +
                 (whole_number(text, 65535) ? std::string(text) : std::string("8090")));
  }
  auto parsed = parse_host_port(text);
  if (!parsed) {
    return parsed.error();
  }
  if (!parsed->port) {
    return wrong("the port is missing; write HOST:8090");
  }
  return ListenAddress{parsed->host, *parsed->port};
}

base::Result<void> check_listen(const Server& server) {
  for (const ListenAddress& address : server.listen) {
    if (!address.is_loopback() && server.keys.empty()) {
      return wrong(shown_name(address.text()) +
                   " can be reached by others and there is no client key; add [[server.keys]] with "
                   "name and key, or listen on 127.0.0.1");
    }
  }
  return {};
}

}  // namespace weir::config
