#include "header_rules.h"

#include <algorithm>
#include <array>

#include "way.h"
#include "weir/base/text.h"
#include "weir/http/header_list.h"

namespace weir::proxy {
namespace {

using base::equal_ignoring_case;
using base::starts_with_ignoring_case;

constexpr std::array<std::string_view, 10> kHopByHop{
    "Connection", "Keep-Alive", "Proxy-Connection",  "Proxy-Authenticate",  "TE",
    "Trailer",    "Upgrade",    "Transfer-Encoding", "Proxy-Authorization", "HTTP2-Settings"};

constexpr std::array<std::string_view, 7> kSetByWeir{
    "Host",   "Content-Length",  "Content-Type",
    "Expect", "Accept-Encoding", "Content-Encoding", kWayHeader};

constexpr std::array<std::string_view, 6> kSecrets{"Authorization",  "X-Api-Key", "Api-Key",
                                                   "X-Goog-Api-Key", "Cookie",    "Cookie2"};

// Of X-Conversation-Id: llama-server would go on generating after the client has left.
constexpr std::array<std::string_view, 7> kWayHere{
    "Forwarded", "X-Real-IP", "Via", "True-Client-IP", "Origin", "Referer", "X-Conversation-Id"};

constexpr std::string_view kOurPrefix = "X-Weir-";
constexpr std::array<std::string_view, 3> kPrefixes{"X-Forwarded-", "CF-", kOurPrefix};

template <class Names>
bool is_one_of(std::string_view name, const Names& names) {
  return std::any_of(names.begin(), names.end(),
                     [&](std::string_view known) { return equal_ignoring_case(name, known); });
}

bool passes_to_upstream(std::string_view name) {
  return !is_one_of(name, kHopByHop) && !is_one_of(name, kSetByWeir) &&
         !is_one_of(name, kSecrets) && !is_one_of(name, kWayHere) &&
         std::none_of(kPrefixes.begin(), kPrefixes.end(), [&](std::string_view prefix) {
           return starts_with_ignoring_case(name, prefix);
         });
}

}  // namespace

std::string lines_for_upstream(const std::vector<HeaderField>& headers,
                               const std::vector<std::pair<std::string, std::string>>& configured) {
  std::string connection;
  for (const HeaderField& field : headers) {
    if (equal_ignoring_case(field.name, "Connection")) {
      connection.append(field.value).append(",");
    }
  }
  std::string lines;
  for (const HeaderField& field : headers) {
    const bool is_configured = std::any_of(
        configured.begin(), configured.end(),
        [&](const auto& header) { return equal_ignoring_case(field.name, header.first); });
    if (passes_to_upstream(field.name) && !http::list_names(connection, field.name) && !is_configured) {
      lines.append(field.line).append("\r\n");
    }
  }
  return lines;
}

bool passes_to_client(std::string_view name, std::string_view connection_value) {
  return !is_one_of(name, kHopByHop) && !equal_ignoring_case(name, "Content-Length") &&
         !starts_with_ignoring_case(name, kOurPrefix) && !http::list_names(connection_value, name);
}

}  // namespace weir::proxy
