#include "client_request.h"

#include <random>

#include "paths.h"
#include "weir/base/text.h"

namespace weir::server {
namespace {

constexpr std::size_t kRequestIdBytesMax = 128;

std::string new_request_id() {
  thread_local std::mt19937_64 random{std::random_device{}()};
  constexpr std::string_view kHex = "0123456789abcdef";
  std::string id = "weir-";
  for (std::uint64_t bits = random(), i = 0; i < 16; ++i, bits >>= 4) {
    id.push_back(kHex[bits & 0xF]);
  }
  return id;
}

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
  request.id = is_good_id(id) ? std::string(id) : new_request_id();
  return request;
}

}  // namespace weir::server
