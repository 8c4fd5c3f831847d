#include "relay.h"

#include "weir/openai/error_reply.h"
#include "weir/openai/event_scanner.h"

namespace weir::proxy {
namespace {

using upstream::Exchange;
using upstream::FailureKind;

constexpr std::size_t kTailBytes = 4096;  // the end of a plain answer, where its usage stands

// Looks at what passes, on the side: where events end, and what the upstream counted.
class Observer {
 public:
  explicit Observer(bool is_stream) : is_stream_(is_stream) {}

  void see(std::string_view bytes) {
    if (is_stream_) {
      scanner_.feed(bytes);
      return;
    }
    if (bytes.size() >= kTailBytes) {
      tail_ = bytes.substr(bytes.size() - kTailBytes);
    } else {
      tail_.erase(0, tail_.size() - std::min(tail_.size(), kTailBytes - bytes.size()));
      tail_ += bytes;
    }
  }

  std::optional<std::uint64_t> usage_prompt_tokens() const {
    return is_stream_ ? scanner_.usage_prompt_tokens() : openai::usage_prompt_tokens(tail_);
  }
  bool is_complete() const { return is_stream_ && scanner_.done_seen(); }

  // What a broken stream still says: an event that no parser can take for a part of the one that
  // was cut.
  std::string last_words(const upstream::Failure& failure) const {
    if (!is_stream_) {
      return "";
    }
    const bool stopping = failure.kind == FailureKind::kStopped;
    const base::Error error{
        stopping ? base::ErrorCode::kDraining : base::ErrorCode::kUpstreamUnreachable,
        "the answer is not complete: " + failure.cause};
    return (scanner_.at_boundary() ? "" : "\n\n") + openai::error_event(error);
  }

 private:
  const bool is_stream_;
  openai::EventScanner scanner_;
  std::string tail_;
};

void client_left(metrics::RequestRecord& record, const Observer& observer) {
  if (!observer.is_complete()) {  // after [DONE] a client may leave: it has all
    record.client_closed = true;
    record.status = 499;
  }
}

}  // namespace

std::optional<upstream::Failure> relay(HeldAnswer answer, const ExtraHeaders& extra,
                                       ReplyWriter& writer, metrics::RequestRecord& record) {
  Exchange& exchange = *answer.exchange;
  Observer observer(exchange.is_event_stream());
  writer.start(exchange, extra);
  observer.see(answer.held);
  bool client_there = writer.piece(answer.held);
  // The head of a stream goes out at once; that of a plain answer together with its first bytes.
  auto pause_at = exchange.is_event_stream() ? base::SteadyTime() : base::SteadyTime::max();
  std::optional<upstream::Failure> failure = answer.failure;
  bool at_end = answer.at_end;
  while (client_there && !at_end && !failure) {
    auto piece = exchange.next(pause_at);
    switch (piece.kind) {
      case Exchange::PieceKind::kBytes:
        observer.see(piece.bytes);
        client_there = writer.piece(piece.bytes);
        break;
      case Exchange::PieceKind::kPause:
        client_there = writer.flush();
        pause_at = base::SteadyTime::max();
        break;
      case Exchange::PieceKind::kEnd:
        at_end = true;
        break;
      case Exchange::PieceKind::kFailed:
        failure = std::move(piece.failure);
        break;
    }
  }
  record.usage_prompt_tokens = observer.usage_prompt_tokens();
  if (client_there && at_end) {
    client_there = writer.finish();
  }
  if (!client_there || (failure && failure->kind == FailureKind::kClientGone)) {
    client_left(record, observer);
    writer.abort("");  // whatever it sent ahead is not served
  } else if (failure && !writer.has_sent()) {
    return failure;
  } else if (failure) {
    record.cause = failure->cause;
    record.is_cut = failure->kind != FailureKind::kStopped;
    writer.abort(observer.last_words(*failure));
  }
  return std::nullopt;
}

}  // namespace weir::proxy
