#pragma once

// TLS towards one upstream: certificate and host name are always checked; there is no switch for
// that.

#include <openssl/ssl.h>

#include <memory>
#include <string>

#include "weir/base/result.h"
#include "weir/config/config.h"
#include "weir/os/socket.h"

namespace weir::upstream {

struct FreeSsl {
  void operator()(SSL* ssl) const { SSL_free(ssl); }
  void operator()(SSL_CTX* context) const { SSL_CTX_free(context); }
};
using SslPtr = std::unique_ptr<SSL, FreeSsl>;

// Shared by all connections of one upstream. Thread-safe.
class TlsContext {
 public:
  // Trusts the authorities of `settings.ca_file`, or the system's when there is none. Errors:
  // kBadConfig naming the file.
  static base::Result<std::unique_ptr<TlsContext>> open(const config::Upstream& settings);

  // A client session over `socket` for the upstream's host name; the handshake is still to be done.
  SslPtr start(os::NativeSocket socket) const;

 private:
  std::unique_ptr<SSL_CTX, FreeSsl> context_;
  std::string host_;
};

// Why the last handshake or read on `ssl` failed, in words, and clears OpenSSL's error queue of
// this thread.
std::string tls_failure(SSL* ssl);

}  // namespace weir::upstream
