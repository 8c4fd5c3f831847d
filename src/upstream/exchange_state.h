#pragma once

// What an Exchange holds while its answer is read.

#include <memory>
#include <optional>

#include "admission.h"
#include "connection.h"
#include "pool.h"
#include "weir/http/body_decoder.h"
#include "weir/upstream/exchange.h"

namespace weir::upstream {

struct Exchange::State {
  std::optional<Admission::Place> place;  // given back when the connection is free or closed
  std::unique_ptr<Connection> connection;  // null when the answer has been read to its end
  Pool* pool = nullptr;
  os::Guards guards;
  http::ResponseHead head;
  http::BodyFraming framing;
  http::BodyDecoder decoder;
  base::SteadyTime first_byte_deadline;
  std::chrono::steady_clock::duration idle_timeout;
  base::SteadyTime last_byte;
  std::size_t unconsumed = 0;  // bytes of the piece that was given out last
  bool at_start = true;
  bool at_end = false;

  Piece failed(Failure failure) const { return {PieceKind::kFailed, {}, std::move(failure)}; }
  // The whole answer has been read: the next request may have the connection and the place.
  void finish();
  // Nothing when there is more to decode.
  std::optional<Piece> read_more(base::SteadyTime pause_at);
};

}  // namespace weir::upstream
