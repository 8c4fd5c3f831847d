#include "weir/upstream/health.h"

#include <algorithm>
#include <tuple>

#include "weir/base/text.h"
#include "weir/openai/server_props.h"

namespace weir::upstream {
namespace {

using std::chrono::seconds;

constexpr seconds kInterestKept{60};
constexpr seconds kProbeOften{2};
constexpr seconds kProbeSeldom{15};
constexpr seconds kPropertiesKept{30};
constexpr config::Seconds kProbeTimeout{5};
constexpr std::size_t kProbeBytesMax = 4 << 20;  // /props carries the chat template

void log_properties(log::Logger& logger, const std::string& full_name, const Health& health) {
  const auto number = [](std::optional<std::uint32_t> value) {
    return value ? std::to_string(*value) : std::string("unknown");
  };
  logger.info(
      "upstream tells what it is",
      {{"upstream", full_name},
       {"slots", number(health.total_slots)},
       {"context_tokens", number(health.slot_context_tokens)},
       {"model", health.model_ids.empty() ? "" : base::printable(health.model_ids.front(), 128)}});
}

bool is_same(const std::shared_ptr<const openai::TemplateSource>& a,
             const std::shared_ptr<const openai::TemplateSource>& b) {
  return a == nullptr || b == nullptr ? a == b : *a == *b;
}

bool has_same_properties(const Health& a, const Health& b) {
  const auto fields = [](const Health& health) {
    return std::tie(health.model_ids, health.slot_context_tokens, health.total_slots, health.vision,
                    health.audio, health.model_path, health.typed_content, health.build);
  };
  return fields(a) == fields(b) && is_same(a.chat_template, b.chat_template);
}

}  // namespace

std::string_view health_state_name(HealthState state) {
  switch (state) {
    case HealthState::kReady:
      return "ready";
    case HealthState::kLoading:
      return "loading";
    case HealthState::kDown:
      return "down";
    case HealthState::kUnknown:
      break;
  }
  return "unknown";
}

void log_health_change(log::Logger& logger, std::string_view full_name, HealthState state,
                       std::string_view cause) {
  log::Fields fields{{"upstream", std::string(full_name)}};
  if (!cause.empty()) {
    fields.emplace_back("cause", cause);
  }
  logger.info("upstream is " + std::string(health_state_name(state)), fields);
}

std::string HealthTable::key_of(const config::Upstream& server) {
  return server.full_name() + " " + server.base_url.text();
}

Health HealthTable::of(const config::Upstream& server) const {
  const base::MutexLock lock(mutex_);
  const auto found = entries_.find(key_of(server));
  return found == entries_.end() ? Health() : found->second.health;
}

void HealthTable::mark_used(const config::Upstream& server) {
  const base::MutexLock lock(mutex_);
  entries_[key_of(server)].interest_until = clock_.now() + kInterestKept;
}

bool HealthTable::set_state(const config::Upstream& server, HealthState state, std::string cause,
                            bool is_hung) {
  const base::MutexLock lock(mutex_);
  Entry& entry = entries_[key_of(server)];
  const bool changed = entry.health.state != state;
  entry.state_changes += changed ? 1 : 0;
  entry.health.state = state;
  entry.health.cause = std::move(cause);
  entry.health.is_hung = is_hung;
  if (state == HealthState::kDown || state == HealthState::kLoading) {
    entry.interest_until = clock_.now() + kInterestKept;
  }
  return changed;
}

std::optional<Outage> HealthTable::outage_of(const config::Upstream& server) const {
  const base::MutexLock lock(mutex_);
  const auto found = entries_.find(key_of(server));
  if (found == entries_.end() || found->second.health.state != HealthState::kDown) {
    return std::nullopt;
  }
  return Outage{found->second.health.cause, found->second.health.is_hung};
}

std::uint64_t HealthTable::state_changes(const config::Upstream& server) const {
  const base::MutexLock lock(mutex_);
  const auto found = entries_.find(key_of(server));
  return found == entries_.end() ? 0 : found->second.state_changes;
}

void HealthTable::set_properties(const config::Upstream& server, Health properties) {
  const base::MutexLock lock(mutex_);
  Health& health = entries_[key_of(server)].health;
  properties.state = health.state;
  properties.cause = health.cause;
  properties.is_hung = health.is_hung;
  health = std::move(properties);
}

void HealthTable::forget(const config::Upstream& server) {
  const base::MutexLock lock(mutex_);
  const auto found = entries_.find(key_of(server));
  if (found != entries_.end()) {
    entries_.erase(found);
  }
}

bool HealthTable::is_of_interest(const config::Upstream& server) const {
  const base::MutexLock lock(mutex_);
  const auto found = entries_.find(key_of(server));
  return found != entries_.end() && clock_.now() < found->second.interest_until;
}

HealthProber::HealthProber(std::vector<Upstream*> upstreams, HealthTable& table,
                           log::Logger& logger, const base::Clock& clock,
                           OnProperties on_properties)
    : upstreams_(std::move(upstreams)),
      table_(table),
      logger_(logger),
      clock_(clock),
      on_properties_(std::move(on_properties)) {
  thread_ = std::thread([this] { run(); });
}

HealthProber::~HealthProber() {
  stop_.raise();
  thread_.join();
}

void HealthProber::run() {
  constexpr std::chrono::milliseconds kTick{500};
  const os::Guards guards{os::kNoSocket, stop_.handle()};
  do {
    for (Upstream* upstream : upstreams_) {
      upstream->close_stale();
      if (upstream->settings().kind == config::UpstreamKind::kLocal) {
        probe_if_due(*upstream);
      }
    }
  } while (os::wait_for(os::kNoSocket, os::Interest::kNothing,
                        std::chrono::steady_clock::now() + kTick,
                        guards) == os::WaitOutcome::kTimeout);
}

void HealthProber::probe_if_due(Upstream& local) {
  const auto now = clock_.now();
  Watched& watched = watched_[&local];
  const bool of_interest = table_.is_of_interest(local.settings());
  if (now < watched.next_probe && !(of_interest && watched.next_probe - now > kProbeOften)) {
    return;
  }
  probe(local, watched);
  watched.next_probe =
      clock_.now() + (table_.is_of_interest(local.settings()) ? kProbeOften : kProbeSeldom);
}

HealthProber::Reply HealthProber::get(Upstream& local, std::string_view endpoint, bool at_root) {
  OutgoingRequest request;
  request.method = "GET";
  request.endpoint = endpoint;
  request.at_root = at_root;
  request.timeout = kProbeTimeout;
  Attempt attempt = local.begin(request, {os::kNoSocket, stop_.handle()});
  if (!attempt.exchange) {
    return {0, "", attempt.failure};
  }
  Reply reply{attempt.exchange->status(), "", {}};
  const auto deadline =  // of the whole body: a server that drips must not hold up the others
      std::chrono::steady_clock::now() + std::chrono::duration_cast<seconds>(kProbeTimeout);
  for (;;) {
    const auto piece = attempt.exchange->next(deadline);
    if (piece.kind != Exchange::PieceKind::kBytes || reply.body.size() > kProbeBytesMax) {
      return reply;
    }
    reply.body += piece.bytes;
  }
}

// That says nothing of the server.
bool HealthProber::was_not_asked(const Reply& reply) {
  return reply.failure.kind == FailureKind::kStopped ||
         reply.failure.kind == FailureKind::kNoSockets;
}

void HealthProber::probe(Upstream& local, Watched& watched) {
  const Reply reply = get(local, "/health", true);
  if (was_not_asked(reply)) {
    return;
  }
  if (reply.failure.kind == FailureKind::kTimeout && local.in_flight() > 0) {
    return;  // a small machine at work: slow is not down
  }
  HealthState state = HealthState::kReady;
  if (reply.status == 0) {
    state = HealthState::kDown;
  } else if (openai::is_loading_health(reply.status, reply.body)) {
    state = HealthState::kLoading;
  }
  const bool is_hung = state == HealthState::kDown && reply.failure.kind != FailureKind::kDown;
  if (table_.set_state(local.settings(), state, reply.failure.cause, is_hung)) {
    log_health_change(logger_, local.full_name(), state, reply.failure.cause);
  }
  if (state == HealthState::kReady) {
    read_properties(local, watched);
  }
}

// Unless they are known. A server that does not answer is asked again with the next probe.
void HealthProber::read_properties(Upstream& local, Watched& watched) {
  const config::Upstream& settings = local.settings();
  const std::uint64_t state_changes = table_.state_changes(settings);
  if (watched.state_changes == state_changes && clock_.now() < watched.properties_until) {
    return;
  }
  const Reply answer = get(local, "/props", true);
  if (answer.status == 0 || openai::is_loading_health(answer.status, answer.body)) {
    return;
  }
  const Reply models = get(local, "/models", false);
  if (models.status == 0) {
    return;
  }
  Health health;
  health.model_ids = openai::parse_model_ids(models.body);
  const auto props = openai::parse_server_props(answer.body);
  if (props) {
    health.slot_context_tokens = props->slot_context_tokens;
    health.total_slots = props->total_slots;
    health.vision = props->vision;
    health.audio = props->audio;
    health.model_path = props->model_path;
    health.typed_content = props->typed_content;
    health.build = props->build;
    if (props->chat_template) {
      health.chat_template = std::make_shared<const openai::TemplateSource>(*props->chat_template);
    }
  }
  const bool is_first = !watched.state_changes;
  watched.state_changes = state_changes;
  watched.properties_until = clock_.now() + kPropertiesKept;
  if (!is_first && has_same_properties(health, table_.of(settings))) {
    return;
  }
  if (props) {
    log_properties(logger_, local.full_name(), health);
  }
  local.set_places(health.total_slots);
  on_properties_(local, health);
  table_.set_properties(settings, std::move(health));
}

}  // namespace weir::upstream
