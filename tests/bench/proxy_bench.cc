// What weir costs as a proxy, beside nginx and beside no proxy at all:
//
//     proxy_bench --weir PROGRAM --nginx PROGRAM [--quick] [--only cpu|upload|streams|idle]
//
// Runs alternate (weir, nginx, weir, nginx), and the table holds medians: on a shared machine the
// absolute figures move, the ratios much less. Exit code 1 when a limit is not kept.

#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <exception>
#include <filesystem>
#include <functional>
#include <string>
#include <thread>

#include "clients.h"
#include "proxy_process.h"
#include "report.h"
#include "stub_upstream.h"
#include "texts.h"

namespace weir::bench {
namespace {

constexpr double kCpuRatioMax = 4;
constexpr double kUploadAddedMsMax = 40;
constexpr double kStreamAddedP99MsMax = 10;
constexpr double kStreamMemoryMbMax = 150;
constexpr double kIdleMemoryMbMax = 60;
constexpr double kStartMsMax = 30;
constexpr double kIdleCpuPercentMax = 1;

constexpr int kConnections = 16;
constexpr int kStreams = 1000;
constexpr std::size_t kChatBytes = 2048;
constexpr std::size_t kPromptBytes = 1 << 20;

struct Setup {
  std::string weir;
  std::string nginx;
  std::string only;  // name of a part; empty: all
  std::filesystem::path directory;
  std::uint16_t stub_port = 0;
  int rounds = 7;
  int cpu_rounds = 25;  // many and short: what else runs on the machine meets both alike
  std::uint64_t requests = 6000;
  int stream_seconds = 30;
  int idle_seconds = 5;

  ProxyProcess start_weir() const { return start_weir(stub_port); }
  ProxyProcess start_weir(std::uint16_t stub) const {
    return ProxyProcess::weir(weir, directory / "weir", stub);
  }
  ProxyProcess start_nginx() const { return start_nginx(stub_port); }
  ProxyProcess start_nginx(std::uint16_t stub) const {
    return ProxyProcess::nginx(nginx, directory / "nginx", stub);
  }
};

std::string json_text(const std::string& text) {
  std::string out;
  for (const char c : text) {
    out += c == '\n' ? "\\n" : std::string(1, c);
  }
  return out;
}

std::string chat_body(const std::string& text) {
  return R"({"model":"auto","messages":[{"role":"system","content":"You are a helpful assistant."},)"
         R"({"role":"user","content":")" +
         json_text(text) + R"("}],"temperature":0.7,"max_tokens":256})";
}

// Different texts of which each makes a body of `bytes` bytes.
std::vector<std::string> chat_bodies(std::string (*make)(Random&, std::size_t), std::size_t bytes,
                                     int count) {
  Random random;
  const std::string empty = chat_body("");
  std::vector<std::string> bodies;
  for (int i = 0; i < count; ++i) {
    bodies.push_back(chat_body(make(random, bytes - std::min(bytes, empty.size() + 32))));
  }
  return bodies;
}

std::string signed_number(double value) {
  return (value < 0 ? "" : "+") + number(value, 2);
}

std::string percent(double ratio) {
  return number(100 * ratio, 2) + " %";
}

double cpu_us_per_request(const ProxyProcess& proxy, const Setup& setup,
                          const std::vector<std::string>& bodies) {
  const double before = proxy.cpu_seconds();
  if (run_requests(proxy.port(), kConnections, setup.requests, bodies) != 0) {
    throw std::runtime_error("requests failed");
  }
  return (proxy.cpu_seconds() - before) * 1e6 / static_cast<double>(setup.requests);
}

struct CpuRun {
  double weir_us = 0;
  double nginx_us = 0;
  double ratio = 0;
  Memory weir;
  Memory nginx;
};

CpuRun run_cpu(const Setup& setup) {
  const auto bodies = chat_bodies(prose, kChatBytes, 256);
  const StubUpstream stub;  // a new one: threads stay on the CPUs that they started on
  const ProxyProcess weir = setup.start_weir(stub.port());
  const ProxyProcess nginx = setup.start_nginx(stub.port());
  run_requests(weir.port(), kConnections, 2000, bodies);
  run_requests(nginx.port(), kConnections, 2000, bodies);
  std::vector<double> by_weir;
  std::vector<double> by_nginx;
  std::vector<double> ratios;
  for (int i = 0; i < setup.cpu_rounds; ++i) {
    by_weir.push_back(cpu_us_per_request(weir, setup, bodies));
    by_nginx.push_back(cpu_us_per_request(nginx, setup, bodies));
    ratios.push_back(by_weir.back() / by_nginx.back());
  }
  return {median(by_weir), median(by_nginx), median(ratios), weir.memory(), nginx.memory()};
}

