#include <arpa/inet.h>
#include <fcntl.h>
#include <netdb.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <system_error>

#include "weir/os/socket.h"

namespace weir::os {
namespace {

constexpr int kListenBacklog =
    4096;  // a burst of connects must not be dropped; the kernel caps it (somaxconn)
constexpr std::size_t kPiecesMax = 16;

std::string system_words(int error) {
  return std::system_category().message(error);
}

int as_fd(NativeSocket socket) {
  return static_cast<int>(socket);
}

void set_option(int fd, int level, int option, int value) {
  ::setsockopt(fd, level, option, &value, sizeof value);
}

void prepare_stream(int fd) {
  set_option(fd, IPPROTO_TCP, TCP_NODELAY, 1);
  set_option(fd, SOL_SOCKET, SO_KEEPALIVE, 1);
}

// The system gives no more descriptors or memory.
bool is_exhausted(int error) {
  return error == EMFILE || error == ENFILE || error == ENOBUFS || error == ENOMEM;
}

base::Error connect_failure(int error) {
  const bool ours = is_exhausted(error) || error == EADDRNOTAVAIL;  // all ports are in use
  return {ours ? base::ErrorCode::kOverloaded : base::ErrorCode::kUpstreamUnreachable,
          system_words(error)};
}

Address address_of(const sockaddr_storage& storage, socklen_t length) {
  return Address(&storage, length);
}

struct AddressList {
  addrinfo* first = nullptr;
  ~AddressList() {
    if (first != nullptr) {
      ::freeaddrinfo(first);
    }
  }
};

std::string place(const std::string& host, std::uint16_t port) {
  const bool ipv6 = host.find(':') != std::string::npos;
  return (ipv6 ? "[" + host + "]" : host) + ":" + std::to_string(port);
}

}  // namespace

Socket& Socket::operator=(Socket&& other) noexcept {
  if (this != &other) {
    close();
    handle_ = other.release();
  }
  return *this;
}

void Socket::close() {
  if (handle_ != kNoSocket) {
    ::close(as_fd(handle_));
    handle_ = kNoSocket;
  }
}

NativeSocket Socket::release() {
  const NativeSocket handle = handle_;
  handle_ = kNoSocket;
  return handle;
}

Address::Address(const void* bytes, std::size_t length) : length_(length) {
  std::memcpy(bytes_, bytes, std::min(length, sizeof bytes_));
}

std::string Address::ip() const {
  char text[INET6_ADDRSTRLEN] = "";
  const auto* any = reinterpret_cast<const sockaddr*>(bytes_);
  if (any->sa_family == AF_INET6) {
    ::inet_ntop(AF_INET6, &reinterpret_cast<const sockaddr_in6*>(bytes_)->sin6_addr, text,
                sizeof text);
  } else if (any->sa_family == AF_INET) {
    ::inet_ntop(AF_INET, &reinterpret_cast<const sockaddr_in*>(bytes_)->sin_addr, text,
                sizeof text);
  }
  return text;
}

std::uint16_t Address::port() const {
  const auto* any = reinterpret_cast<const sockaddr*>(bytes_);
  if (any->sa_family == AF_INET6) {
    return ntohs(reinterpret_cast<const sockaddr_in6*>(bytes_)->sin6_port);
  }
  return ntohs(reinterpret_cast<const sockaddr_in*>(bytes_)->sin_port);
}

bool Address::is_loopback() const {
  const auto* any = reinterpret_cast<const sockaddr*>(bytes_);
  if (any->sa_family == AF_INET6) {
    const in6_addr& ip = reinterpret_cast<const sockaddr_in6*>(bytes_)->sin6_addr;
    return IN6_IS_ADDR_LOOPBACK(&ip) || (IN6_IS_ADDR_V4MAPPED(&ip) && ip.s6_addr[12] == 127);
  }
  return any->sa_family == AF_INET &&
         (ntohl(reinterpret_cast<const sockaddr_in*>(bytes_)->sin_addr.s_addr) >> 24) == 127;
}

base::Result<std::vector<Address>> resolve(const std::string& host, std::uint16_t port) {
  addrinfo hints{};
  hints.ai_family = AF_UNSPEC;
  hints.ai_socktype = SOCK_STREAM;
  AddressList list;
  const int code = ::getaddrinfo(host.c_str(), std::to_string(port).c_str(), &hints, &list.first);
  if (code != 0) {
    return base::Error{base::ErrorCode::kUpstreamUnreachable,
                       "the name " + host + " was not found: " + ::gai_strerror(code)};
  }
  std::vector<Address> addresses;
  for (const addrinfo* item = list.first; item != nullptr; item = item->ai_next) {
    addresses.emplace_back(item->ai_addr, item->ai_addrlen);
  }
  return addresses;
}

base::Result<Socket> listen_on(const std::string& host, std::uint16_t port) {
  const auto fail = [&](const std::string& why) {
    return base::Error{base::ErrorCode::kCannotRun,
                       "cannot listen on " + place(host, port) + ": " + why};
  };
  const auto addresses = resolve(host, port);
  if (!addresses) {
    return fail(addresses.error().message);
  }
  const Address& address = addresses->front();
  const auto* target = static_cast<const sockaddr*>(address.bytes());
  Socket socket(::socket(target->sa_family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
  if (!socket.is_open()) {
    return fail(system_words(errno));
  }
  const int fd = as_fd(socket.handle());
  set_option(fd, SOL_SOCKET, SO_REUSEADDR,
             1);  // only lets a restart bind at once; two listeners still collide
  if (target->sa_family == AF_INET6) {
    set_option(fd, IPPROTO_IPV6, IPV6_V6ONLY, 1);
  }
  if (::bind(fd, target, static_cast<socklen_t>(address.length())) != 0 ||
      ::listen(fd, kListenBacklog) != 0) {
    const bool taken = errno == EADDRINUSE;
    return fail(taken ? "the port is taken by another program; stop it or choose another port "
                        "(server.listen, --listen)"
                      : system_words(errno));
  }
  return socket;
}

Address local_address(const Socket& socket) {
  sockaddr_storage storage{};
  socklen_t length = sizeof storage;
  ::getsockname(as_fd(socket.handle()), reinterpret_cast<sockaddr*>(&storage), &length);
  return address_of(storage, length);
}

Accepted accept_next(const Socket& listener) {
  sockaddr_storage storage{};
  socklen_t length = sizeof storage;
  const int fd = ::accept4(as_fd(listener.handle()), reinterpret_cast<sockaddr*>(&storage), &length,
                           SOCK_CLOEXEC | SOCK_NONBLOCK);
  if (fd < 0) {
    return {{}, {}, is_exhausted(errno)};
  }
  prepare_stream(fd);
  return {Socket(fd), address_of(storage, length)};
}

base::Result<Socket> start_connect(const Address& address) {
  const auto* target = static_cast<const sockaddr*>(address.bytes());
  Socket socket(::socket(target->sa_family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
  if (!socket.is_open()) {
    return connect_failure(errno);
  }
  const int fd = as_fd(socket.handle());
  prepare_stream(fd);
  if (::connect(fd, target, static_cast<socklen_t>(address.length())) != 0 &&
      errno != EINPROGRESS) {
    return connect_failure(errno);
  }
  return socket;
}

std::string connect_error(const Socket& socket) {
  int error = 0;
  socklen_t length = sizeof error;
  ::getsockopt(as_fd(socket.handle()), SOL_SOCKET, SO_ERROR, &error, &length);
  return error == 0 ? "" : system_words(error);
}

IoResult receive(NativeSocket socket, std::span<char> into) {
  for (;;) {
    const ssize_t got = ::recv(as_fd(socket), into.data(), into.size(), 0);
    if (got > 0) {
      return {IoStatus::kDone, static_cast<std::size_t>(got)};
    }
    if (got == 0) {
      return {IoStatus::kEnd, 0};
    }
    if (errno != EINTR) {
      const bool later = errno == EAGAIN || errno == EWOULDBLOCK;
      return {later ? IoStatus::kWouldBlock : IoStatus::kFailed, 0};
    }
  }
}

IoResult send(NativeSocket socket, std::span<const std::string_view> pieces) {
  iovec parts[kPiecesMax];
  const std::size_t count = std::min(pieces.size(), kPiecesMax);
  for (std::size_t i = 0; i < count; ++i) {
    parts[i] = {const_cast<char*>(pieces[i].data()), pieces[i].size()};
  }
  msghdr message{};
  message.msg_iov = parts;
  message.msg_iovlen = count;
  for (;;) {
    const ssize_t sent = ::sendmsg(as_fd(socket), &message, MSG_NOSIGNAL);
    if (sent >= 0) {
      return {IoStatus::kDone, static_cast<std::size_t>(sent)};
    }
    if (errno != EINTR) {
      const bool later = errno == EAGAIN || errno == EWOULDBLOCK;
      return {later ? IoStatus::kWouldBlock : IoStatus::kFailed, 0};
    }
  }
}

void shut_down_sending(NativeSocket socket) {
  ::shutdown(as_fd(socket), SHUT_WR);
}

void shut_down_both(NativeSocket socket) {
  ::shutdown(as_fd(socket), SHUT_RDWR);
}

void reset_on_close(NativeSocket socket) {
  const linger now{1, 0};
  ::setsockopt(as_fd(socket), SOL_SOCKET, SO_LINGER, &now, sizeof now);
}

bool is_stale(NativeSocket socket) {
  pollfd entry{as_fd(socket), POLLIN | POLLRDHUP, 0};
  return ::poll(&entry, 1, 0) != 0;
}

}  // namespace weir::os
