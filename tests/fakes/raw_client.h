#pragma once

// A client that sends and reads bytes, and leaves in the way that a test wants.

#include <cstdint>
#include <string>
#include <string_view>

#include "byte_stream.h"

namespace weir::fakes {

struct Reply {
  int status = 0;  // 0: no head came
  std::string head;
  std::string body;       // transfer framing taken off
  bool is_whole = false;  // it ended as its head said that it would
  bool is_chunked = false;
  std::string framed_body;  // as it came
};

class RawClient {
 public:
  explicit RawClient(std::uint16_t port, const std::string& host = "127.0.0.1");

  // Goes on through TLS. False when the handshake failed.
  bool start_tls(SSL_CTX* context) { return stream_.start_tls(context); }
  const ByteStream& stream() const { return stream_; }

  bool is_connected() const { return stream_.is_open(); }
  bool send(std::string_view bytes) { return stream_.send(bytes); }

  // Reads until `text` has come (behind what earlier calls found). False: it did not.
  bool read_until(std::string_view text);
  // Everything until the server closes.
  Got read_to_end();
  // The next whole reply; what follows it stays for the next call. `method`: HEAD has no body.
  Reply read_reply(std::string_view method = "POST");
  // What has come and no read_reply has taken.
  const std::string& received() const { return received_; }

  // Waits until the server has closed; kTimeout when it does not.
  Got wait_for_close();

  void leave() { stream_.close(); }  // FIN
  void reset() { stream_.reset(); }  // RST
  void half_close() { stream_.half_close(); }

 private:
  bool receive_more();
  bool read_body(std::string_view method, Reply& reply);
  void take(Reply& reply, std::size_t body_bytes);

  ByteStream stream_;
  std::string received_;
  std::size_t searched_ = 0;
  Got last_ = Got::kBytes;
};

// The text of a request: method and path, `header_lines` (each with CRLF) and a body with its
// Content-Length ("" for none).
std::string request_text(std::string_view method_and_path, std::string_view header_lines,
                         std::string_view body);

}  // namespace weir::fakes
