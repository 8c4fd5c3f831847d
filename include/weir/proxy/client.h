#pragma once

// A request as it came from a client, and the way back to it: the seam between server (sockets,
// HTTP) and proxy.

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "weir/base/clock.h"
#include "weir/os/socket.h"

namespace weir::proxy {

// `line` is the whole header line as it came, without its CRLF; `value` is trimmed; nothing is
// decoded.
struct HeaderField {
  std::string_view name;
  std::string_view value;
  std::string_view line;
};

struct ClientRequest {
  std::string_view method;
  std::string path;         // normalised: "/v1/chat/completions"
  std::string_view target;  // as it came
  std::vector<HeaderField> headers;
  std::string body;      // as received, transfer framing taken off
  std::string id;        // X-Request-Id, or one of our own
  std::string key_name;  // of the one of server.keys that it shows; "" when none are wanted
  std::string peer_ip;
  bool peer_is_loopback = false;
  bool http_1_0 = false;
  base::SteadyTime received{};  // when its head was complete

  // The value of the first field of that name in any letter case; "" when there is none.
  std::string_view value_of(std::string_view name) const;
};

// Where the bytes of the answer go. One thread.
class ClientSink {
 public:
  virtual ~ClientSink() = default;

  // Sends all of `pieces`, waiting as long as the client reads. False: the client has gone, or
  // reads nothing for send_timeout; nothing more can be sent.
  virtual bool write(std::span<const std::string_view> pieces) = 0;

  // For os::Guards: becomes "gone" when the client leaves. kNoSocket where there is none.
  virtual os::NativeSocket watched() const = 0;

  // Whether the connection is to carry another request after this one; says what the Connection
  // header must say.
  virtual bool keeps_alive() const = 0;
  // The answer is not whole, or ends with the connection: close it afterwards.
  virtual void close_after() = 0;
};

}  // namespace weir::proxy
