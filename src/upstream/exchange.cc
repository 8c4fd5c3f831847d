#include "weir/upstream/exchange.h"

#include <algorithm>

#include "exchange_state.h"
#include "weir/base/text.h"

namespace weir::upstream {

Exchange::Exchange(std::unique_ptr<State> state) : state_(std::move(state)) {
}
Exchange::Exchange(Exchange&&) noexcept = default;
Exchange& Exchange::operator=(Exchange&&) noexcept = default;
Exchange::~Exchange() = default;

int Exchange::status() const {
  return state_->head.status;
}
std::string_view Exchange::reason_phrase() const {
  return state_->head.reason_phrase;
}
const std::vector<http::RawField>& Exchange::fields() const {
  return state_->head.fields;
}
std::string_view Exchange::value_of(std::string_view name) const {
  return state_->head.value_of(name);
}
bool Exchange::has_body() const {
  return state_->framing.framing != http::Framing::kNone;
}

std::optional<std::uint64_t> Exchange::content_length() const {
  return state_->framing.framing == http::Framing::kLength ? std::optional(state_->framing.length)
                                                           : std::nullopt;
}

bool Exchange::is_event_stream() const {
  return base::starts_with_ignoring_case(value_of("Content-Type"), "text/event-stream");
}

void Exchange::leave_place() {
  state_->place.reset();
}

void Exchange::State::finish() {
  at_end = true;
  if (framing.keeps_alive && connection->sent_all() && connection->buffered().empty()) {
    pool->give_back(std::move(connection));
  }
  connection.reset();
  place.reset();
}

std::optional<Exchange::Piece> Exchange::State::read_more(base::SteadyTime pause_at) {
  const auto deadline = at_start ? first_byte_deadline : last_byte + idle_timeout;
  const auto fill = connection->fill(std::min(deadline, pause_at), guards);
  switch (fill.status) {
    case Connection::FillStatus::kDone:
      last_byte = std::chrono::steady_clock::now();
      return std::nullopt;
    case Connection::FillStatus::kDeadline:
      if (pause_at < deadline) {
        return Piece{PieceKind::kPause, {}, {}};
      }
      return failed({FailureKind::kTimeout, at_start ? "no first byte within timeout"
                                                     : "silence for longer than idle_timeout"});
    case Connection::FillStatus::kEnd:
      if (decoder.close_is_end()) {
        finish();
        return Piece{PieceKind::kEnd, {}, {}};
      }
      return failed(
          {FailureKind::kBroken, "the upstream closed the connection in the middle of its answer"});
    case Connection::FillStatus::kFailed:
      break;
  }
  return failed(fill.failure);
}

Exchange::Piece Exchange::next(base::SteadyTime pause_at) {
  State& state = *state_;
  if (state.at_end) {
    return {PieceKind::kEnd, {}, {}};
  }
  state.connection->consume(state.unconsumed);
  state.unconsumed = 0;
  while (!state.at_end) {
    const auto step = state.decoder.step(state.connection->buffered());
    state.connection->consume(step.skip);
    switch (step.status) {
      case http::BodyDecoder::Status::kPayload:
        state.unconsumed = step.payload.size();
        state.at_start = false;
        return {PieceKind::kBytes, step.payload, {}};
      case http::BodyDecoder::Status::kBroken:
        return state.failed({FailureKind::kBroken, "the upstream broke its chunk framing"});
      case http::BodyDecoder::Status::kEnd:
        state.finish();
        break;
      case http::BodyDecoder::Status::kNeedMore:
        if (auto piece = state.read_more(pause_at)) {
          return *piece;
        }
        break;
    }
  }
  return {PieceKind::kEnd, {}, {}};
}

}  // namespace weir::upstream
