#include "weir/proxy/chat_flow.h"

#include <charconv>
#include <cmath>
#include <exception>

#include "header_rules.h"
#include "held_answer.h"
#include "relay.h"
#include "reply_writer.h"
#include "way.h"
#include "weir/base/text.h"
#include "weir/config/steady.h"
#include "weir/openai/chat_request.h"
#include "weir/openai/refusal.h"
#include "weir/proxy/routing_facts.h"

namespace weir::proxy {
namespace {

using base::ErrorCode;
using upstream::FailureKind;
using upstream::HealthState;

constexpr std::string_view kChatEndpoint = "/chat/completions";
// A client that asks again as soon as it has its answer may be a moment ahead of the place that its
// last request gives back: that is no full server, and must not cost money.
constexpr config::Seconds kPlaceWaitMin{0.1};

// What a local server that was down a moment ago gets to take a connection, while another upstream
// would take the request: enough for one that is back, and no time lost with one that is not.
constexpr config::Seconds kKnownDownConnectMax{0.1};

constexpr std::string_view kTimeoutHeader = "X-Weir-Timeout";
constexpr config::Seconds kRequestTimeoutMax{3600};  // what a request can ask for
constexpr std::size_t kModelBytesShown = 128;        // in the log
constexpr int kClientClosedStatus = 499;             // as nginx logs it

std::chrono::microseconds since(base::SteadyTime start) {
  return std::chrono::duration_cast<std::chrono::microseconds>(std::chrono::steady_clock::now() -
                                                               start);
}

// 0 for what is no number of seconds.
double seconds_of(std::string_view text) {
  double seconds = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), seconds);
  const bool is_number = error == std::errc() && end == text.data() + text.size();
  return is_number && std::isfinite(seconds) ? seconds : 0;
}

// What a client calls its model may be anything, a whole prompt too.
std::string shown_model(std::string_view model) {
  std::string shown(model.substr(0, kModelBytesShown));
  const auto cut_character = base::find_invalid_utf8(shown);
  shown.resize(std::min(shown.size(), cut_character));
  return shown;
}

ErrorCode error_code_of(const upstream::Failure& failure) {
  switch (failure.kind) {
    case FailureKind::kBusy:
    case FailureKind::kNoSockets:
      return ErrorCode::kOverloaded;
    case FailureKind::kTimeout:
      return ErrorCode::kUpstreamTimeout;
    case FailureKind::kStopped:
      return ErrorCode::kDraining;
    case FailureKind::kClientGone:
      return ErrorCode::kClientGone;
    default:
      return ErrorCode::kUpstreamUnreachable;
  }
}

// One request. The steps stand in the order in which `run` takes them.
class ChatFlow {
 public:
  ChatFlow(const Services& services, const ClientRequest& request, ClientSink& sink)
      : services_(services), request_(request), sink_(sink), writer_(request, sink, record_) {
    record_.id = request.id;
    record_.path = request.path;
    record_.key = request.key_name;
    record_.request_bytes = request.body.size();
  }

  void run() {
    auto way = way_from_here(request_.value_of(kWayHeader), services_.own_name);
    if (!way) {
      return fail(way.error());
    }
    way_ = *std::move(way);
    const auto chat = openai::ChatRequest::parse(request_.body);
    if (!chat) {
      return fail(chat.error());
    }
    render(*chat);
    facts_ = routing_facts(services_, *chat, record_.prompt_tokens.value_or(0),
                           request_.value_of("X-Weir-Route"));
    auto decision = decide_by_bounds();
    if (!decision) {
      count();
      auto decided = routing::decide(services_.config, facts_);
      if (!decided) {
        return fail(decided.error());
      }
      decision = *std::move(decided);
    }
    HeldAnswer answer = ask(*chat, *decision);
    if (must_fall_back(*decision, answer)) {
      return fall_back(*chat, *decision, std::move(answer));
    }
    deliver(*decision, std::move(answer));
  }

  void fail(const base::Error& error) {
    record_.cause = error.message;
    if (error.code == ErrorCode::kClientGone) {
      record_.client_closed = true;
      record_.status = kClientClosedStatus;
      sink_.close_after();
    } else if (!writer_.has_sent()) {
      writer_.error(error, extra_headers(false));
    } else {
      sink_.close_after();
    }
  }

  // The access line and the counters: always, whatever happened.
  void record() {
    record_.total = since(request_.received);
    services_.counters.record(record_);
    log_access();
    warn_of_counts();
  }

 private:
  void render(const openai::ChatRequest& chat) {
    const auto start = std::chrono::steady_clock::now();
    record_.is_text_only = chat.images() + chat.audios() + chat.files() == 0;
    counter_ = services_.counter.current();
    try {
      prompt_ = counter_->render(chat);
    } catch (const std::exception& error) {
      take_estimate(error);
    }
    record_.count_time = since(start);
  }

