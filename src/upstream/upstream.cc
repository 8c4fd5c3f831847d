#include "weir/upstream/upstream.h"

#include "admission.h"
#include "dialer.h"
#include "exchange_state.h"
#include "pool.h"
#include "weir/config/steady.h"

namespace weir::upstream {
namespace {

// llama-server closes an idle connection after 5 s; cloud front ends mostly after 60 s.
constexpr std::chrono::seconds kLocalIdleMax{4};
constexpr std::chrono::seconds kCloudIdleMax{50};
// A pooled connection that was dead shows it within a round trip. One that breaks later has carried
// the request: to send it again could be paid twice.
constexpr std::chrono::seconds kDeadNoticedMax{2};
constexpr int kInterimAnswersMax = 8;  // 100, 103 before the real one

std::chrono::seconds idle_max(const config::Upstream& settings) {
  return settings.kind == config::UpstreamKind::kLocal ? kLocalIdleMax : kCloudIdleMax;
}

// The path of the base without its version: where /health and /props live.
std::string root_of(const std::string& path) {
  const auto slash = path.rfind('/');
  return slash == std::string::npos ? path : path.substr(0, slash);
}

// A connection that breaks after the first byte of an answer is no dead pooled one: it must not be
// tried again.
Failure broken_head(Failure failure, bool nothing_came) {
  if (failure.kind == FailureKind::kBroken && !nothing_came) {
    failure.kind = FailureKind::kNotHttp;
  }
  return failure;
}

std::string head_of(const config::Upstream& settings, const OutgoingRequest& request) {
  const config::BaseUrl& url = settings.base_url;
  std::string head;
  head.reserve(512 + request.header_lines.size());
  head.append(request.method).append(" ");
  head.append(request.at_root ? root_of(url.path) : url.path).append(request.endpoint);
  head.append(" HTTP/1.1\r\nHost: ").append(url.authority()).append("\r\n");
  head.append(request.header_lines);
  if (!settings.api_key.empty()) {
    head.append("Authorization: Bearer ").append(settings.api_key.reveal()).append("\r\n");
  }
  for (const auto& [name, value] : settings.headers) {
    head.append(name).append(": ").append(value).append("\r\n");
  }
  head.append("Accept-Encoding: identity\r\n");
  if (!request.body.empty()) {
    std::size_t length = 0;
    for (const std::string_view piece : request.body) {
      length += piece.size();
    }
    head.append("Content-Type: application/json\r\nContent-Length: ")
        .append(std::to_string(length))
        .append("\r\n");
  }
  return head.append("\r\n");
}

}  // namespace

struct Upstream::State {
  explicit State(const config::Upstream& wanted)
      : settings(wanted), full_name(wanted.full_name()), pool(idle_max(wanted)) {}

  const config::Upstream settings;
  const std::string full_name;
  std::unique_ptr<Dialer> dialer;
  Pool pool;
  std::shared_ptr<Admission> admission;  // one for all settings that a server had

