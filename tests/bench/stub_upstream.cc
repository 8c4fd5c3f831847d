#include "stub_upstream.h"

#include <sys/epoll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <charconv>
#include <cstdio>
#include <string_view>

namespace weir::bench {
namespace {

constexpr std::int64_t kPeriodNs = 1000000000 / kEventsPerSecond;
constexpr std::size_t kBodyBytesSeen = 64;
constexpr std::string_view kStreamMark = R"("stream":true,"events":)";

constexpr std::string_view kAnswer =
    R"({"id":"chatcmpl-0123456789abcdef","object":"chat.completion","created":1700000000,)"
    R"("model":"stub","choices":[{"index":0,"message":{"role":"assistant","content":)"
    R"("A short answer of some words that stands for what a small model would say here."},)"
    R"("finish_reason":"stop"}],"usage":{"prompt_tokens":500,"completion_tokens":17,)"
    R"("total_tokens":517},"system_fingerprint":"stub-0001"})";

std::uint64_t number_behind(std::string_view text, std::string_view mark) {
  const auto at = text.find(mark);
  std::uint64_t number = 0;
  if (at != std::string_view::npos) {
    const char* from = text.data() + at + mark.size();
    std::from_chars(from, text.data() + text.size(), number);
  }
  return number;
}

// The whole of it or nothing: what does not fit into the socket's buffer ends the connection, and
// the client counts an error.
bool send_now(int fd, std::string_view bytes) {
  return ::send(fd, bytes.data(), bytes.size(), MSG_NOSIGNAL) == static_cast<ssize_t>(bytes.size());
}

std::string chunk(std::string_view bytes) {
  std::array<char, 16> mark{};
  const int length = std::snprintf(mark.data(), mark.size(), "%zx\r\n", bytes.size());
  return std::string(mark.data(), static_cast<std::size_t>(length)).append(bytes).append("\r\n");
}

}  // namespace

StubUpstream::StubUpstream()
    : listener_(listen_on_loopback(port_)),
      epoll_(::epoll_create1(EPOLL_CLOEXEC)),
      block_(std::size_t{1} << 18) {
  set_nonblocking(listener_.get());
  epoll_event event{EPOLLIN, {.fd = listener_.get()}};
  ::epoll_ctl(epoll_.get(), EPOLL_CTL_ADD, listener_.get(), &event);
  thread_ = std::thread([this] { run(); });
}

StubUpstream::~StubUpstream() {
  stopping_ = true;
  thread_.join();
}

void StubUpstream::run() {
  std::array<epoll_event, 256> events{};
  while (!stopping_) {
    const int timeout_ms = due_.empty() ? 50 : 1;
    const int count =
        ::epoll_wait(epoll_.get(), events.data(), static_cast<int>(events.size()), timeout_ms);
    for (int i = 0; i < count; ++i) {
      const int fd = events[static_cast<std::size_t>(i)].data.fd;
      if (fd == listener_.get()) {
        accept_all();
      } else {
        read_from(fd);
      }
    }
    send_due();
  }
}

void StubUpstream::accept_all() {
  for (;;) {
    const int fd = ::accept4(listener_.get(), nullptr, nullptr, SOCK_CLOEXEC | SOCK_NONBLOCK);
    if (fd < 0) {
      return;
    }
    connections_[fd].fd = Fd(fd);
    epoll_event event{EPOLLIN, {.fd = fd}};
    ::epoll_ctl(epoll_.get(), EPOLL_CTL_ADD, fd, &event);
  }
}

void StubUpstream::read_from(int fd) {
  const auto found = connections_.find(fd);
  if (found == connections_.end()) {
    return;  // closed, but a child that has not reached its exec yet still holds it open
  }
  const ssize_t got = ::recv(fd, block_.data(), block_.size(), 0);
  if (got < 0 && errno == EAGAIN) {
    return;
  }
  if (got <= 0 || !take(found->second, {block_.data(), static_cast<std::size_t>(got)})) {
    streams_.erase(fd);
    connections_.erase(found);
  }
}

// Requests come one after the other, never two at once.
bool StubUpstream::take(Connection& connection, std::string_view bytes) {
  if (!connection.in_body) {
    connection.head += bytes;
    const auto end = connection.head.find("\r\n\r\n");
    if (end == std::string::npos) {
      return true;
    }
    bytes.remove_prefix(bytes.size() - (connection.head.size() - end - 4));
    connection.in_body = true;
    connection.length = number_behind(connection.head, "Content-Length: ");
    connection.missing = connection.length;
    connection.head.resize(end + 4 + std::min(bytes.size(), kBodyBytesSeen));
  } else if (connection.missing == connection.length) {
    connection.head += bytes.substr(0, kBodyBytesSeen);
  }
  connection.missing -= std::min(connection.missing, bytes.size());
  if (connection.missing > 0) {
    return true;
  }
  const bool alive = answer(connection);
  connection.head.clear();
  connection.in_body = false;
  return alive;
}

bool StubUpstream::answer(Connection& connection) {
  const int fd = connection.fd.get();
  if (!connection.head.starts_with("POST")) {
    return send_now(fd, "HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n");
  }
  if (const auto events = number_behind(connection.head, kStreamMark); events > 0) {
    connection.events_left = static_cast<int>(events);
    streams_[fd] = ++streams_made_;
    due_.push_back({now_ns() + kPeriodNs, fd, streams_made_});
    return send_now(fd,
                    "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n"
                    "Transfer-Encoding: chunked\r\n\r\n");
  }
  std::array<char, 256> head{};
  const int length = std::snprintf(head.data(), head.size(),
                                   "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n"
                                   "X-Received-Ns: %lld\r\nContent-Length: %zu\r\n\r\n",
                                   static_cast<long long>(now_ns()), kAnswer.size());
  return send_now(fd, std::string(head.data(), static_cast<std::size_t>(length)).append(kAnswer));
}

void StubUpstream::send_due() {
  while (!due_.empty() && due_.front().at_ns <= now_ns()) {
    Due due = due_.front();
    due_.pop_front();
    const auto stream = streams_.find(due.fd);
    if (stream == streams_.end() || stream->second != due.stream) {
      continue;  // the client has gone
    }
    Connection& connection = connections_.at(due.fd);
    if (!send_event(connection)) {
      streams_.erase(stream);
      connections_.erase(due.fd);
    } else if (connection.events_left > 0) {
      due.at_ns += kPeriodNs;
      due_.push_back(due);
    } else {
      streams_.erase(stream);
    }
  }
}

bool StubUpstream::send_event(Connection& connection) {
  std::array<char, 256> event{};
  const int length = std::snprintf(
      event.data(), event.size(),
      R"(data: {"id":"chatcmpl-0123456789","object":"chat.completion.chunk","stamp":%lld,)"
      R"("choices":[{"index":0,"delta":{"content":" river"},"finish_reason":null}]})"
      "\n\n",
      static_cast<long long>(now_ns()));
  std::string bytes = chunk({event.data(), static_cast<std::size_t>(length)});
  if (--connection.events_left == 0) {
    bytes += chunk("data: [DONE]\n\n") + "0\r\n\r\n";
  }
  return send_now(connection.fd.get(), bytes);
}

}  // namespace weir::bench
