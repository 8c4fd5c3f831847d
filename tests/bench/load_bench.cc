// What weir bears: many streams, many idle connections, many new connections.
//
//     load_bench --weir PROGRAM [--quick]
//
// Everything runs on one machine, clients and upstream too. Exit code 1 when anything failed.

#include <unistd.h>

#include <cstdio>
#include <exception>
#include <filesystem>
#include <stdexcept>
#include <string>
#include <thread>

#include "clients.h"
#include "proxy_process.h"
#include "report.h"
#include "stub_upstream.h"

namespace weir::bench {
namespace {

constexpr const char* kBody = R"({"model":"auto","messages":[{"role":"user","content":"Hello"}]})";

struct Load {
  std::string weir;
  std::filesystem::path directory;
  int streams = 2000;
  int stream_seconds = 30;
  int idle = 10000;
  int rate = 200;
  int rate_seconds = 60;
};

struct Line {
  std::string load;
  std::uint64_t errors = 0;
  double grown_mb = 0;  // resident, over what it held after one request
  int connections = 0;  // of clients, at a time
  double cpu_share = 0;
  int threads = 0;
  std::string latency = {};
};

std::string thousands(int value) {
  std::string text = std::to_string(value);
  for (int at = static_cast<int>(text.size()) - 3; at > 0; at -= 3) {
    text.insert(static_cast<std::size_t>(at), ",");
  }
  return text;
}

void print(const Line& line) {
  const double kilobytes =
      line.connections == 0 ? 0 : line.grown_mb * 1024 / static_cast<double>(line.connections);
  std::printf("| %s | %s | %s MB | %s | %s | %d | %s |\n", line.load.c_str(),
              std::to_string(line.errors).c_str(), number(line.grown_mb).c_str(),
              line.connections == 0 ? "" : (number(kilobytes) + " KB").c_str(),
              (number(100 * line.cpu_share) + " %").c_str(), line.threads, line.latency.c_str());
  std::fflush(stdout);
}

std::string latency_text(const std::vector<std::uint32_t>& latencies_us) {
  return number(percentile(latencies_us, 0.5) / 1000, 2) + " / " +
         number(percentile(latencies_us, 0.99) / 1000, 2) + " / " +
         number(percentile(latencies_us, 1) / 1000, 1) + " ms";
}

// weir after its first request, and what has changed since.
class Measured {
 public:
  Measured(const Load& load, const StubUpstream& stub)
      : weir_(ProxyProcess::weir(load.weir, load.directory, stub.port())) {
    if (run_requests(weir_.port(), 1, 1, {kBody}) != 0) {
      throw std::runtime_error("the first request failed");
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(300));  // the tables are built
    memory_mb_ = weir_.memory().now_mb;
    cpu_seconds_ = weir_.cpu_seconds();
    start_ns_ = now_ns();
  }
  std::uint16_t port() const { return weir_.port(); }
  double grown_mb() const { return weir_.memory().now_mb - memory_mb_; }
  int threads() const { return weir_.threads(); }
  double cpu_share() const {
    return (weir_.cpu_seconds() - cpu_seconds_) * 1e9 / static_cast<double>(now_ns() - start_ns_);
  }

 private:
  ProxyProcess weir_;
  double memory_mb_ = 0;
  double cpu_seconds_ = 0;
  std::int64_t start_ns_ = 0;
};

bool measure_streams(const Load& load) {
  const StubUpstream stub;
  const Measured weir(load, stub);
  Line line{thousands(load.streams) + " streams, " + std::to_string(kEventsPerSecond) +
            " events a second each"};
  line.connections = load.streams;
  std::thread observer([&] {
    std::this_thread::sleep_for(std::chrono::seconds(load.stream_seconds) / 2);
    line.grown_mb = weir.grown_mb();
    line.threads = weir.threads();
  });
  const StreamResult result =
      run_streams(weir.port(), load.streams, load.stream_seconds * kEventsPerSecond, "Hello");
  observer.join();
  line.cpu_share = weir.cpu_share();
  line.errors = result.errors;
  line.latency = latency_text(result.latencies_us);
  print(line);
  return line.errors == 0;
}

bool measure_idle(const Load& load) {
  const StubUpstream stub;
  const Measured weir(load, stub);
  Line line{thousands(load.idle) + " idle connections, each after one request"};
  line.connections = load.idle;
  const auto idle = idle_connections(weir.port(), load.idle, kBody);
  std::this_thread::sleep_for(std::chrono::seconds(12));  // workers without work have ended
  line.grown_mb = weir.grown_mb();
  line.threads = weir.threads();
  const RateResult beside = connect_at_rate(weir.port(), 50, 5, kBody);
  line.errors = beside.errors;
  line.latency = latency_text(beside.latencies_us) + " for requests beside them";
  line.cpu_share = weir.cpu_share();
  print(line);
  return line.errors == 0;
}

bool measure_rate(const Load& load) {
  const StubUpstream stub;
  const Measured weir(load, stub);
  Line line{std::to_string(load.rate) + " new connections a second for " +
            std::to_string(load.rate_seconds) + " s, one request each"};
  const RateResult result = connect_at_rate(weir.port(), load.rate, load.rate_seconds, kBody);
  line.cpu_share = weir.cpu_share();
  line.errors = result.errors;
  line.grown_mb = weir.grown_mb();
  line.threads = weir.threads();
  line.latency = latency_text(result.latencies_us);
  print(line);
  return line.errors == 0;
}

bool run(Load load) {
  prepare_process();
  std::string name = (std::filesystem::temp_directory_path() / "weir-load-XXXXXX").string();
  if (::mkdtemp(name.data()) == nullptr) {
    throw std::runtime_error("no temporary directory");
  }
  load.directory = name;
  std::printf(
      "| load | failed | memory more than idle | per connection | share of one core | threads | "
      "latency p50 / p99 / max |\n| --- | --- | --- | --- | --- | --- | --- |\n");
  bool good = measure_streams(load);
  good = measure_idle(load) && good;
  good = measure_rate(load) && good;
  std::filesystem::remove_all(name);
  return good;
}

Load parse(int argc, char** argv) {
  Load load;
  for (int i = 1; i < argc; ++i) {
    const std::string argument = argv[i];
    if (argument == "--weir" && i + 1 < argc) {
      load.weir = argv[++i];
    } else if (argument == "--quick") {
      load.streams = 200;
      load.stream_seconds = 2;
      load.idle = 1000;
      load.rate_seconds = 2;
    } else {
      throw std::runtime_error("see the head of load_bench.cc for the arguments");
    }
  }
  return load;
}

}  // namespace
}  // namespace weir::bench

int main(int argc, char** argv) {
  try {
    return weir::bench::run(weir::bench::parse(argc, argv)) ? 0 : 1;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "load_bench: %s\n", error.what());
    return 3;
  }
}
