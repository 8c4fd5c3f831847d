#include <cstdio>

#include "commands.h"
#include "pretend_upstream.h"
#include "runtime.h"
#include "weir/base/json_text.h"
#include "weir/os/process.h"

namespace weir::cli {
namespace {

constexpr std::uint64_t kDemoThreshold = 1000;
constexpr int kLongWords = 1500;

struct Reply {
  int status = 0;
  std::string route;
  std::string reason;
  std::string prompt_tokens;
  std::string body;
  double first_byte_ms = 0;
};

struct Demo {
  std::unique_ptr<log::Logger> logger;
  std::unique_ptr<PretendUpstream> local;
  std::unique_ptr<PretendUpstream> cloud;
  std::unique_ptr<Runtime> runtime;
};

config::Upstream upstream_at(config::UpstreamKind kind, const std::string& name,
                             std::uint16_t port) {
  config::Upstream upstream;
  upstream.kind = kind;
  upstream.name = name;
  upstream.base_url = {false, "127.0.0.1", port, "/v1"};
  return upstream;
}

config::Config demo_config(std::uint16_t local_port, std::uint16_t cloud_port) {
  config::Config config;
  config.server.listen = {{"127.0.0.1", 0}};
  config::Upstream cloud = upstream_at(config::UpstreamKind::kProvider, "cloud", cloud_port);
  cloud.api_key = base::Secret("demo-key-of-the-cloud");
  cloud.models = {{"long_context", "big-model"}};
  config::Upstream local = upstream_at(config::UpstreamKind::kLocal, "llamacpp", local_port);
  local.model = "qwen3.5";
  config.upstreams = {cloud, local};
  config.routing.threshold_tokens = kDemoThreshold;
  config.routing.long_route = "provider.cloud";
  config.routing.short_route = "local.llamacpp";
  return config;
}

std::string request_body(std::string_view text) {
  std::string body = R"({"model":"auto","stream":true,"messages":[{"role":"user","content":)";
  base::append_json_string(body, text);
  return body + "}]}";
}

std::string long_text() {
  std::string text = "Summarise:";
  for (int i = 0; i < kLongWords; ++i) {
    text += " river";
  }
  return text;
}

base::Result<Reply> send(std::uint16_t port, const std::string& body) {
  const auto upstream =
      upstream::Upstream::open(upstream_at(config::UpstreamKind::kLocal, "weir", port));
  if (!upstream) {
    return upstream.error();
  }
  const std::string_view pieces[] = {body};
  upstream::OutgoingRequest request;
  request.endpoint = "/chat/completions";
  request.body = pieces;
  const auto start = std::chrono::steady_clock::now();
  auto attempt = (*upstream)->begin(request, {});
  if (!attempt.exchange) {
    return base::Error{base::ErrorCode::kUpstreamUnreachable, attempt.failure.cause};
  }
  upstream::Exchange& exchange = *attempt.exchange;
  Reply reply{exchange.status(),
              std::string(exchange.value_of("X-Weir-Route")),
              std::string(exchange.value_of("X-Weir-Reason")),
              std::string(exchange.value_of("X-Weir-Prompt-Tokens")),
              "",
              0};
  for (auto piece = exchange.next(); piece.kind == upstream::Exchange::PieceKind::kBytes;
       piece = exchange.next()) {
    if (reply.body.empty()) {
      reply.first_byte_ms =
          std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start)
              .count();
    }
    reply.body += piece.bytes;
  }
  return reply;
}

base::Result<Demo> build() {
  Demo demo;
  config::Config quiet;
  quiet.log.level = "error";
  auto logger = open_log(quiet);
  if (!logger) {
    return logger.error();
  }
  demo.logger = std::move(*logger);
  for (auto [place, name] :
       {std::pair(&demo.local, "the local llama-server"), std::pair(&demo.cloud, "the cloud")}) {
    auto upstream = PretendUpstream::start(name, *demo.logger);
    if (!upstream) {
      return upstream.error();
    }
    *place = std::move(*upstream);
  }
  config::Loaded loaded;
  loaded.config = demo_config(demo.local->port(), demo.cloud->port());
  auto runtime = Runtime::start(std::move(loaded), *demo.logger);
  if (!runtime) {
    return runtime.error();
  }
  demo.runtime = std::move(*runtime);
  return demo;
}

// Sends one request through weir and straight to the upstream that must answer it; true when both
// are the same.
bool show_row(const char* name, const std::string& body, std::uint16_t weir_port,
              std::uint16_t upstream_port, const std::string& wanted_route) {
  const auto through = send(weir_port, body);
  const auto straight = send(upstream_port, body);
  if (!through || !straight) {
    std::printf("%-6s failed: %s\n", name, (!through ? through : straight).error().message.c_str());
    return false;
  }
  const bool equal = through->body == straight->body && through->status == straight->status &&
                     !through->body.empty();
  std::printf("%-6s %-15s %13s  %-6s %8.1f ms   %s\n", name, through->route.c_str(),
              through->prompt_tokens.c_str(), through->reason.c_str(), through->first_byte_ms,
              equal ? "yes" : "NO");
  return equal && through->route == wanted_route;
}

void print_curl_lines(const std::string& address) {
  std::printf(
      "\nweir goes on at http://%s until Ctrl-C. Try:\n"
      "  curl -N http://%s/v1/chat/completions -H 'Content-Type: application/json' \\\n"
      "    -d '{\"stream\":true,\"messages\":[{\"role\":\"user\",\"content\":\"hello\"}]}'\n"
      "  curl http://%s/v1/models\n"
      "  curl http://%s/weir/status\n",
      address.c_str(), address.c_str(), address.c_str(), address.c_str());
  std::fflush(stdout);
}

}  // namespace

int demo(const DemoOptions& options) {
  base::Mutex mutex;
  base::Condition changed;
  bool stop = false;
  os::call_on_stop_request([&] {
    const base::MutexLock lock(mutex);
    stop = true;
    changed.notify_all();
  });
  const auto built = build();
  if (!built) {
    return report(built.error());
  }
  const std::string address = built->runtime->addresses().front();
  const auto port = static_cast<std::uint16_t>(std::stoi(address.substr(address.rfind(':') + 1)));
  std::printf("weir on %s, threshold %llu tokens, between two pretend upstreams\n\n",
              address.c_str(), static_cast<unsigned long long>(kDemoThreshold));
  std::printf("%-6s %-15s %13s  %-6s %11s   %s\n", "prompt", "route", "prompt tokens", "reason",
              "first byte", "bytes equal");
  bool good =
      show_row("short", request_body("hello"), port, built->local->port(), "local.llamacpp");
  good =
      show_row("long", request_body(long_text()), port, built->cloud->port(), "provider.cloud") &&
      good;
  if (options.keep) {
    print_curl_lines(address);
    const base::MutexLock lock(mutex);
    while (!stop) {
      changed.wait(mutex);
    }
  }
  built->runtime->stop();
  return good ? kExitDone : kExitNo;
}

}  // namespace weir::cli
