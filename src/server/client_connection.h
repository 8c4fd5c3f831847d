#pragma once

// One connection of a client: its socket, what has been read and not been used, and the way its
// answers go out.

#include <optional>
#include <span>
#include <string>
#include <string_view>

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
  ClientConnection(os::Socket socket, os::Address peer, const config::Server& settings);

  os::NativeSocket handle() const { return socket_.handle(); }
  const os::Address& peer() const { return peer_; }

  // Receives what is there, without waiting. False: the client has closed.
  bool receive_available();
  // What has been received and not been used: the next request, or its beginning.
  std::string& input() { return input_; }
  // Length of the complete head at the front of `input`, or 0.
  std::size_t head_length() const { return http::end_of_head(input_); }

  // Reads the body that belongs to `head` (whose bytes are off `input` already) into `body`.
  // Errors: kBodyTooLarge, kBadRequest (broken chunk marks), kRequestTimeout, kClientGone.
  std::optional<base::Error> read_body(const http::RequestHead& head, std::uint64_t bytes_max,
                                       const os::Guards& guards, std::string& body);

  // Before each request: whether the connection may live on after it.
  void begin_request(bool keeps_alive) { keeps_alive_ = keeps_alive; }

  // Sends what the system takes at once of the last answer on this connection. For the poller
  // thread, which waits for nobody.
  void write_now(std::string_view bytes);

  // A refused client may still be sending: reads and forgets for a moment, so that it sees the
  // answer and not a reset.
  void linger_before_close();

  // proxy::ClientSink
  bool write(std::span<const std::string_view> pieces) override;
  os::NativeSocket watched() const override { return socket_.handle(); }
  bool keeps_alive() const override { return keeps_alive_; }
  void close_after() override { keeps_alive_ = false; }

  base::SteadyTime
      waiting_since{};  // for the poller: since when idle, or since the first byte of a head

 private:
  std::optional<base::Error> receive_more(base::SteadyTime deadline, const os::Guards& guards);

  os::Socket socket_;
  const os::Address peer_;
  const config::Server& settings_;
  std::string input_;
  bool keeps_alive_ = true;
  bool failed_ = false;
};

}  // namespace weir::server