  // The way of a request whose length cannot change it: one that is short, or long, however many
  // tokens its bytes turn out to be, and one that is pinned. It is counted while it is on its way.
  std::optional<routing::Decision> decide_by_bounds() {
    if (record_.prompt_tokens) {
      return std::nullopt;
    }
    const tokenizer::TokenBounds bounds = counter_->bounds(prompt_);
    facts_.prompt_tokens = bounds.at_most;
    auto decision = routing::decide(services_.config, facts_);
    if (decision && (decision->reason == routing::Reason::kShort ||
                     decision->reason == routing::Reason::kPinned)) {
      return *std::move(decision);
    }
    facts_.prompt_tokens = bounds.at_least;
    decision = routing::decide(services_.config, facts_);
    if (decision && decision->reason == routing::Reason::kLong) {
      return *std::move(decision);
    }
    return std::nullopt;
  }

  void count() {
    if (record_.prompt_tokens) {
      return;
    }
    const auto start = std::chrono::steady_clock::now();
    try {
      const PromptCount counted = counter_->count(prompt_);
      record_.prompt_tokens = counted.tokens;
      record_.is_estimate = counted.is_estimate;
    } catch (const std::exception& error) {
      take_estimate(error);
    }
    record_.count_time = *record_.count_time + since(start);
    facts_.prompt_tokens = *record_.prompt_tokens;
    prompt_.text = std::string();  // as long as the answer lasts it would take memory
  }

  // Mostly for want of memory.
  void take_estimate(const std::exception& error) {
    record_.prompt_tokens = request_.body.size() / 4;
    record_.is_estimate = true;
    services_.logger.warn("counting failed, a quarter of the bytes is taken",
                          {{"id", record_.id}, {"cause", error.what()}});
  }

  // Sends the request, and holds the answer back as long as another upstream could still be asked.
  HeldAnswer ask(const openai::ChatRequest& chat, const routing::Decision& decision) {
    upstream::Upstream& upstream = services_.upstream_of(*decision.upstream);
    record_.route = upstream.full_name();
    record_.reason = routing::reason_name(decision.reason);
    record_.model = shown_model(decision.model ? *decision.model : chat.model().value_or(""));
    services_.health.mark_used(upstream.settings());
    const auto outage = known_outage(decision);
    if (outage && outage->is_hung) {
      count();
      HeldAnswer none;
      none.failure = upstream::Failure{FailureKind::kDown, "it does not answer: " + outage->cause};
      none.cause = config::FallbackCause::kDown;
      return none;
    }

    const bool rename = decision.model && decision.model != chat.model();
    const std::string json_model = rename ? openai::json_quoted(*decision.model) : "";
    const auto body =
        rename ? chat.with_model(json_model) : std::vector<std::string_view>{chat.body()};
    std::string lines = lines_for_upstream(request_.headers, decision.upstream->headers);
    lines.append(kWayHeader).append(": ").append(way_).append("\r\n");
    upstream::OutgoingRequest outgoing;
    outgoing.endpoint = kChatEndpoint;
    outgoing.header_lines = lines;
    outgoing.body = body;
    outgoing.timeout = first_byte_limit(chat, *decision.upstream);
    if (outage) {
      outgoing.connect_timeout = std::min(decision.upstream->connect_timeout, kKnownDownConnectMax);
    }
    outgoing.wait_for_place_until =
        std::chrono::steady_clock::now() + config::steady(longest_queue(chat, decision));
    outgoing.on_sent = [this] { count(); };  // while the upstream is at work
    auto attempt = upstream.begin(outgoing, {sink_.watched(), services_.hard_stop.handle()});
    count();  // where nothing was sent
    log_busy(upstream);
    HeldAnswer answer;
    if (!attempt.exchange) {
      answer.failure = std::move(attempt.failure);
      answer.cause = cause_of(*answer.failure);
    } else if (may_fall_back(decision)) {
      answer = hold_answer(
          std::move(*attempt.exchange),
          std::chrono::steady_clock::now() + config::steady(services_.config.routing.hold));
    } else {
      answer.exchange = std::move(attempt.exchange);
    }
    note_health(*decision.upstream, answer);
    return answer;
  }

  // Of each request that took the last place, so not for an ordinary log.
  void log_busy(const upstream::Upstream& upstream) const {
    if (services_.logger.shows(log::Level::kDebug) && upstream.is_full()) {
      services_.logger.write(log::Level::kDebug, "upstream is busy",
                             {{"upstream", upstream.full_name()},
                              {"in_flight", std::to_string(upstream.in_flight())},
                              {"waiting", std::to_string(upstream.waiting())}});
    }
  }

