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

base::Result<std::unique_ptr<log::Logger>> open_log(const config::Config& config) {
  auto logger = log::Logger::open({.level = config.log.level,
                                   .file = config.log.file,
                                   .json = config.log.format == config::LogFormat::kJson,
                                   .rotate_mb = config.log.rotate_mb,
                                   .keep = config.log.keep});
  if (!logger) {
    return logger.error();
  }
  for (const config::Upstream& upstream : config.upstreams) {
    (*logger)->hide(upstream.api_key);
  }
  for (const config::ClientKey& key : config.server.keys) {
    (*logger)->hide(key.key);
  }
  return logger;
}

Runtime::Runtime(config::Config config, log::Logger& logger)
    : config_(std::move(config)), logger_(logger), tables_(process_environment(), &logger) {
}

Runtime::~Runtime() {
  if (warm_up_.joinable()) {
    warm_up_.join();
  }
  hard_stop_.raise();
  prober_.reset();
  server_.reset();
}

base::Result<std::unique_ptr<Runtime>> Runtime::start(config::Config config, log::Logger& logger) {
  std::unique_ptr<Runtime> runtime(new Runtime(std::move(config), logger));
  if (auto opened = runtime->open_parts(); !opened) {
    return opened.error();
  }
  if (auto opened = runtime->open_server(); !opened) {
    return opened.error();
  }
  if (auto chosen = runtime->choose_counter(); !chosen) {
    return chosen.error();
  }
  runtime->warm_up_ = std::thread([raw = runtime.get()] { raw->counter_->current()->warm_up(); });
  std::vector<upstream::Upstream*> locals;
  for (const auto& upstream : runtime->upstreams_) {
    if (upstream->settings().kind == config::UpstreamKind::kLocal) {
      locals.push_back(upstream.get());
    }
  }
  runtime->prober_ = std::make_unique<upstream::HealthProber>(
      locals, runtime->health_, logger, runtime->clock_,
      [raw = runtime.get()](const upstream::Upstream& local, const upstream::Health& properties) {
        raw->counter_->learn(local.settings(), properties);
      });
  runtime->log_start();
  return runtime;
}

base::Result<void> Runtime::open_parts() {
  for (const config::Upstream& settings : config_.upstreams) {
    auto upstream = upstream::Upstream::open(settings);
    if (!upstream) {
      return upstream.error();
    }
    upstreams_.push_back(std::move(*upstream));
  }
  counter_ = std::make_unique<proxy::LocalCounter>(counted_local(config_), logger_);
  services_ = std::make_unique<proxy::Services>(proxy::Services{
      config_, upstreams_, health_, *counter_, counters_, logger_, clock_, hard_stop_});
  return {};
}

// With the port open: a request that comes before it is done waits for it.
base::Result<void> Runtime::choose_counter() {
  auto counter = configured_counter(config_, builtins_, tables_);
  if (!counter) {
    auto any = proxy::PromptCounter::choose("auto", "", 0, builtins_);
    counter_->configure(std::move(*any));  // lets those go that wait, as everything ends
    return counter.error();
  }
  counter_->configure(std::move(*counter));
  return {};
}

base::Result<void> Runtime::open_server() {
  if (!config_.server.tls_cert.empty()) {
    return base::Error{
        base::ErrorCode::kBadConfig,
        "server.tls_cert: this version cannot listen with TLS yet; take tls_cert and tls_key out"};
  }
  const proxy::Services& services = *services_;
  server::Endpoints endpoints;
  endpoints.relays = {{"POST", "/v1/chat/completions",
                       [&services](const proxy::ClientRequest& request, proxy::ClientSink& sink) {
                         proxy::serve_chat(services, request, sink);
                       }}};
  const auto page = [](auto text) {
    return [text](const proxy::ClientRequest&) { return server::Page{.body = text()}; };
  };
  endpoints.pages = {
      {"GET", "/health", true, page([] { return proxy::health_page(); })},
      {"GET", "/v1/models", false, page([&services] { return proxy::models_page(services); })},
      {"GET", "/weir/status", false,
       page([&services] { return proxy::status_page(services, WEIR_VERSION); })},
  };
  auto server = server::Server::start(config_.server, std::move(endpoints), logger_);
  if (!server) {
    return server.error();
  }
  server_ = std::move(*server);
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
  const auto counter = counter_->current();
  const std::string tokenizer(counter->tokenizer_name());
  std::string listening;
  for (const std::string& place : addresses()) {
    listening += (listening.empty() ? "" : ", ") + place;
  }
  logger_.info("weir listens",
               {{"version", WEIR_VERSION},
                {"listen", listening},
                {"config", os::path_to_utf8(config_.path)},
                {"threshold_tokens", std::to_string(config_.routing.threshold_tokens)},
                {"tokenizer", tokenizer}});
  for (const config::Upstream& upstream : config_.upstreams) {
    const std::string name = upstream.full_name();
    logger_.info("upstream", {{"name", name},
                              {"base_url", upstream.base_url.text()},
                              {"key", upstream.api_key.empty() ? "none" : "present"},
                              {"short_route", name == config_.routing.short_route ? "yes" : "no"},
                              {"long_route", name == config_.routing.long_route ? "yes" : "no"}});
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
  return turns && !proxy::status_page(*services_, WEIR_VERSION).empty();
}

std::chrono::seconds Runtime::stop_time_max() const {
  return std::chrono::ceil<std::chrono::seconds>(config_.server.drain) + kHardStopMax + kTurnMax;
}

void Runtime::stop() {
  logger_.info("weir stops", {{"connections", std::to_string(server_->connections())}});
  const auto grace = config::steady(config_.server.drain);
  if (!server_->drain(grace)) {
    logger_.warn("answers still run after server.drain and are cut", {});
    hard_stop_.raise();
    static_cast<void>(server_->drain(kHardStopMax));
  }
}

}  // namespace weir::cli
