#include "client_stream.h"

#include <openssl/err.h>

#include <algorithm>

namespace weir::server {
namespace {

constexpr std::size_t kRecordBytesMax = 16384;

}  // namespace

ClientStream::ClientStream(os::Socket socket, const TlsContext* tls) : socket_(std::move(socket)) {
  if (tls != nullptr) {
    ssl_ = tls->start(socket_.handle());
    is_broken_ = ssl_ == nullptr;
  }
}

ClientStream::~ClientStream() {
  say_goodbye();
}

void ClientStream::say_goodbye() {
  if (ssl_ && is_open_for_answers() && (SSL_get_shutdown(ssl_.get()) & SSL_SENT_SHUTDOWN) == 0) {
    ERR_clear_error();
    SSL_shutdown(ssl_.get());  // sends what says that nothing was cut off; waits for nobody
    ERR_clear_error();
  }
}

os::IoResult ClientStream::result_of(int returned) {
  const int error = SSL_get_error(ssl_.get(), returned);
  if (error == SSL_ERROR_WANT_READ || error == SSL_ERROR_WANT_WRITE) {
    wanted_ = error == SSL_ERROR_WANT_READ ? os::Interest::kRead : os::Interest::kWrite;
    return {os::IoStatus::kWouldBlock, 0};
  }
  if (error == SSL_ERROR_ZERO_RETURN) {
    return {os::IoStatus::kEnd, 0};
  }
  const int reason = ERR_GET_REASON(ERR_peek_last_error());
  spoke_plain_http_ = reason == SSL_R_HTTP_REQUEST || reason == SSL_R_HTTPS_PROXY_REQUEST;
  if (!SSL_is_init_finished(ssl_.get()) && reason != 0) {
    const char* words = ERR_reason_error_string(ERR_peek_last_error());
    handshake_failure_ = words != nullptr ? words : "error " + std::to_string(reason);
  }
  is_broken_ = true;
  ERR_clear_error();
  return {os::IoStatus::kFailed, 0};
}

void ClientStream::send_in_the_clear(std::string_view bytes) {
  const std::string_view pieces[] = {bytes};
  os::send(socket_.handle(), pieces);
}

os::IoResult ClientStream::discard(std::span<char> into) {
  return os::receive(socket_.handle(), into);
}

os::IoResult ClientStream::receive(std::span<char> into) {
  if (is_broken_) {
    return {os::IoStatus::kFailed, 0};
  }
  if (!ssl_) {
    return os::receive(socket_.handle(), into);
  }
  ERR_clear_error();
  const int got = SSL_read(ssl_.get(), into.data(), static_cast<int>(into.size()));
  if (got > 0) {
    return {os::IoStatus::kDone, static_cast<std::size_t>(got)};
  }
  return result_of(got);
}

os::IoResult ClientStream::send(std::span<const std::string_view> pieces) {
  if (is_broken_) {
    return {os::IoStatus::kFailed, 0};
  }
  if (!ssl_) {
    return os::send(socket_.handle(), pieces);
  }
  std::string record;  // one for all small pieces, such as the marks of a chunk
  std::string_view bytes = pieces.empty() ? std::string_view() : pieces.front();
  if (pieces.size() > 1 && bytes.size() < kRecordBytesMax) {
    for (const std::string_view piece : pieces) {
      record.append(piece.substr(0, kRecordBytesMax - record.size()));
    }
    bytes = record;
  }
  ERR_clear_error();
  const int sent = SSL_write(ssl_.get(), bytes.data(),
                             static_cast<int>(std::min(bytes.size(), kRecordBytesMax)));
  if (sent > 0) {
    return {os::IoStatus::kDone, static_cast<std::size_t>(sent)};
  }
  return result_of(sent);
}

void ClientStream::shut_down_sending() {
  say_goodbye();
  os::shut_down_sending(socket_.handle());
}

}  // namespace weir::server