  Attempt attempt_on(std::unique_ptr<Connection> connection, const OutgoingRequest& request,
                     const os::Guards& guards);
  Attempt attempt(const OutgoingRequest& request, const os::Guards& guards);
  Attempt read_head(std::unique_ptr<Exchange::State> exchange, std::string_view method);
};

// Waits for the head of the answer; interim answers (100 and its like) are passed over.
Attempt Upstream::State::read_head(std::unique_ptr<Exchange::State> exchange,
                                   std::string_view method) {
  Connection& connection = *exchange->connection;
  for (int answers = 0; answers < kInterimAnswersMax;) {
    const std::size_t end = http::end_of_head(connection.buffered());
    if (end == 0) {
      const auto fill = connection.fill(exchange->first_byte_deadline, exchange->guards);
      switch (fill.status) {
        case Connection::FillStatus::kDone:
          continue;
        case Connection::FillStatus::kDeadline:
          return {{}, {FailureKind::kTimeout, "no answer within timeout"}};
        case Connection::FillStatus::kEnd:
          return {{},
                  {connection.buffered().empty() ? FailureKind::kBroken : FailureKind::kNotHttp,
                   "the upstream closed the connection before it answered"}};
        case Connection::FillStatus::kFailed:
          return {{}, broken_head(fill.failure, connection.buffered().empty())};
      }
    }
    auto head = http::parse_response_head(connection.buffered().substr(0, end));
    connection.consume(end);
    const auto framing = head ? http::framing_of(*head, method) : std::nullopt;
    if (!framing) {
      return {{}, {FailureKind::kNotHttp, "what the upstream sent is no HTTP answer"}};
    }
    if (head->status >= 200) {
      exchange->head = std::move(*head);
      exchange->framing = *framing;
      exchange->decoder = http::BodyDecoder(*framing);
      return {Exchange(std::move(exchange)), {}};
    }
    ++answers;
  }
  return {{}, {FailureKind::kNotHttp, "the upstream sent one interim answer after the other"}};
}

Attempt Upstream::State::attempt_on(std::unique_ptr<Connection> connection,
                                    const OutgoingRequest& request, const os::Guards& guards) {
  const std::string head = head_of(settings, request);
  std::vector<std::string_view> pieces{head};
  pieces.insert(pieces.end(), request.body.begin(), request.body.end());
  if (auto failure = connection->send_all(pieces, guards)) {
    return {{}, *failure};
  }
  const auto now = std::chrono::steady_clock::now();
  if (request.on_sent) {
    request.on_sent();
  }
  auto exchange = std::make_unique<Exchange::State>(Exchange::State{
      .place = {},
      .connection = std::move(connection),
      .pool = &pool,
      .guards = guards,
      .head = {},
      .framing = {},
      .decoder = http::BodyDecoder({}),
      .first_byte_deadline = now + config::steady(request.timeout.value_or(settings.timeout)),
      .idle_timeout = config::steady(settings.idle_timeout),
      .last_byte = now,
  });
  return read_head(std::move(exchange), request.method);
}

Upstream::Upstream(std::unique_ptr<State> state) : state_(std::move(state)) {
}
Upstream::~Upstream() = default;

base::Result<std::unique_ptr<Upstream>> Upstream::open(const config::Upstream& settings,
                                                       const Upstream* before) {
  auto state = std::make_unique<State>(settings);
  auto dialer = Dialer::open(state->settings);
  if (!dialer) {
    return dialer.error();
  }
  state->dialer = std::move(*dialer);
  if (before != nullptr) {
    state->admission = before->state_->admission;
  } else {
    state->admission = std::make_shared<Admission>();
    state->admission->set_limit(settings.max_concurrent);
  }
  return std::unique_ptr<Upstream>(new Upstream(std::move(state)));
}

const config::Upstream& Upstream::settings() const {
  return state_->settings;
}
const std::string& Upstream::full_name() const {
  return state_->full_name;
}
void Upstream::set_places(std::optional<std::uint32_t> places) {
  const auto configured = state_->settings.max_concurrent;
  state_->admission->set_limit(configured ? configured : places);
}
void Upstream::close_stale() {
  state_->pool.drop_stale();
}
std::uint32_t Upstream::in_flight() const {
  return state_->admission->taken();
}
std::uint32_t Upstream::waiting() const {
  return state_->admission->waiting();
}
bool Upstream::is_full() const {
  return state_->admission->is_full();
}

// Over a pooled connection, or else a fresh one.
Attempt Upstream::State::attempt(const OutgoingRequest& request, const os::Guards& guards) {
  if (auto idle = pool.take()) {
    const auto start = std::chrono::steady_clock::now();
    Attempt attempt = attempt_on(std::move(idle), request, guards);
    const bool was_dead = !attempt.exchange && attempt.failure.kind == FailureKind::kBroken &&
                          std::chrono::steady_clock::now() - start < kDeadNoticedMax;
    if (!was_dead) {
      attempt.reused = true;
      return attempt;
    }
  }
  auto dialed = dialer->dial(request.connect_timeout.value_or(settings.connect_timeout), guards);
  if (auto* failure = std::get_if<Failure>(&dialed)) {
    return {{}, *failure};
  }
  return attempt_on(std::move(std::get<std::unique_ptr<Connection>>(dialed)), request, guards);
}

Attempt Upstream::begin(const OutgoingRequest& request, const os::Guards& guards) {
  if (!request.wait_for_place_until) {
    return state_->attempt(request, guards);
  }
  auto entered = state_->admission->enter(*request.wait_for_place_until, guards);
  if (auto* failure = std::get_if<Failure>(&entered)) {
    return {{}, std::move(*failure)};
  }
  Attempt attempt = state_->attempt(request, guards);
  if (attempt.exchange) {
    attempt.exchange->state_->place.emplace(std::get<Admission::Place>(std::move(entered)));
  }
  return attempt;
}

}  // namespace weir::upstream
