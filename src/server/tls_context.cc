#include "tls_context.h"

#include <openssl/err.h>
#include <openssl/x509.h>

#include <filesystem>
#include <string_view>

#include "weir/os/process.h"

namespace weir::server {
namespace {

using base::Error;
using base::ErrorCode;

// Of TLS 1.2; those of TLS 1.3 are all good.
constexpr const char* kCiphers = "ECDHE+AESGCM:ECDHE+CHACHA20";
constexpr unsigned char kHttp11[] = {8, 'h', 't', 't', 'p', '/', '1', '.', '1'};
constexpr int kSoonSeconds = 14 * 24 * 60 * 60;

// The library would ask for it on the terminal.
int no_passphrase(char*, int, int, void*) {
  return -1;
}

// A client that speaks other protocols only is told so instead of being misunderstood.
int choose_protocol(SSL*, const unsigned char** out, unsigned char* out_length,
                    const unsigned char* offered, unsigned int length, void*) {
  unsigned char* chosen = nullptr;
  if (SSL_select_next_proto(&chosen, out_length, kHttp11, sizeof kHttp11, offered, length) !=
      OPENSSL_NPN_NEGOTIATED) {
    return SSL_TLSEXT_ERR_ALERT_FATAL;
  }
  *out = chosen;
  return SSL_TLSEXT_ERR_OK;
}

// What the library says of a file, in short; clears its errors.
Error fault(std::string_view key, const std::filesystem::path& file, std::string_view what) {
  const char* reason = ERR_reason_error_string(ERR_peek_last_error());
  std::string message(key);
  message.append(": ").append(os::path_to_utf8(file)).append(": ").append(what);
  if (reason != nullptr) {
    message.append(" (").append(reason).append(")");
  }
  ERR_clear_error();
  return {ErrorCode::kBadConfig, message};
}

std::unique_ptr<SSL_CTX, FreeTls> new_context() {
  std::unique_ptr<SSL_CTX, FreeTls> context(SSL_CTX_new(TLS_server_method()));
  SSL_CTX_set_min_proto_version(context.get(), TLS1_2_VERSION);
  SSL_CTX_set_cipher_list(context.get(), kCiphers);
  SSL_CTX_set_options(context.get(), SSL_OP_NO_RENEGOTIATION | SSL_OP_NO_COMPRESSION |
                                         SSL_OP_CIPHER_SERVER_PREFERENCE |
                                         SSL_OP_PRIORITIZE_CHACHA);
  // Idle connections hold no buffers; a write that is tried again may lie elsewhere.
  SSL_CTX_set_mode(context.get(), SSL_MODE_RELEASE_BUFFERS | SSL_MODE_ENABLE_PARTIAL_WRITE |
                                      SSL_MODE_ACCEPT_MOVING_WRITE_BUFFER);
  SSL_CTX_set_session_cache_mode(context.get(), SSL_SESS_CACHE_OFF);  // tickets need no memory
  SSL_CTX_set_alpn_select_cb(context.get(), choose_protocol, nullptr);
  SSL_CTX_set_default_passwd_cb(context.get(), no_passphrase);
  return context;
}

}  // namespace

base::Result<std::unique_ptr<TlsContext>> TlsContext::open(const config::Server& settings) {
  auto tls = std::make_unique<TlsContext>();
  tls->context_ = new_context();
  SSL_CTX* context = tls->context_.get();
  const std::string cert = os::path_to_utf8(settings.tls_cert);
  const std::string key = os::path_to_utf8(settings.tls_key);
  if (SSL_CTX_use_certificate_chain_file(context, cert.c_str()) != 1) {
    return fault("server.tls_cert", settings.tls_cert,
                 "no certificate (PEM) could be read from it");
  }
  if (SSL_CTX_use_PrivateKey_file(context, key.c_str(), SSL_FILETYPE_PEM) != 1) {
    const bool differs = ERR_GET_REASON(ERR_peek_last_error()) == X509_R_KEY_VALUES_MISMATCH ||
                         ERR_GET_REASON(ERR_peek_last_error()) == X509_R_KEY_TYPE_MISMATCH;
    return fault("server.tls_key", settings.tls_key,
                 differs ? "it is not the key of the certificate in server.tls_cert"
                         : "no private key (PEM, without a passphrase) could be read from it");
  }
  if (SSL_CTX_check_private_key(context) != 1) {
    return fault("server.tls_key", settings.tls_key,
                 "it is not the key of the certificate in server.tls_cert");
  }
  tls->look_at(settings);
  return tls;
}

void TlsContext::look_at(const config::Server& settings) {
  using std::filesystem::perms;
  std::error_code unknown;
  const perms mode = std::filesystem::status(settings.tls_key, unknown).permissions();
  if (!os::is_windows() && !unknown && (mode & perms::others_all) != perms::none) {
    warnings_.push_back("server.tls_key: every user of this machine can read " +
                        os::path_to_utf8(settings.tls_key) + "; take that away with chmod o=");
  }
  const X509* certificate = SSL_CTX_get0_certificate(context_.get());
  const auto when = [](const ASN1_TIME* time, int offset_seconds) {
    std::time_t then = std::time(nullptr) + offset_seconds;
    return X509_cmp_time(time, &then);
  };
  const std::string cert = "server.tls_cert: " + os::path_to_utf8(settings.tls_cert);
  if (when(X509_get0_notBefore(certificate), 0) > 0) {
    warnings_.push_back(cert + ": the certificate is not valid yet; clients will refuse it");
  } else if (when(X509_get0_notAfter(certificate), 0) < 0) {
    warnings_.push_back(cert + ": the certificate has expired; clients will refuse it");
  } else if (when(X509_get0_notAfter(certificate), kSoonSeconds) < 0) {
    warnings_.push_back(cert + ": the certificate expires within two weeks");
  }
}

SslPtr TlsContext::start(os::NativeSocket socket) const {
  SslPtr ssl(SSL_new(context_.get()));
  if (ssl != nullptr) {
    SSL_set_fd(ssl.get(), static_cast<int>(socket));
    SSL_set_accept_state(ssl.get());
  }
  return ssl;
}

}  // namespace weir::server
