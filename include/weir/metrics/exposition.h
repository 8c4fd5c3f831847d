#pragma once

// What Prometheus is told beside the sums: what is true at the moment of the question. No key, no
// prompt, no answer is in it.

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace weir::metrics {

// Content-Type of Counters::exposition.
inline constexpr std::string_view kExpositionType = "text/plain; version=0.0.4; charset=utf-8";

// The states of an upstream, as /weir/status names them.
inline constexpr std::string_view kUpstreamStates[] = {"ready", "busy", "loading", "down",
                                                       "unknown"};

struct UpstreamGauges {
  std::string name;   // full name
  std::string state;  // one of kUpstreamStates
  std::uint32_t in_flight = 0;
  std::uint32_t waiting = 0;
  std::optional<std::uint32_t> slots;
  std::optional<std::uint32_t> context_tokens;  // of one slot
};

struct Gauges {
  std::string version;
  std::vector<UpstreamGauges> upstreams;
  std::uint32_t client_connections = 0;
  std::uint64_t threshold_tokens = 0;
  std::uint64_t reloads = 0;
  std::uint64_t reloads_failed = 0;
  bool last_reload_failed = false;
  std::chrono::system_clock::time_point config_loaded;
  std::chrono::system_clock::time_point started;
  std::uint64_t resident_bytes = 0;
  std::uint64_t open_files = 0;
  std::uint64_t open_files_max = 0;
  std::uint64_t cpu_microseconds = 0;
};

}  // namespace weir::metrics
