#include "runtime.h"

#include <algorithm>

#include "commands.h"
#include "weir/config/steady.h"
#include "weir/os/process.h"
#include "weir/proxy/chat_flow.h"
#include "weir/proxy/information.h"

namespace weir::cli {
namespace {

constexpr std::chrono::seconds kHardStopMax{2};  // for the last words of answers that are cut
constexpr std::chrono::seconds kTurnMax{
    10};  // the accepting thread needs no second, unless it hangs

constexpr std::uint64_t kOwnFiles = 64;  // log, listeners, signals, probes; beside two a request

std::string place_of(const os::Address& address) {
  const std::string ip = address.ip();
  const bool ipv6 = ip.find(':') != std::string::npos;
  return (ipv6 ? "[" + ip + "]" : ip) + ":" + std::to_string(address.port());
}

}  // namespace

const config::Upstream* counted_local(const config::Config& config) {
  const auto is_local = [](const config::Upstream& upstream) {
    return upstream.kind == config::UpstreamKind::kLocal;
  };
  const config::Upstream* short_route = config.find(config.routing.short_route);
  if (short_route != nullptr && is_local(*short_route)) {
    return short_route;
  }
  const auto first = std::find_if(config.upstreams.begin(), config.upstreams.end(), is_local);
  return first == config.upstreams.end() ? nullptr : &*first;
}

std::string local_model_of(const config::Config& config) {
  const config::Upstream* local = counted_local(config);
  return local == nullptr ? "" : local->model.value_or("");
}

base::Result<proxy::PromptCounter> configured_counter(const config::Config& config,
                                                      tokenizer::Builtins& builtins,
                                                      tokenizer::TableStore& tables) {
  auto media = proxy::MediaCounter::choose(config.tokenizer, counted_local(config));
  if (!media) {
    return std::move(media).error();
  }
  return proxy::PromptCounter::choose(config.tokenizer.model, local_model_of(config),
                                      *std::move(media), builtins, &tables);
}

void hide_secrets(const config::Config& config, log::Logger& logger) {
  for (const config::Upstream& upstream : config.upstreams) {
    logger.hide(upstream.api_key);
    for (const auto& [name, value] : upstream.headers) {
      logger.hide(base::Secret(value));
    }
  }
  for (const config::ClientKey& key : config.server.keys) {
    logger.hide(key.key);
  }
}

base::Result<std::unique_ptr<log::Logger>> open_log(const config::Config& config) {
  auto logger = log::Logger::open({.level = config.log.level,
                                   .file = config.log.file,
                                   .json = config.log.format == config::LogFormat::kJson,
                                   .rotate_mb = config.log.rotate_mb,
                                   .keep = config.log.keep});
  if (!logger) {
    return logger.error();
  }
  hide_secrets(config, **logger);
  return logger;
}

Runtime::Runtime(log::Logger& logger, Reloading reloading)
    : reloading_(std::move(reloading)), logger_(logger), tables_(process_environment(), &logger) {
}

Runtime::~Runtime() {
  if (warm_up_.joinable()) {
    warm_up_.join();
  }
  hard_stop_.raise();
  server_.reset();  // first: its requests may reload
  prober_.reset();
}

base::Result<std::unique_ptr<Runtime>> Runtime::start(config::Loaded loaded, log::Logger& logger,
                                                      Reloading reloading) {
  std::unique_ptr<Runtime> runtime(new Runtime(logger, std::move(reloading)));
  Runtime& raw = *runtime;
  const base::MutexLock lock(raw.reload_mutex_);  // the port is open before all is there
  if (auto opened = raw.open(std::move(loaded)); !opened) {
    return opened.error();
  }
  return runtime;
}

base::Result<void> Runtime::open(config::Loaded loaded) {
  auto opened = open_snapshot(std::move(loaded), nullptr, foundation());
  if (!opened) {
    return opened.error();
  }
  const std::shared_ptr<Snapshot> snapshot = *std::move(opened);
  {
    const base::MutexLock lock(mutex_);
    current_ = snapshot;
    config_status_.loaded_at = clock_.system_now();
  }
  if (auto server = open_server(); !server) {
    return server.error();
  }
  if (auto chosen = choose_first_counter(*snapshot); !chosen) {
    return chosen.error();
  }
  warm_up_ = std::thread([counter = snapshot->counter] { counter->current()->warm_up(); });
  start_prober(snapshot);
  watch_.watch(files_of(snapshot->loaded));
  log_start();
  return {};
}

void Runtime::start_prober(const std::shared_ptr<const Snapshot>& snapshot) {
  std::vector<upstream::Upstream*> upstreams;
  std::transform(snapshot->upstreams.begin(), snapshot->upstreams.end(),
                 std::back_inserter(upstreams), [](const auto& shared) { return shared.get(); });
  prober_ = std::make_unique<upstream::HealthProber>(
      upstreams, health_, logger_, clock_,
      // Keeps the snapshot, and with it the servers that it asks.
      [snapshot](const upstream::Upstream& local, const upstream::Health& properties) {
        snapshot->counter->learn(local.settings(), properties);
      });
}

// With the port open: a request that comes before it is done waits for it.
base::Result<void> Runtime::choose_first_counter(Snapshot& snapshot) {
  auto chosen = choose_counter(snapshot, foundation());
  if (!chosen) {
    auto any = proxy::PromptCounter::choose("auto", "", 0, builtins_);
    snapshot.counter->configure(std::move(*any));  // lets those go that wait, as everything ends
  }
  return chosen;
}

std::shared_ptr<const Snapshot> Runtime::current() const {
  const base::MutexLock lock(mutex_);
  return current_;
}

proxy::ConfigStatus Runtime::config_status() const {
  const base::MutexLock lock(mutex_);
  return config_status_;
}

std::string Runtime::status_page() const {
  return proxy::status_page(*current()->services, config_status(), WEIR_VERSION);
}

std::string Runtime::metrics_page() const {
  const server::Server* server = serving_;
  return proxy::metrics_page(
      *current()->services, config_status(),
      {WEIR_VERSION, started_, server == nullptr ? 0 : server->connections()});
}

// Every request holds the snapshot that it began with.
base::Result<void> Runtime::open_server() {
  server::Endpoints endpoints;
  endpoints.on_refused = [this](std::string_view code) { counters_.refused(code); };
  endpoints.relays = {{"POST", "/v1/chat/completions",
                       [this](const proxy::ClientRequest& request, proxy::ClientSink& sink) {
                         const auto snapshot = current();
                         proxy::serve_chat(*snapshot->services, request, sink);
                       }}};
  const auto page = [](auto text) {
    return [text](const proxy::ClientRequest&) { return server::Page{.body = text()}; };
  };
  endpoints.pages = {
      {"GET", "/health", true, page([] { return proxy::health_page(); })},
      {"GET", "/v1/models", false,
       page([this] { return proxy::models_page(*current()->services); })},
      {"GET", "/weir/status", false, page([this] { return status_page(); })},
      {"GET", "/metrics", false,
       [this](const proxy::ClientRequest&) {
         return server::Page{.content_type = std::string(metrics::kExpositionType),
                             .body = metrics_page()};
       }},
  };
  if (reloading_.read) {
    endpoints.pages.push_back(
        {"POST", "/weir/reload", false,
         [this](const proxy::ClientRequest& request) { return answer_reload(request); }});
  }
  auto server = server::Server::start(current()->config().server, std::move(endpoints), logger_);
  if (!server) {
    return server.error();
  }
  server_ = std::move(*server);
  serving_ = server_.get();
  return {};
}

std::vector<std::string> Runtime::addresses() const {
  std::vector<std::string> places;
  for (const os::Address& address : server_->addresses()) {
    places.push_back(place_of(address));
  }
  return places;
}

void Runtime::log_start() const {
  const auto snapshot = current();
  const config::Config& config = snapshot->config();
  const auto counter = snapshot->counter->current();
  const std::string tokenizer(counter->tokenizer_name());
  std::string listening;
  for (const std::string& place : addresses()) {
    listening += (listening.empty() ? "" : ", ") + place;
  }
  logger_.info("weir listens",
               {{"version", WEIR_VERSION},
                {"listen", listening},
                {"config", os::path_to_utf8(config.path)},
                {"threshold_tokens", std::to_string(config.routing.threshold_tokens)},
                {"tokenizer", tokenizer}});
  for (const config::Upstream& upstream : config.upstreams) {
    const std::string name = upstream.full_name();
    logger_.info("upstream", {{"name", name},
                              {"base_url", upstream.base_url.text()},
                              {"key", upstream.api_key.empty() ? "none" : "present"},
                              {"short_route", name == config.routing.short_route ? "yes" : "no"},
                              {"long_route", name == config.routing.long_route ? "yes" : "no"}});
  }
  for (const std::string& warning : snapshot->warnings) {
    logger_.warn(warning);
  }
  const std::uint64_t files = kOwnFiles + 2 * std::uint64_t{config.server.connections_max};
  if (os::open_files_max() < files) {
    logger_.warn(
        "the system allows fewer open files than server.connections_max may need; raise "
        "LimitNOFILE "
        "(ulimit -n) or lower it",
        {{"open_files_max", std::to_string(os::open_files_max())},
         {"needed", std::to_string(files)}});
  }
  if (counter->is_guess()) {
    logger_.warn(
        "the configuration does not tell the local model's vocabulary; unless the server names it, "
        "counts are estimates; set "
        "tokenizer.model",
        {{"tokenizer", tokenizer}});
  } else if (!counter->why_estimate().empty()) {
    logger_.warn("all counts of chats are estimates",
                 {{"tokenizer", tokenizer}, {"cause", counter->why_estimate()}});
  }
}

bool Runtime::is_answering() const {
  const bool turns = clock_.now() - server_->last_turn() < kTurnMax;
  return turns && !status_page().empty();
}

std::chrono::seconds Runtime::stop_time_max() const {
  return std::chrono::ceil<std::chrono::seconds>(current()->config().server.drain) + kHardStopMax +
         kTurnMax;
}

void Runtime::stop() {
  logger_.info("weir stops", {{"connections", std::to_string(server_->connections())}});
  const auto grace = config::steady(current()->config().server.drain);
  if (!server_->drain(grace)) {
    logger_.warn("answers still run after server.drain and are cut", {});
    hard_stop_.raise();
    static_cast<void>(server_->drain(kHardStopMax));
  }
}

}  // namespace weir::cli
