#include "base_url.h"

#include <algorithm>

#include "address.h"
#include "weir/base/text.h"

namespace weir::config {
namespace {

constexpr std::string_view kChatEndpoint = "/chat/completions";

base::Error wrong(std::string text) {
  return {base::ErrorCode::kBadConfig, std::move(text)};
}

std::uint16_t default_port(bool tls) {
  return tls ? 443 : 80;
}

// scheme://authority/path, each part still as it was written.
struct UrlParts {
  std::string scheme;
  std::string_view authority;
  std::string_view path;
};

base::Result<UrlParts> split_url(std::string_view text) {
  text = base::trim_pasted(text);
  const auto scheme_end = text.find("://");
  if (text.empty()) {
    return wrong("the address is empty; write https://HOST/v1");
  }
  if (scheme_end == std::string_view::npos) {
    return wrong("http:// or https:// is missing in front; write https://HOST/v1");
  }
  if (text.find_first_of("?#") != std::string_view::npos) {
    return wrong("a base address has no ? or #; write https://HOST/v1 and put a key into api_key");
  }
  if (!std::all_of(text.begin(), text.end(), [](char c) { return c > ' ' && c < '\x7F'; }) ||
      text.find_first_of("\"'\\<>{}") != std::string_view::npos) {
    return wrong("blanks, quotes or other signs that no address has; write https://HOST/v1");
  }
  UrlParts parts;
  parts.scheme = base::ascii_lower(text.substr(0, scheme_end));
  text.remove_prefix(scheme_end + 3);
  parts.authority = text.substr(0, text.find('/'));
  parts.path = text.substr(parts.authority.size());
  if (parts.authority.find('@') != std::string_view::npos) {
    return wrong("user names and passwords do not belong in an address; put the key into api_key");
  }
  return parts;
}

bool is_version(std::string_view segment) {
  const auto is_digit = [](char c) { return c >= '0' && c <= '9'; };
  return segment.size() >= 2 && segment[0] == 'v' && is_digit(segment[1]) &&
         std::all_of(segment.begin(), segment.end(),
                     [&](char c) { return is_digit(c) || (c >= 'a' && c <= 'z'); });
}

// Without empty segments: "//api/" is "/api".
std::string tidy_path(std::string_view path) {
  std::string out;
  while (!path.empty()) {
    const auto slash = std::min(path.find('/'), path.size());
    if (slash > 0) {
      out += "/" + std::string(path.substr(0, slash));
    }
    path.remove_prefix(std::min(slash + 1, path.size()));
  }
  return out;
}

bool has_version(std::string_view path) {
  for (auto slash = path.find('/'); slash != std::string_view::npos;
       slash = path.find('/', slash + 1)) {
    const auto end = std::min(path.find('/', slash + 1), path.size());
    if (is_version(path.substr(slash + 1, end - slash - 1))) {
      return true;
    }
  }
  return false;
}

std::string base_path(std::string_view written) {
  std::string path = tidy_path(written);
  if (path.ends_with(kChatEndpoint)) {
    path.resize(path.size() - kChatEndpoint.size());
    // A whole endpoint says where its version is: "/v1beta/openai/chat/completions".
    return has_version(path) ? path : path + "/v1";
  }
  const auto last = path.rfind('/');
  const bool ends_in_version =
      last != std::string::npos && is_version(std::string_view(path).substr(last + 1));
  return ends_in_version ? path : path + "/v1";
}

}  // namespace

base::Result<BaseUrl> parse_base_url(std::string_view text) {
  const auto parts = split_url(text);
  if (!parts) {
    return parts.error();
  }
  if (parts->scheme != "http" && parts->scheme != "https") {
    return wrong("only http:// and https:// are known; write https://HOST/v1");
  }
  const auto place = parse_host_port(parts->authority);
  if (!place) {
    return place.error();
  }
  if (place->port == 0) {
    return wrong("port 0 cannot be called; write the port that the server listens on");
  }
  BaseUrl url;
  url.tls = parts->scheme == "https";
  url.host = place->host;
  url.port = place->port.value_or(default_port(url.tls));
  url.path = base_path(parts->path);
  return url;
}

base::Result<std::string> parse_proxy(std::string_view text) {
  const auto parts = split_url(text);
  if (!parts) {
    return parts.error();
  }
  const auto place = parse_host_port(parts->authority);
  if (parts->scheme != "http" || !tidy_path(parts->path).empty()) {
    return wrong("only HTTP proxies are known; write http://HOST:PORT");
  }
  if (!place) {
    return place.error();
  }
  if (place->port.value_or(0) == 0) {
    return wrong("the port of the proxy is missing; write http://HOST:PORT");
  }
  return "http://" + bracketed(place->host) + ":" + std::to_string(*place->port);
}

base::Result<std::string> parse_origin(std::string_view text) {
  const auto parts = split_url(text);
  if (!parts || !tidy_path(parts->path).empty() || parts->authority.empty()) {
    return wrong("this is no origin; write scheme, host and port only: http://localhost:3000");
  }
  return parts->scheme + "://" + base::ascii_lower(parts->authority);
}

std::string BaseUrl::authority() const {
  const std::string name = bracketed(host);
  return port == default_port(tls) ? name : name + ":" + std::to_string(port);
}

std::string BaseUrl::text() const {
  return (tls ? "https://" : "http://") + authority() + path;
}

}  // namespace weir::config
