#pragma once

// The bytes of one client's connection, plain or through TLS, without waiting: what cannot be done
// now says kWouldBlock, and `wanted` says what to wait for.

#include <span>
#include <string>
#include <string_view>

#include "tls_context.h"
#include "weir/os/socket.h"
#include "weir/os/wait.h"

namespace weir::server {

class ClientStream {
 public:
  // `tls` may be null; it is used here only.
  ClientStream(os::Socket socket, const TlsContext* tls);
  // Ends TLS properly where that can be done at once.
  ~ClientStream();
  ClientStream(const ClientStream&) = delete;
  ClientStream& operator=(const ClientStream&) = delete;

  os::NativeSocket handle() const { return socket_.handle(); }

  // `into` holds a whole TLS record, so that nothing is kept back that a later wait would not see.
  // The handshake goes on in here.
  os::IoResult receive(std::span<char> into);
  // What TLS takes of `pieces` is one record. The same bytes must be offered again after
  // kWouldBlock.
  os::IoResult send(std::span<const std::string_view> pieces);
  // What the last kWouldBlock waits for.
  os::Interest wanted(os::Interest plain) const { return ssl_ ? wanted_ : plain; }

  // Bytes of an answer could be sent: there is no TLS, or its handshake is done.
  bool is_open_for_answers() const {
    return !is_broken_ && (!ssl_ || SSL_is_init_finished(ssl_.get()));
  }
  bool is_secure() const { return ssl_ != nullptr; }
  // The client began to speak plain HTTP where TLS is spoken.
  bool spoke_plain_http() const { return spoke_plain_http_; }
  // Why there is no TLS with this client; "" while there may be.
  const std::string& handshake_failure() const { return handshake_failure_; }
  // The answer for one that spoke plain HTTP, in the clear.
  void send_in_the_clear(std::string_view bytes);

  void shut_down_sending();
  // Reads what nobody wants, past TLS. Nothing can be received afterwards.
  os::IoResult discard(std::span<char> into);

 private:
  os::IoResult result_of(int returned);
  void say_goodbye();

  os::Socket socket_;
  SslPtr ssl_;
  os::Interest wanted_ = os::Interest::kRead;
  bool is_broken_ = false;
  bool spoke_plain_http_ = false;
  std::string handshake_failure_;
};

}  // namespace weir::server
