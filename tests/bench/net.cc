#include "net.h"

#include <arpa/inet.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <ctime>
#include <system_error>

namespace weir::bench {
namespace {

[[noreturn]] void fail(const char* what) {
  throw std::system_error(errno, std::system_category(), what);
}

sockaddr_in loopback(std::uint16_t port) {
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(port);
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  return address;
}

Fd new_socket() {
  Fd fd(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
  if (fd.get() < 0) {
    fail("socket");
  }
  return fd;
}

bool connects(int fd, std::uint16_t port) {
  const sockaddr_in address = loopback(port);
  return ::connect(fd, reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0;
}

}  // namespace

std::int64_t now_ns() {
  timespec time{};
  ::clock_gettime(CLOCK_MONOTONIC, &time);
  return static_cast<std::int64_t>(time.tv_sec) * 1000000000 + time.tv_nsec;
}

Fd::~Fd() {
  if (fd_ >= 0) {
    ::close(fd_);
  }
}

Fd& Fd::operator=(Fd&& other) noexcept {
  std::swap(fd_, other.fd_);
  return *this;
}

void prepare_process() {
  std::signal(SIGPIPE, SIG_IGN);
  rlimit files{};
  ::getrlimit(RLIMIT_NOFILE, &files);
  files.rlim_cur = files.rlim_max;
  ::setrlimit(RLIMIT_NOFILE, &files);
}

OneCpu::OneCpu() {
  ::sched_getaffinity(0, sizeof before_, &before_);
  cpu_set_t one{};
  for (std::size_t cpu = 0; cpu < CPU_SETSIZE; ++cpu) {
    if (CPU_ISSET(cpu, &before_)) {
      CPU_ZERO(&one);
      CPU_SET(cpu, &one);  // in the end the last one
    }
  }
  ::sched_setaffinity(0, sizeof one, &one);
}

OneCpu::~OneCpu() {
  ::sched_setaffinity(0, sizeof before_, &before_);
}

Fd listen_on_loopback(std::uint16_t& port) {
  Fd fd = new_socket();
  const int on = 1;
  ::setsockopt(fd.get(), SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
  sockaddr_in address = loopback(port);
  socklen_t length = sizeof address;
  if (::bind(fd.get(), reinterpret_cast<sockaddr*>(&address), sizeof address) != 0 ||
      ::listen(fd.get(), 4096) != 0 ||
      ::getsockname(fd.get(), reinterpret_cast<sockaddr*>(&address), &length) != 0) {
    fail("listen");
  }
  port = ntohs(address.sin_port);
  return fd;
}

Fd connect_to(std::uint16_t port) {
  Fd fd = new_socket();
  if (!connects(fd.get(), port)) {
    fail("connect");
  }
  const int on = 1;
  ::setsockopt(fd.get(), IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
  return fd;
}

bool try_connect(std::uint16_t port) {
  const Fd fd = new_socket();
  return connects(fd.get(), port);
}

std::uint16_t free_port() {
  std::uint16_t port = 0;
  listen_on_loopback(port);
  return port;
}

void set_nonblocking(int fd) {
  ::fcntl(fd, F_SETFL, ::fcntl(fd, F_GETFL) | O_NONBLOCK);
}

void send_all(int fd, std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t sent = ::send(fd, bytes.data(), bytes.size(), MSG_NOSIGNAL);
    if (sent < 0) {
      fail("send");
    }
    bytes.remove_prefix(static_cast<std::size_t>(sent));
  }
}

std::string chat_request(std::uint16_t port, std::string_view body) {
  std::string request = "POST /v1/chat/completions HTTP/1.1\r\nHost: 127.0.0.1:";
  request += std::to_string(port);
  request +=
      "\r\nUser-Agent: weir-bench\r\nAccept: */*\r\nAuthorization: Bearer none\r\n"
      "Content-Type: application/json\r\nContent-Length: ";
  return request.append(std::to_string(body.size())).append("\r\n\r\n").append(body);
}

}  // namespace weir::bench
