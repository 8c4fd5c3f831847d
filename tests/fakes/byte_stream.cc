#include "byte_stream.h"

#include <openssl/err.h>
#include <openssl/x509.h>

#include "weir/os/wait.h"

namespace weir::fakes {
namespace {

constexpr std::size_t kBlockBytes = 65536;

bool is_ready(os::NativeSocket socket, os::Interest interest, base::SteadyTime deadline) {
  return os::wait_for(socket, interest, deadline, {}) == os::WaitOutcome::kReady;
}

}  // namespace

bool ByteStream::wait(int ssl_error, base::SteadyTime deadline) const {
  if (ssl_error != SSL_ERROR_WANT_READ && ssl_error != SSL_ERROR_WANT_WRITE) {
    ERR_clear_error();
    return false;
  }
  const auto interest =
      ssl_error == SSL_ERROR_WANT_READ ? os::Interest::kRead : os::Interest::kWrite;
  return is_ready(socket_.handle(), interest, deadline);
}

bool ByteStream::accept_tls(SSL_CTX* context) {
  tls_.reset(SSL_new(context));
  SSL_set_fd(tls_.get(), static_cast<int>(socket_.handle()));
  SSL_set_accept_state(tls_.get());
  return shake_hands();
}

bool ByteStream::start_tls(SSL_CTX* context, const char* host) {
  tls_.reset(SSL_new(context));
  SSL_set_fd(tls_.get(), static_cast<int>(socket_.handle()));
  SSL_set_tlsext_host_name(tls_.get(), host);
  SSL_set1_host(tls_.get(), host);
  SSL_set_connect_state(tls_.get());
  return shake_hands();
}

std::string ByteStream::alpn() const {
  const unsigned char* name = nullptr;
  unsigned int length = 0;
  SSL_get0_alpn_selected(tls_.get(), &name, &length);
  return std::string(reinterpret_cast<const char*>(name), length);
}

std::string ByteStream::peer_name() const {
  char name[256] = {};
  const X509* certificate = SSL_get0_peer_certificate(tls_.get());
  X509_NAME_get_text_by_NID(X509_get_subject_name(certificate), NID_commonName, name, sizeof name);
  return name;
}

std::string ByteStream::tls_version() const {
  return SSL_get_version(tls_.get());
}

bool ByteStream::shake_hands() {
  for (;;) {
    const int result = SSL_do_handshake(tls_.get());
    if (result == 1) {
      return true;
    }
    if (!wait(SSL_get_error(tls_.get(), result), patience())) {
      return false;
    }
  }
}

std::string ByteStream::tls_server_name() const {
  const char* name = tls_ ? SSL_get_servername(tls_.get(), TLSEXT_NAMETYPE_host_name) : nullptr;
  return name == nullptr ? "" : name;
}

bool ByteStream::send(std::string_view bytes) {
  while (!bytes.empty()) {
    if (tls_) {
      const int sent = SSL_write(tls_.get(), bytes.data(), static_cast<int>(bytes.size()));
      if (sent > 0) {
        bytes.remove_prefix(static_cast<std::size_t>(sent));
      } else if (!wait(SSL_get_error(tls_.get(), sent), patience())) {
        return false;
      }
      continue;
    }
    const os::IoResult sent = os::send(socket_.handle(), {&bytes, 1});
    if (sent.status == os::IoStatus::kDone) {
      bytes.remove_prefix(sent.bytes);
    } else if (sent.status != os::IoStatus::kWouldBlock ||
               !is_ready(socket_.handle(), os::Interest::kWrite, patience())) {
      return false;
    }
  }
  return true;
}

Got ByteStream::receive_tls(std::string& into, base::SteadyTime deadline) {
  char block[kBlockBytes];
  for (;;) {
    const int got = SSL_read(tls_.get(), block, sizeof block);
    if (got > 0) {
      into.append(block, static_cast<std::size_t>(got));
      return Got::kBytes;
    }
    const int error = SSL_get_error(tls_.get(), got);
    if (error == SSL_ERROR_ZERO_RETURN) {
      return Got::kFin;
    }
    if (error != SSL_ERROR_WANT_READ && error != SSL_ERROR_WANT_WRITE) {
      ERR_clear_error();
      return how_it_ended();
    }
    if (!wait(error, deadline)) {
      return Got::kTimeout;
    }
  }
}

Got ByteStream::receive(std::string& into, base::SteadyTime deadline) {
  if (tls_) {
    return receive_tls(into, deadline);
  }
  char block[kBlockBytes];
  for (;;) {
    const os::IoResult got = os::receive(socket_.handle(), block);
    switch (got.status) {
      case os::IoStatus::kDone:
        into.append(block, got.bytes);
        return Got::kBytes;
      case os::IoStatus::kEnd:
        return Got::kFin;
      case os::IoStatus::kFailed:
        return Got::kReset;
      case os::IoStatus::kWouldBlock:
        break;
    }
    if (!is_ready(socket_.handle(), os::Interest::kRead, deadline)) {
      return Got::kTimeout;
    }
  }
}

Got ByteStream::how_it_ended() {
  char block[kBlockBytes];
  for (;;) {
    const os::IoResult got = os::receive(socket_.handle(), block);
    if (got.status == os::IoStatus::kEnd || got.status == os::IoStatus::kWouldBlock) {
      return Got::kFin;
    }
    if (got.status == os::IoStatus::kFailed) {
      return Got::kReset;
    }
  }
}

void ByteStream::half_close() {
  os::shut_down_sending(socket_.handle());
}

void ByteStream::close() {
  tls_.reset();
  socket_.close();
}

void ByteStream::reset() {
  os::reset_on_close(socket_.handle());
  close();
}

}  // namespace weir::fakes
