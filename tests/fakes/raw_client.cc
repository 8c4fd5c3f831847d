#include "raw_client.h"

#include <charconv>

#include "http_text.h"
#include "weir/os/wait.h"

namespace weir::fakes {
namespace {

os::Socket connect_to(const std::string& host, std::uint16_t port) {
  const auto addresses = os::resolve(host, port);
  if (!addresses) {
    return {};
  }
  auto socket = os::start_connect(addresses->front());
  if (!socket) {
    return {};
  }
  os::wait_for(socket->handle(), os::Interest::kWrite, patience(), {});
  return os::connect_error(*socket).empty() ? std::move(*socket) : os::Socket();
}

int status_of(std::string_view head) {
  int status = 0;
  std::from_chars(head.data() + std::min<std::size_t>(9, head.size()), head.data() + head.size(),
                  status);
  return status;
}

}  // namespace

RawClient::RawClient(std::uint16_t port, const std::string& host)
    : stream_(connect_to(host, port)) {
}

bool RawClient::receive_more() {
  last_ = stream_.receive(received_);
  return last_ == Got::kBytes;
}

bool RawClient::read_until(std::string_view text) {
  for (;;) {
    const auto found = received_.find(text, searched_);
    if (found != std::string::npos) {
      searched_ = found + text.size();
      return true;
    }
    if (!receive_more()) {
      return false;
    }
  }
}

Got RawClient::read_to_end() {
  while (receive_more()) {
  }
  return last_;
}

Got RawClient::wait_for_close() {
  return read_to_end();
}

void RawClient::take(Reply& reply, std::size_t body_bytes) {
  reply.framed_body = received_.substr(0, body_bytes);
  received_.erase(0, body_bytes);
  searched_ = 0;
}

// True when `reply.body` ended as it should.
bool RawClient::read_body(std::string_view method, Reply& reply) {
  const bool has_none = method == "HEAD" || reply.status == 204 || reply.status == 304;
  reply.is_chunked = header_value(reply.head, "Transfer-Encoding") == "chunked";
  const std::string length = header_value(reply.head, "Content-Length");
  if (has_none) {
    return true;
  }
  if (reply.is_chunked) {
    Chunks chunks = dechunk(received_);
    while (!chunks.is_whole && !chunks.is_broken && receive_more()) {
      chunks = dechunk(received_);
    }
    reply.body = chunks.body;
    take(reply, chunks.is_whole ? chunks.bytes_used : received_.size());
    return chunks.is_whole;
  }
  if (length.empty()) {
    const bool closed = read_to_end() == Got::kFin;
    reply.body = received_;
    take(reply, received_.size());
    return closed;
  }
  const std::size_t wanted = std::stoul(length);
  while (received_.size() < wanted && receive_more()) {
  }
  reply.body = received_.substr(0, wanted);
  take(reply, reply.body.size());
  return reply.body.size() == wanted;
}

Reply RawClient::read_reply(std::string_view method) {
  Reply reply;
  std::size_t end = 0;
  while ((end = head_bytes(received_)) == 0) {
    if (!receive_more()) {
      return reply;
    }
  }
  reply.head = received_.substr(0, end);
  received_.erase(0, end);
  searched_ = 0;
  reply.status = status_of(reply.head);
  reply.is_whole = read_body(method, reply);
  return reply;
}

std::string request_text(std::string_view method_and_path, std::string_view header_lines,
                         std::string_view body) {
  std::string text(method_and_path);
  text.append(" HTTP/1.1\r\nHost: localhost\r\n").append(header_lines);
  if (!body.empty()) {
    text.append("Content-Length: ").append(std::to_string(body.size())).append("\r\n");
  }
  return text.append("\r\n").append(body);
}

}  // namespace weir::fakes
