#include "client_request.h"

#include "paths.h"
#include "weir/base/random_id.h"
#include "weir/base/text.h"

namespace weir::server {
namespace {

constexpr std::size_t kRequestIdBytesMax = 128;

// A client's own id, if it is fit for a header and a log line.
bool is_good_id(std::string_view id) {
  return !id.empty() && id.size() <= kRequestIdBytesMax && base::printable(id, id.size()) == id;
}

}  // namespace

proxy::ClientRequest request_of(const http::RequestHead& head, const os::Address& peer) {
  proxy::ClientRequest request;
  request.method = head.method;
  request.target = head.target;
  request.path = normalised_path(head.target);
  request.http_1_0 = head.http_1_0;
  request.peer_ip = peer.ip();
  request.peer_is_loopback = peer.is_loopback();
  request.received = std::chrono::steady_clock::now();
  request.headers.reserve(head.fields.size());
  for (const http::RawField& field : head.fields) {
    request.headers.push_back({field.name, field.value(), field.line});
  }
  const std::string_view id = request.value_of("X-Request-Id");
  request.id = is_good_id(id) ? std::string(id) : "weir-" + base::random_id();
  return request;
}

}  // namespace weir::server