void measure_cpu(const Setup& setup, Report& report) {
  CpuRun run;
  {
    const OneCpu pinned;
    run = run_cpu(setup);
  }
  report.add({"CPU of the proxy per 2 KB chat request, counted exactly, 16 connections, to nginx",
              number(run.weir_us) + " us", number(run.nginx_us) + " us", number(run.ratio, 2),
              "<= 4", run.ratio <= kCpuRatioMax});
  report.note("after " + std::to_string(setup.cpu_rounds * static_cast<int>(setup.requests)) +
              " requests weir holds " + number(run.weir.now_mb) + " MB, nginx " +
              number(run.nginx.now_mb) + " MB");
  const CpuRun spread = run_cpu(setup);
  report.note("CPU per request when clients, proxy and upstream may run on any CPU: weir " +
              number(spread.weir_us) + " us, nginx " + number(spread.nginx_us) + " us, ratio " +
              number(spread.ratio, 2));
}

void measure_upload(const Setup& setup, Report& report, const char* name,
                    std::string (*make)(Random&, std::size_t)) {
  const auto bodies = chat_bodies(make, kPromptBytes, 8);
  const ProxyProcess weir = setup.start_weir();
  run_requests(weir.port(), 1, 1, bodies);
  std::vector<double> through;
  std::vector<double> straight;
  for (int i = 0; i < 3 * setup.rounds; ++i) {
    const std::string& body = bodies[static_cast<std::size_t>(i) % bodies.size()];
    straight.push_back(static_cast<double>(time_upload(setup.stub_port, body)) / 1e6);
    through.push_back(static_cast<double>(time_upload(weir.port(), body)) / 1e6);
  }
  const double added = median(through) - median(straight);
  report.add({std::string("1 MB of ") + name + ": until the upstream has the whole request",
              number(median(through)) + " ms", number(median(straight)) + " ms straight",
              signed_number(added) + " ms", "<= 40 ms", added <= kUploadAddedMsMax});
}

struct StreamRun {
  StreamResult result;
  Memory memory;
  int threads = 0;
  double cpu_us_per_event = 0;
};

StreamRun stream_through(const Setup& setup, const ProxyProcess& proxy) {
  Random random;
  const std::string text = json_text(prose(random, 1500));
  const int events = setup.stream_seconds * kEventsPerSecond;
  StreamRun run;
  const double before = proxy.cpu_seconds();
  // Looks at the threads in the middle of the run.
  std::thread observer([&] {
    std::this_thread::sleep_for(std::chrono::seconds(setup.stream_seconds) / 2);
    run.threads = proxy.threads();
  });
  run.result = run_streams(proxy.port(), kStreams, events, text);
  observer.join();
  run.memory = proxy.memory();
  run.cpu_us_per_event = (proxy.cpu_seconds() - before) * 1e6 / kStreams / events;
  return run;
}

std::string latency_text(const StreamResult& result) {
  return number(percentile(result.latencies_us, 0.5) / 1000, 2) + " / " +
         number(percentile(result.latencies_us, 0.99) / 1000, 2) + " / " +
         number(percentile(result.latencies_us, 1) / 1000, 1) + " ms";
}

void measure_streams(const Setup& setup, Report& report) {
  Random random;
  const int events = setup.stream_seconds * kEventsPerSecond;
  const StreamResult straight =
      run_streams(setup.stub_port, kStreams, events, json_text(prose(random, 1500)));
  const ProxyProcess nginx = setup.start_nginx();
  const StreamRun by_nginx = stream_through(setup, nginx);
  const ProxyProcess weir = setup.start_weir();
  run_requests(weir.port(), 1, 1, chat_bodies(prose, kChatBytes, 1));
  const StreamRun by_weir = stream_through(setup, weir);

  const auto errors = by_weir.result.errors;
  report.add({"1,000 streams, 20 events/s each, " + std::to_string(setup.stream_seconds) +
                  " s: streams that failed",
              std::to_string(errors), std::to_string(straight.errors) + " straight", "", "0",
              errors == 0});
  const double added =
      (percentile(by_weir.result.latencies_us, 0.99) - percentile(straight.latencies_us, 0.99)) /
      1000;
  report.add({"the same: added latency, p99",
              number(percentile(by_weir.result.latencies_us, 0.99) / 1000, 2) + " ms",
              number(percentile(straight.latencies_us, 0.99) / 1000, 2) + " ms straight",
              signed_number(added) + " ms", "< 10 ms", added < kStreamAddedP99MsMax});
  report.add({"the same: peak memory", number(by_weir.memory.peak_mb) + " MB",
              number(by_nginx.memory.peak_mb) + " MB nginx",
              number(by_weir.memory.peak_mb / by_nginx.memory.peak_mb, 2), "< 150 MB",
              by_weir.memory.peak_mb < kStreamMemoryMbMax});
  report.note("streams, p50 / p99 / max: straight " + latency_text(straight) + ", nginx " +
              latency_text(by_nginx.result) + ", weir " + latency_text(by_weir.result));
  report.note("streams, CPU per event: nginx " + number(by_nginx.cpu_us_per_event) + " us, weir " +
              number(by_weir.cpu_us_per_event) + " us, ratio " +
              number(by_weir.cpu_us_per_event / by_nginx.cpu_us_per_event, 2) +
              "; weir's threads " + std::to_string(by_weir.threads));
  std::this_thread::sleep_for(std::chrono::seconds(12));
  report.note("12 s after the streams weir holds " + number(weir.memory().now_mb) + " MB and " +
              std::to_string(weir.threads()) + " threads");
}