  // What is known to be wrong with a local server, where another upstream would take the request.
  // Clouds are not probed: nobody but a request finds out that one is back.
  std::optional<upstream::Outage> known_outage(const routing::Decision& decision) const {
    const bool decides =
        decision.upstream->kind == config::UpstreamKind::kLocal &&
        routing::may_fall_back(services_.config, facts_, decision, config::FallbackCause::kDown);
    return decides ? services_.health.outage_of(*decision.upstream) : std::nullopt;
  }

  // A request's own "timeout", or X-Weir-Timeout, may lengthen the wait. It never shortens it: an
  // impatient client leaves by itself, and a limit that it sets must not end in a second, paid
  // attempt.
  config::Seconds first_byte_limit(const openai::ChatRequest& chat,
                                   const config::Upstream& settings) const {
    const config::Seconds wanted(std::max(chat.timeout_seconds().value_or(0),
                                          seconds_of(request_.value_of(kTimeoutHeader))));
    return std::max(settings.timeout, std::min(wanted, kRequestTimeoutMax));
  }

  // How long a request waits for a place: as long as it would wait for an answer, unless another
  // upstream would take it.
  config::Seconds longest_queue(const openai::ChatRequest& chat,
                                const routing::Decision& decision) const {
    const bool overflows =
        routing::may_fall_back(services_.config, facts_, decision, config::FallbackCause::kBusy);
    return overflows ? std::max(decision.upstream->queue_wait, kPlaceWaitMin)
                     : first_byte_limit(chat, *decision.upstream);
  }

  // Whether anything that the answer could still turn out to be would lead to a fallback.
  bool may_fall_back(const routing::Decision& decision) const {
    using config::FallbackCause;
    for (const auto cause : {FallbackCause::kLoading, FallbackCause::kContext,
                             FallbackCause::kContent, FallbackCause::kError}) {
      if (routing::may_fall_back(services_.config, facts_, decision, cause)) {
        return true;
      }
    }
    return false;
  }

  bool must_fall_back(const routing::Decision& decision, const HeldAnswer& answer) const {
    return answer.cause &&
           routing::may_fall_back(services_.config, facts_, decision, *answer.cause);
  }

  void note_health(const config::Upstream& settings, const HeldAnswer& answer) {
    HealthState state = HealthState::kReady;
    if (answer.failure && answer.failure->kind == FailureKind::kDown) {
      state = HealthState::kDown;
    } else if (answer.cause == config::FallbackCause::kLoading) {
      state = HealthState::kLoading;
    } else if (!answer.exchange || answer.exchange->status() == 503) {
      return;  // gone, slow, broken or perhaps loading: that says nothing of the next request
    }
    const std::string cause = answer.failure ? answer.failure->cause : "";
    if (services_.health.set_state(settings, state, cause)) {
      log_health_change(services_.logger, settings.full_name(), state, cause);
    }
  }

  // It may answer in a moment.
  static bool is_only_busy(const HeldAnswer& answer) {
    return answer.failure ? answer.failure->kind == FailureKind::kBusy
                          : answer.exchange->status() == 503;
  }

  std::string description(const HeldAnswer& answer) const {
    return answer.failure ? answer.failure->cause
                          : "it answered with status " + std::to_string(answer.exchange->status());
  }

  // A client that has gone costs no second, paid attempt.
  bool client_has_gone() const {
    return os::wait_for(os::kNoSocket, os::Interest::kNothing, base::SteadyTime(),
                        {sink_.watched(), os::kNoSocket}) == os::WaitOutcome::kClientGone;
  }

  // With both counts where the prompt did not fit: routing.margin_tokens is set by them.
  void log_fallback(const routing::Decision& first, const HeldAnswer& answer) {
    log::Fields fields{{"id", record_.id},
                       {"from", first.upstream->full_name()},
                       {"for", std::string(routing::cause_name(*answer.cause))},
                       {"cause", description(answer)}};
    if (const auto theirs = openai::refused_prompt_tokens(answer.held)) {
      fields.emplace_back("prompt_tokens", prompt_tokens_text());
      fields.emplace_back("upstream_prompt_tokens", std::to_string(*theirs));
    }
    services_.logger.warn("falls back", fields);
  }

