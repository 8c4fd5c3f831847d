#pragma once

// One answer of an upstream, read piece by piece on the caller's thread. Bytes are given as they
// came, with only the transfer framing (chunk marks) taken off.

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "weir/base/clock.h"
#include "weir/http/response_head.h"
#include "weir/os/wait.h"
#include "weir/upstream/failure.h"

namespace weir::upstream {

class Exchange {
 public:
  struct State;
  explicit Exchange(std::unique_ptr<State> state);
  // Closes the connection unless the answer was read to its end: that is what stops a paid call when
  // the client has gone.
  ~Exchange();
  Exchange(Exchange&&) noexcept;
  Exchange& operator=(Exchange&&) noexcept;

  int status() const;
  std::string_view reason_phrase() const;
  // In the order in which they came; valid as long as the exchange.
  const std::vector<http::RawField>& fields() const;
  // The trimmed value of the first field of that name in any letter case; "" when there is none.
  std::string_view value_of(std::string_view name) const;
  // Bytes of the body as announced by Content-Length; nothing when chunked or ended by the close.
  std::optional<std::uint64_t> content_length() const;
  bool has_body() const;
  bool is_event_stream() const;

  enum class PieceKind { kBytes, kEnd, kPause, kFailed };
  struct Piece {
    PieceKind kind = PieceKind::kEnd;
    std::string_view bytes;  // kBytes: valid until the next call
    Failure failure;         // kFailed
  };
  // The next bytes of the body, as soon as there are any. kPause when `pause_at` came first: call
  // again. The upstream's `timeout` (until the first body byte, counted from the sending of the
  // request) and `idle_timeout` end it with kFailed. With kEnd the connection is free for the next
  // request, and so is the place at the server.
  Piece next(base::SteadyTime pause_at = base::SteadyTime::max());
  // Gives the place back before the end: a server that has refused is at work on it no longer.
  void leave_place();

 private:
  friend class Upstream;
  std::unique_ptr<State> state_;
};

}  // namespace weir::upstream
