#include "weir_fixture.h"

#include <algorithm>
#include <fstream>
#include <random>
#include <sstream>
#include <stdexcept>

#include "http_text.h"
#include "weir/os/process.h"
#include "weir/os/wait.h"

namespace weir::flow {
namespace {

constexpr std::chrono::milliseconds kLookAgain{5};

std::uint16_t free_port() {
  const auto listener = os::listen_on("127.0.0.1", 0);
  return os::local_address(*listener).port();
}

config::Upstream local_settings(std::uint16_t port) {
  config::Upstream local;
  local.kind = config::UpstreamKind::kLocal;
  local.name = "llamacpp";
  local.base_url = {false, "127.0.0.1", port, "/v1"};
  local.model = "Qwen3.6-35B";
  local.connect_timeout = config::Seconds(2);
  return local;
}

config::Upstream cloud_settings(std::uint16_t port) {
  config::Upstream cloud;
  cloud.kind = config::UpstreamKind::kProvider;
  cloud.name = "cloud";
  cloud.base_url = {true, "127.0.0.1", port, "/v1"};
  cloud.api_key = base::Secret(std::string(kCloudKey));
  cloud.ca_file = fakes::TestCa::shared().ca_file();
  cloud.models = {{"long_context", "vendor/long-model"}, {"a", "vendor/very-long-model-name-v1"}};
  return cloud;
}

config::Config config_for(std::uint16_t local_port, std::uint16_t cloud_port) {
  config::Config config;
  config.server.listen = {{"127.0.0.1", 0}};
  config.upstreams = {cloud_settings(cloud_port), local_settings(local_port)};
  config.routing.threshold_tokens = kThreshold;
  config.routing.long_route = "provider.cloud";
  config.routing.short_route = "local.llamacpp";
  return config;
}

std::filesystem::path new_log_file() {
  std::random_device random;
  return std::filesystem::temp_directory_path() /
         ("weir-flow-" + std::to_string(random()) + ".log");
}

template <class T>
T must(base::Result<T> result) {
  if (!result) {
    throw std::runtime_error(result.error().message);
  }
  return std::move(*result);
}

std::size_t occurrences(std::string_view text, std::string_view part) {
  std::size_t count = 0;
  for (auto at = text.find(part); at != std::string_view::npos; at = text.find(part, at + 1)) {
    ++count;
  }
  return count;
}

}  // namespace

Weir::Weir(const Change& change, const Setup& setup) : log_file_(new_log_file()) {
  os::prepare_process();
  if (setup.local_runs) {
    SSL_CTX* tls = setup.local_is_tls ? fakes::TestCa::shared().server_context() : nullptr;
    local_ = std::make_unique<ScriptedUpstream>(ScriptedUpstream::Options{.tls = tls});
  }
  local_port_ = local_ ? local_->port() : free_port();
  SSL_CTX* tls = setup.cloud_is_plain ? nullptr : fakes::TestCa::shared().server_context();
  cloud_ = std::make_unique<ScriptedUpstream>(ScriptedUpstream::Options{.tls = tls});
  config::Config config = config_for(local_port_, cloud_->port());
  cloud_of(config).base_url.tls = !setup.cloud_is_plain;
  config.log.file = log_file_;
  config.log.level = setup.log_level;
  if (change) {
    change(config);
  }
  logger_ = must(cli::open_log(config));
  loaded_.config = std::move(config);
  runtime_ = must(cli::Runtime::start(loaded_, *logger_, {.read = [this] { return next_; }}));
  const std::string place = runtime_->addresses().front();
  port_ = static_cast<std::uint16_t>(std::stoul(place.substr(place.rfind(':') + 1)));
}

Weir::~Weir() {
  runtime_.reset();
  std::error_code ignored;
  std::filesystem::remove(log_file_, ignored);
}

base::Result<cli::ReloadReport> Weir::reload(const Change& change) {
  set_next(change);
  return runtime_->reload("a test");
}

base::Result<cli::ReloadReport> Weir::reload_faulty(const std::string& faults) {
  set_next_fault(faults);
  return runtime_->reload("a test");
}

void Weir::set_next(const Change& change) {
  change(loaded_.config);
  next_ = loaded_;
}

void Weir::set_next_fault(const std::string& faults) {
  next_ = base::Error{base::ErrorCode::kBadConfig, faults};
}

void Weir::start_local() {
  local_ = std::make_unique<ScriptedUpstream>(ScriptedUpstream::Options{.port = local_port_});
}

std::string Weir::log_text() const {
  std::ostringstream text;
  text << std::ifstream(log_file_).rdbuf();
  return text.str();
}

bool Weir::wait_for_log(std::string_view text, std::size_t count) const {
  const auto deadline = fakes::patience();
  while (occurrences(log_text(), text) < count) {
    if (std::chrono::steady_clock::now() > deadline) {
      return false;
    }
    os::wait_for(os::kNoSocket, os::Interest::kNothing,
                 std::chrono::steady_clock::now() + kLookAgain, {});
  }
  return true;
}

config::Upstream& local_of(config::Config& config) {
  return config.upstreams[1];
}

config::Upstream& cloud_of(config::Config& config) {
  return config.upstreams[0];
}

std::string chat_body(std::string_view text, std::string_view members) {
  std::string body = R"({"model":"auto",)";
  body.append(members).append(R"("messages":[{"role":"user","content":")");
  return body.append(text).append(R"("}]})");
}

std::string short_chat(std::string_view members) {
  return chat_body("ping", members);
}

std::string long_chat(std::string_view members) {
  std::string text;
  for (int i = 0; i < 3000; ++i) {
    text += "river ";
  }
  return chat_body(text, members);
}

std::string post(std::string_view body, std::string_view header_lines) {
  return request_text("POST /v1/chat/completions",
                      "Content-Type: application/json\r\n" + std::string(header_lines), body);
}

Reply ask(std::uint16_t port, std::string_view body, std::string_view header_lines) {
  RawClient client(port);
  client.send(post(body, header_lines));
  return client.read_reply();
}

std::string event(std::string_view content) {
  return R"(data: {"choices":[{"index":0,"delta":{"content":")" + std::string(content) +
         "\"}}]}\n\n";
}

fakes::Script streams(std::string bytes) {
  return [bytes = std::move(bytes)](Talk& talk) {
    talk.start_stream();
    talk.chunk(bytes);
    talk.end_stream();
  };
}

fakes::Script answers(int status, std::string body, std::string header_lines) {
  return [=](Talk& talk) { talk.answer(status, body, header_lines); };
}

std::string header_of(const Reply& reply, std::string_view name) {
  return fakes::header_value(reply.head, name);
}

}  // namespace weir::flow
