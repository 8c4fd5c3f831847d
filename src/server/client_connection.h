#pragma once

// One connection of a client: its socket, what has been read and not been used, and the way its
// answers go out.

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "client_stream.h"
#include "terms.h"
#include "weir/base/clock.h"
#include "weir/base/result.h"
#include "weir/config/config.h"
#include "weir/http/request_head.h"
#include "weir/os/socket.h"
#include "weir/os/wait.h"
#include "weir/proxy/client.h"

namespace weir::server {

// Held by the poller or by one worker, never by both at a time.
class ClientConnection final : public proxy::ClientSink {
 public:
  ClientConnection(os::Socket socket, os::Address peer, std::shared_ptr<const Terms> terms);

  os::NativeSocket handle() const { return stream_.handle(); }
  const os::Address& peer() const { return peer_; }

  // Waits for a request of which nothing has come; with TLS, the handshake is done.
  bool is_idle() const { return input_.empty() && stream_.is_open_for_answers(); }
  // Why there is no TLS with this client; "" when nothing is wrong.
  const std::string& handshake_failure() const { return stream_.handshake_failure(); }
  bool spoke_plain_http() const { return stream_.spoke_plain_http(); }
  // The other way round: what came is the beginning of a TLS handshake (its record's type and
  // version), and weir speaks plain HTTP on this connection.
  bool spoke_tls() const { return !stream_.is_secure() && input_.starts_with("\x16\x03"); }

  // Receives what is there, without waiting. False: the client has closed.
  bool receive_available();
  // What has been received and not been used: the next request, or its beginning.
  std::string& input() { return input_; }
  // Length of the complete head at the front of `input`, or 0. Drops the empty lines before it.
  std::size_t head_length();

  // Reads the body that belongs to `head` (whose bytes are off `input` already) into `body`.
  // Errors: kBodyTooLarge, kBadRequest (broken chunk marks), kRequestTimeout, kClientGone.
  std::optional<base::Error> read_body(const http::RequestHead& head, std::uint64_t bytes_max,
                                       const os::Guards& guards, std::string& body);

  // Before each request: what it and its answer go by.
  void go_by(std::shared_ptr<const Terms> terms) { terms_ = std::move(terms); }
  const config::Server& settings() const { return terms_->settings; }

  // Before each request: whether the connection may live on after it.
  void begin_request(bool keeps_alive) {
    keeps_alive_ = keeps_alive;
    empty_lines_ = 0;
  }

  // Sends what the system takes at once of the last answer on this connection, if the client can
  // read one. For the poller thread, which waits for nobody.
  void write_now(std::string_view bytes);

  // A refused client may still be sending. What lies unread when its socket is closed would make a
  // reset of the end, and it would not see the answer: so only our direction ends at first.
  void shut_down_sending() { stream_.shut_down_sending(); }
  // Then reads and forgets what is there, without waiting. False: close it now, since the client
  // has closed, or has sent `bytes_max` in all.
  bool discard_available(std::size_t bytes_max);
  // Both, waiting for kRefusedDrainMax at most.
  void linger_before_close();

  // proxy::ClientSink
  bool write(std::span<const std::string_view> pieces) override;
  os::NativeSocket watched() const override { return stream_.handle(); }
  bool keeps_alive() const override { return keeps_alive_; }
  void close_after() override { keeps_alive_ = false; }

  base::SteadyTime
      waiting_since{};  // for the poller: since when idle, or since the first byte of a head

 private:
  std::optional<base::Error> receive_more(base::SteadyTime deadline, const os::Guards& guards);

  const os::Address peer_;
  std::shared_ptr<const Terms> terms_;
  ClientStream stream_;
  std::string input_;
  std::size_t empty_lines_ = 0;  // dropped since the last request
  std::size_t discarded_bytes_ = 0;
  bool keeps_alive_ = true;
  bool failed_ = false;
};

}  // namespace weir::server
