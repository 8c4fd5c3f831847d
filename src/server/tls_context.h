#pragma once

// TLS towards clients: the certificate and key of server.tls_cert and server.tls_key.

#include <openssl/ssl.h>

#include <memory>
#include <string>
#include <vector>

#include "weir/base/result.h"
#include "weir/config/config.h"
#include "weir/os/socket.h"

namespace weir::server {

struct FreeTls {
  void operator()(SSL* ssl) const { SSL_free(ssl); }
  void operator()(SSL_CTX* context) const { SSL_CTX_free(context); }
};
using SslPtr = std::unique_ptr<SSL, FreeTls>;

// Shared by all connections that began with it. Thread-safe. At least TLS 1.2, ciphers with forward
// secrecy only, HTTP/1.1 only.
class TlsContext {
 public:
  // Errors: kBadConfig naming the file: no certificate or no key in it, a key with a passphrase, or
  // one that is not the certificate's.
  static base::Result<std::unique_ptr<TlsContext>> open(const config::Server& settings);

  // A server's session over `socket`; the handshake is still to be done.
  SslPtr start(os::NativeSocket socket) const;

  // What works but should be looked at, one line each.
  const std::vector<std::string>& warnings() const { return warnings_; }

 private:
  void look_at(const config::Server& settings);

  std::unique_ptr<SSL_CTX, FreeTls> context_;
  std::vector<std::string> warnings_;
};

}  // namespace weir::server
