#pragma once

// Sockets, without a word of the operating system's own headers. Everything of the system lies
// behind include/weir/os: src/os holds one *_posix.cc for each of these headers (and a *_win.cc
// where weir runs on Windows).
//
// Every socket made here is non-blocking and is not inherited by child processes. A Socket may be
// moved between threads; two threads may not use one at the same time, except that any thread may
// watch its handle.

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "weir/base/result.h"

namespace weir::os {

using NativeSocket = std::intptr_t;
constexpr NativeSocket kNoSocket = -1;

class Socket {
 public:
  Socket() = default;
  explicit Socket(NativeSocket handle) : handle_(handle) {}
  ~Socket() { close(); }
  Socket(Socket&& other) noexcept : handle_(other.release()) {}
  Socket& operator=(Socket&& other) noexcept;
  Socket(const Socket&) = delete;
  Socket& operator=(const Socket&) = delete;

  NativeSocket handle() const { return handle_; }
  bool is_open() const { return handle_ != kNoSocket; }
  void close();
  NativeSocket release();

 private:
  NativeSocket handle_ = kNoSocket;
};

// One address that a name stands for.
class Address {
 public:
  Address() = default;
  Address(const void* bytes, std::size_t length);
  const void* bytes() const { return bytes_; }
  std::size_t length() const { return length_; }
  std::string ip() const;  // "127.0.0.1", "::1"
  std::uint16_t port() const;
  bool is_loopback() const;

 private:
  alignas(8) unsigned char bytes_[128] = {};
  std::size_t length_ = 0;
};

// All addresses of `host` (a name, or an address without brackets), in the system's order. Blocks
// for as long as the system's resolver does. Errors: kUpstreamUnreachable.
base::Result<std::vector<Address>> resolve(const std::string& host, std::uint16_t port);

// A listening socket, bound exclusively: a second listener on the same port fails. Errors:
// kCannotRun, naming the address.
base::Result<Socket> listen_on(const std::string& host, std::uint16_t port);

// The address that a socket is bound to.
Address local_address(const Socket& socket);

struct Accepted {
  Socket socket;  // with TCP_NODELAY and keep-alive
  Address peer;
  bool is_exhausted = false;  // no socket because the system gives no more descriptors or memory
};
// The next connection that waits on `listener`; a closed socket when there is none now.
Accepted accept_next(const Socket& listener);

// Begins to connect (TCP_NODELAY, keep-alive). The socket is writable when that is over; then ask
// connect_error. Errors: kUpstreamUnreachable; kOverloaded when the system gives no more
// descriptors, memory or ports.
base::Result<Socket> start_connect(const Address& address);
// What became of the connect: empty when it stands, else the system's words.
std::string connect_error(const Socket& socket);

enum class IoStatus {
  kDone,        // `bytes` of them
  kWouldBlock,  // nothing now; wait
  kEnd,         // the other side has finished (receive only)
  kFailed,      // reset, broken
};
struct IoResult {
  IoStatus status = IoStatus::kFailed;
  std::size_t bytes = 0;
};
IoResult receive(NativeSocket socket, std::span<char> into);
// One gathered write of at most 16 pieces (the rest is left for the next call). Never raises
// SIGPIPE.
IoResult send(NativeSocket socket, std::span<const std::string_view> pieces);

// Ends our direction of the connection, so that the peer reads to the end before it closes.
void shut_down_sending(NativeSocket socket);
// Ends both directions: every wait and call on the socket, in any thread, returns at once.
void shut_down_both(NativeSocket socket);
// A close of this socket sends a reset. For tests and for peers that must not linger.
void reset_on_close(NativeSocket socket);

// True when the peer has closed an idle connection, or sent something that nobody asked for: it
// must not be used again.
bool is_stale(NativeSocket socket);

}  // namespace weir::os
