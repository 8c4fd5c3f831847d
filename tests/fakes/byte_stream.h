#pragma once

// A connection of a test: plain or TLS, blocking with a deadline, and exact about how it ended.

#include <openssl/ssl.h>

#include <chrono>
#include <memory>
#include <string>
#include <string_view>

#include "weir/base/clock.h"
#include "weir/os/socket.h"

namespace weir::fakes {

// No step of a test waits longer than this: more means that it has failed. Long, since a busy
// machine with a sanitizer stalls for many seconds, and only a test that fails waits for it.
constexpr std::chrono::seconds kPatience{60};

inline base::SteadyTime patience() {
  return std::chrono::steady_clock::now() + kPatience;
}

enum class Got { kBytes, kTimeout, kFin, kReset };

class ByteStream {
 public:
  explicit ByteStream(os::Socket socket) : socket_(std::move(socket)) {}

  os::NativeSocket handle() const { return socket_.handle(); }
  bool is_open() const { return socket_.is_open(); }

  // The server's side of a TLS handshake. False when it failed.
  bool accept_tls(SSL_CTX* context);
  // The client's side; `context` says whom to trust.
  bool start_tls(SSL_CTX* context, const char* host = "localhost");
  std::string tls_server_name() const;
  std::string alpn() const;
  std::string peer_name() const;  // of the peer's certificate
  std::string tls_version() const;

  // All of `bytes`, in as few writes as possible. False: the peer has gone.
  bool send(std::string_view bytes);
  // Waits for bytes and appends them.
  Got receive(std::string& into, base::SteadyTime deadline = patience());
  // After the system has said that the peer is gone: which way it went.
  Got how_it_ended();

  void half_close();
  void close();  // FIN; a reset when the peer's bytes were not all read
  void reset();  // RST

 private:
  struct FreeSsl {
    void operator()(SSL* ssl) const { SSL_free(ssl); }
  };
  bool shake_hands();
  bool wait(int ssl_error, base::SteadyTime deadline) const;
  Got receive_tls(std::string& into, base::SteadyTime deadline);

  os::Socket socket_;
  std::unique_ptr<SSL, FreeSsl> tls_;
};

}  // namespace weir::fakes
