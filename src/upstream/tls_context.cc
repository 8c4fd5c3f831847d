#include "tls_context.h"

#include <openssl/err.h>
#include <openssl/x509v3.h>

#include "weir/os/process.h"

namespace weir::upstream {
namespace {

constexpr unsigned char kHttp11[] = {8, 'h', 't', 't', 'p', '/', '1', '.', '1'};

bool is_ip_address(const std::string& host) {
  ASN1_OCTET_STRING* ip = a2i_IPADDRESS(host.c_str());
  ASN1_OCTET_STRING_free(ip);
  return ip != nullptr;
}

}  // namespace

base::Result<std::unique_ptr<TlsContext>> TlsContext::open(const config::Upstream& settings) {
  auto tls = std::make_unique<TlsContext>();
  tls->host_ = settings.base_url.host;
  tls->context_.reset(SSL_CTX_new(TLS_client_method()));
  SSL_CTX* context = tls->context_.get();
  SSL_CTX_set_min_proto_version(context, TLS1_2_VERSION);
  SSL_CTX_set_verify(context, SSL_VERIFY_PEER, nullptr);
  SSL_CTX_set_mode(context, SSL_MODE_ENABLE_PARTIAL_WRITE | SSL_MODE_ACCEPT_MOVING_WRITE_BUFFER);
  SSL_CTX_set_alpn_protos(context, kHttp11, sizeof kHttp11);
  const std::string ca_file = os::path_to_utf8(settings.ca_file);
  if (ca_file.empty()) {
    SSL_CTX_set_default_verify_paths(context);
  } else if (SSL_CTX_load_verify_file(context, ca_file.c_str()) != 1) {
    ERR_clear_error();
    return base::Error{
        base::ErrorCode::kBadConfig,
        settings.full_name() + ".ca_file: no certificate (PEM) could be read from " + ca_file};
  }
  return tls;
}

SslPtr TlsContext::start(os::NativeSocket socket) const {
  SslPtr ssl(SSL_new(context_.get()));
  SSL_set_fd(ssl.get(), static_cast<int>(socket));
  SSL_set_connect_state(ssl.get());
  if (is_ip_address(host_)) {
    X509_VERIFY_PARAM_set1_ip_asc(SSL_get0_param(ssl.get()), host_.c_str());
  } else {
    SSL_set_tlsext_host_name(ssl.get(), host_.c_str());
    SSL_set1_host(ssl.get(), host_.c_str());
  }
  return ssl;
}

std::string tls_failure(SSL* ssl) {
  const long verified = SSL_get_verify_result(ssl);
  const unsigned long code = ERR_peek_last_error();
  std::string words = "the connection was closed";
  if (verified != X509_V_OK) {
    words = std::string("the certificate was refused: ") + X509_verify_cert_error_string(verified) +
            " (a private authority is given with ca_file)";
  } else if (code != 0) {
    const char* reason = ERR_reason_error_string(code);
    words = reason != nullptr ? reason : "error " + std::to_string(code);
  }
  ERR_clear_error();
  return words;
}

}  // namespace weir::upstream
