#include "held_answer.h"

#include "weir/openai/event_scanner.h"
#include "weir/openai/refusal.h"

namespace weir::proxy {
namespace {

using config::FallbackCause;
using openai::Refusal;
using upstream::Exchange;
using upstream::FailureKind;

std::optional<FallbackCause> cause_of_refusal(Refusal refusal) {
  switch (refusal) {
    case Refusal::kLoading:
      return FallbackCause::kLoading;
    case Refusal::kContext:
      return FallbackCause::kContext;
    case Refusal::kContent:
      return FallbackCause::kContent;
    case Refusal::kNone:
      break;
  }
  return std::nullopt;
}

bool is_server_failure(int status) {
  return status >= 500 && status <= 504 && status != 501;
}

// Reads until `enough` says so, the end, or the time is over.
template <class Enough>
void read_until(HeldAnswer& answer, base::SteadyTime release_at, const Enough& enough) {
  while (answer.held.size() < kHeldBytesMax) {
    const auto piece = answer.exchange->next(release_at);
    switch (piece.kind) {
      case Exchange::PieceKind::kBytes:
        answer.held += piece.bytes;
        if (enough(piece.bytes)) {
          return;
        }
        break;
      case Exchange::PieceKind::kEnd:
        answer.at_end = true;
        return;
      case Exchange::PieceKind::kPause:
        return;
      case Exchange::PieceKind::kFailed:
        answer.failure = piece.failure;
        answer.cause = cause_of(piece.failure);
        return;
    }
  }
}

void hold_stream(HeldAnswer& answer, base::SteadyTime release_at) {
  openai::EventScanner scanner;
  read_until(answer, release_at, [&](std::string_view bytes) {
    scanner.feed(bytes);
    return scanner.first_event().has_value() || scanner.first_event_skipped();
  });
  if (!answer.failure && scanner.first_event()) {
    answer.cause = cause_of_refusal(openai::classify_first_event(*scanner.first_event()));
  }
}

void hold_body(HeldAnswer& answer, base::SteadyTime release_at) {
  read_until(answer, release_at, [](std::string_view) { return false; });
  if (answer.failure) {
    return;
  }
  const int status = answer.exchange->status();
  answer.cause = cause_of_refusal(openai::classify_answer(status, answer.held));
  if (!answer.cause && is_server_failure(status)) {
    answer.cause = FallbackCause::kError;
  }
}

}  // namespace

std::optional<FallbackCause> cause_of(const upstream::Failure& failure) {
  switch (failure.kind) {
    case FailureKind::kDown:
      return FallbackCause::kDown;
    case FailureKind::kBusy:
      return FallbackCause::kBusy;
    case FailureKind::kTimeout:
    case FailureKind::kBroken:
    case FailureKind::kNotHttp:
      return FallbackCause::kError;
    case FailureKind::kClientGone:
    case FailureKind::kStopped:
    case FailureKind::kNoSockets:
      break;
  }
  return std::nullopt;
}

HeldAnswer hold_answer(upstream::Exchange exchange, base::SteadyTime release_at) {
  HeldAnswer answer;
  answer.exchange = std::move(exchange);
  if (answer.exchange->is_event_stream() && answer.exchange->status() == 200) {
    hold_stream(answer, release_at);
  } else {
    hold_body(answer, release_at);
  }
  return answer;
}

}  // namespace weir::proxy