void measure_idle(const Setup& setup, Report& report) {
  std::vector<double> starts;
  std::vector<double> memory;
  for (int i = 0; i < setup.rounds; ++i) {
    const ProxyProcess weir = setup.start_weir();
    starts.push_back(weir.start_ms());
    run_requests(weir.port(), 1, 1, chat_bodies(prose, kChatBytes, 1));  // counts: it is loaded
    std::this_thread::sleep_for(std::chrono::milliseconds(300));
    memory.push_back(weir.memory().now_mb);
  }
  const ProxyProcess nginx = setup.start_nginx();
  report.add({"start to open port", number(median(starts)) + " ms",
              number(nginx.start_ms()) + " ms nginx", number(median(starts) / nginx.start_ms(), 2),
              "<= 30 ms", median(starts) <= kStartMsMax});
  report.add({"idle memory, vocabulary loaded, one request served", number(median(memory)) + " MB",
              number(nginx.memory().now_mb) + " MB nginx",
              number(median(memory) / nginx.memory().now_mb, 2), "< 60 MB",
              median(memory) < kIdleMemoryMbMax});

  const ProxyProcess weir = setup.start_weir();
  const auto idle = idle_connections(weir.port(), kStreams, chat_body("Hello"));
  std::this_thread::sleep_for(std::chrono::seconds(1));
  const double before = weir.cpu_seconds();
  std::this_thread::sleep_for(std::chrono::seconds(setup.idle_seconds));
  const double share = (weir.cpu_seconds() - before) / setup.idle_seconds;
  report.add({"1,000 idle keep-alive connections: share of one core", percent(share), "", "",
              "< 1 %", 100 * share < kIdleCpuPercentMax});
  report.note("1,000 idle connections: " + std::to_string(weir.threads()) + " threads, " +
              number(weir.memory().now_mb) + " MB");
}

Setup parse(int argc, char** argv) {
  Setup setup;
  for (int i = 1; i < argc; ++i) {
    const std::string argument = argv[i];
    if (argument == "--quick") {
      setup.rounds = 3;
      setup.cpu_rounds = 9;
      setup.requests = 3000;
      setup.stream_seconds = 4;
      setup.idle_seconds = 2;
    } else if (argument == "--weir" && i + 1 < argc) {
      setup.weir = argv[++i];
    } else if (argument == "--nginx" && i + 1 < argc) {
      setup.nginx = argv[++i];
    } else if (argument == "--only" && i + 1 < argc) {
      setup.only = argv[++i];
    } else {
      throw std::runtime_error("see the head of proxy_bench.cc for the arguments");
    }
  }
  return setup;
}

// A directory that is removed with its owner.
class TemporaryDirectory {
 public:
  TemporaryDirectory() {
    std::string name = (std::filesystem::temp_directory_path() / "weir-bench-XXXXXX").string();
    if (::mkdtemp(name.data()) == nullptr) {
      throw std::runtime_error("no temporary directory");
    }
    path_ = name;
  }
  ~TemporaryDirectory() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
};

bool run(Setup setup) {
  prepare_process();
  const TemporaryDirectory directory;
  const StubUpstream stub;
  setup.directory = directory.path();
  setup.stub_port = stub.port();
  Report report;
  const auto wanted = [&](std::string_view name) {
    return setup.only.empty() || setup.only == name;
  };
  if (wanted("cpu")) {
    measure_cpu(setup, report);
  }
  if (wanted("upload")) {
    measure_upload(setup, report, "English-like text", english);
    measure_upload(setup, report, "Chinese", chinese);
  }
  if (wanted("streams")) {
    measure_streams(setup, report);
  }
  if (wanted("idle")) {
    measure_idle(setup, report);
  }
  report.end();
  return report.all_met();
}

}  // namespace
}  // namespace weir::bench

int main(int argc, char** argv) {
  try {
    return weir::bench::run(weir::bench::parse(argc, argv)) ? 0 : 1;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "proxy_bench: %s\n", error.what());
    return 3;
  }
}
