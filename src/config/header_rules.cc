#include "header_rules.h"

#include <algorithm>
#include <array>

#include "shown.h"
#include "weir/base/text.h"

namespace weir::config {
namespace {

// weir sets them, or they belong to one connection.
constexpr std::array<std::string_view, 20> kOwnHeaders{"host",
                                                       "content-length",
                                                       "content-type",
                                                       "content-encoding",
                                                       "authorization",
                                                       "connection",
                                                       "keep-alive",
                                                       "transfer-encoding",
                                                       "te",
                                                       "trailer",
                                                       "upgrade",
                                                       "expect",
                                                       "accept-encoding",
                                                       "proxy-authorization",
                                                       "proxy-authenticate",
                                                       "proxy-connection",
                                                       "via",
                                                       "forwarded",
                                                       "cookie",
                                                       "x-conversation-id"};

bool is_token(std::string_view name) {
  return !name.empty() && std::all_of(name.begin(), name.end(), [](char c) {
    const char low = base::ascii_lower(c);
    return (low >= 'a' && low <= 'z') || (c >= '0' && c <= '9') ||
           std::string_view("!#$%&'*+-.^_`|~").find(c) != std::string_view::npos;
  });
}

std::string name_fault(std::string_view name, const Upstream& upstream) {
  const std::string low = base::ascii_lower(name);
  if (!is_token(name)) {
    return "this is no name of a header; write letters, digits and - only";
  }
  if (low == "authorization") {
    return "weir sets this header from api_key; put the key there";
  }
  if (std::find(kOwnHeaders.begin(), kOwnHeaders.end(), low) != kOwnHeaders.end() ||
      low.starts_with("x-weir-") || low.starts_with("x-forwarded-")) {
    return "weir sets or drops this header itself; leave it out";
  }
  const bool is_twice =
      std::any_of(upstream.headers.begin(), upstream.headers.end(),
                  [&](const auto& other) { return base::equal_ignoring_case(other.first, name); });
  return is_twice ? "this header is there twice (case does not count); keep one" : "";
}

}  // namespace

void read_headers(const Value& value, Upstream& into) {
  if (value.node.kind != Node::Kind::kTable) {
    value.wrong_type("a table of Name = \"value\"");
    return;
  }
  for (const Entry& entry : value.node.entries) {
    const Value part = value.part(entry.node, shown_name(entry.key));
    if (entry.node.kind == Node::Kind::kText) {
      value.reading.hide(base::trim_ascii(entry.node.text));
    }
    const std::string wrong = name_fault(entry.key, into);
    if (!wrong.empty()) {
      value.reading.fault(entry.place, part.key, wrong);
    }
    const auto text = part.text();
    if (text && wrong.empty()) {
      value.reading.hide(base::trim_ascii(*text));
      into.headers.emplace_back(entry.key, std::string(base::trim_ascii(*text)));
    }
  }
}

std::string show_headers(const Upstream& upstream) {
  std::string out;
  for (const auto& [name, value] : upstream.headers) {
    out += (out.empty() ? " " : ", ") + in_quotes(name) + " = \"***\"";
  }
  return "{" + out + (out.empty() ? "}" : " }");
}

}  // namespace weir::config