  void fall_back(const openai::ChatRequest& chat, const routing::Decision& first,
                 HeldAnswer answer) {
    const std::string first_cause = first.upstream->full_name() + ": " + description(answer);
    log_fallback(first, answer);
    if (client_has_gone()) {
      return fail({ErrorCode::kClientGone, "the client has gone"});
    }
    facts_.failed = routing::FailedAttempt{first.upstream, *answer.cause};
    record_.fallback_from = first.upstream->full_name();
    record_.fallback_cause = routing::cause_name(*answer.cause);
    const auto second = routing::decide(services_.config, facts_);
    // An answer that broke, or never began, is none that the client could get in the end. The
    // others are refusals: they stay, also those that are not read to their end yet.
    if (answer.failure) {
      answer.exchange.reset();
    } else {
      answer.exchange->leave_place();
    }
    HeldAnswer second_answer = ask(chat, *second);
    const bool failed = second_answer.exchange ? second_answer.exchange->status() >= 500
                                               : second_answer.cause.has_value();
    if (!failed) {
      answer.exchange.reset();  // its connection is free for the next request
      return deliver(*second, std::move(second_answer));
    }
    const std::string both =
        first_cause + "; " + second->upstream->full_name() + ": " + description(second_answer);
    if (answer.exchange) {
      record_.cause = both;
      record_.route = first.upstream->full_name();
      record_.reason = routing::reason_name(first.reason);
      return deliver(first, std::move(answer));
    }
    fail({is_only_busy(answer) && is_only_busy(second_answer) ? ErrorCode::kOverloaded
                                                              : ErrorCode::kUpstreamUnreachable,
          "no upstream could answer: " + both});
  }

  void deliver(const routing::Decision& decision, HeldAnswer answer) {
    if (!answer.exchange) {
      return fail_with(decision, *answer.failure);
    }
    if (answer.exchange->status() == 404) {  // mostly a base_url that is not quite right
      record_.cause = "404 from " + decision.upstream->base_url.text() + std::string(kChatEndpoint);
    }
    const ExtraHeaders extra = extra_headers(answer.exchange->is_event_stream());
    if (const auto failure = relay(std::move(answer), extra, writer_, record_)) {
      fail_with(decision, *failure);
    }
  }

  void fail_with(const routing::Decision& decision, const upstream::Failure& failure) {
    fail({error_code_of(failure), decision.upstream->full_name() + ": " + failure.cause});
  }

  std::string prompt_tokens_text() const {
    return (record_.is_estimate ? "~" : "") + std::to_string(*record_.prompt_tokens);
  }

  ExtraHeaders extra_headers(bool is_event_stream) const {
    ExtraHeaders extra;
    if (!record_.route.empty()) {
      extra.emplace_back("X-Weir-Route", record_.route);
      extra.emplace_back("X-Weir-Reason", record_.reason);
    }
    if (record_.prompt_tokens) {
      extra.emplace_back("X-Weir-Prompt-Tokens", prompt_tokens_text());
    }
    extra.emplace_back("X-Request-Id", record_.id);
    if (is_event_stream) {
      extra.emplace_back("X-Accel-Buffering", "no");
      extra.emplace_back("Cache-Control", "no-cache");
    }
    return extra;
  }

  // A cloud has other models, with other counts; those of the local one are meant to be exact.
  void warn_of_counts() {
    if (!services_.counter.counts_for(record_.route) ||
        !services_.counters.takes_count_warning(record_.route)) {
      return;
    }
    services_.logger.warn(
        "the local server counts other prompt tokens than weir, three times in a row by more than "
        "1 "
        "%; set tokenizer.model to the model file that it runs",
        {{"route", record_.route},
         {"tokenizer", std::string(counter_->tokenizer_name())},
         {"prompt_tokens", prompt_tokens_text()},
         {"usage_prompt_tokens", std::to_string(*record_.usage_prompt_tokens)}});
  }

  void log_access() {
    const auto level = record_.status >= 500 ? log::Level::kWarn : log::Level::kInfo;
    if (services_.logger.shows(level)) {
      services_.logger.write(level, "request", metrics::access_fields(record_));
    }
  }

  const Services& services_;
  const ClientRequest& request_;
  ClientSink& sink_;
  metrics::RequestRecord record_;
  ReplyWriter writer_;
  std::string way_;                               // of kWayHeader, from here on
  std::shared_ptr<const PromptCounter> counter_;  // one for the whole request
  openai::PromptText prompt_;
  routing::RouteFacts facts_;
};

}  // namespace

void serve_chat(const Services& services, const ClientRequest& request, ClientSink& sink) {
  ChatFlow flow(services, request, sink);
  try {
    flow.run();
  } catch (const std::exception& error) {
    services.logger.error("a request met a bug of weir",
                          {{"id", request.id}, {"what", error.what()}});
    flow.fail({ErrorCode::kInternal, "weir met an error of its own; its log says more"});
  }
  flow.record();
}

}  // namespace weir::proxy
