#pragma once

// The pages that tell about weir itself. No key, no prompt, no answer is in any of them.

#include <chrono>
#include <cstdint>
#include <string>
#include <string_view>

#include "weir/proxy/services.h"

namespace weir::proxy {

// GET /health: {"status":"ok"} as soon as weir listens, whatever the upstreams do.
std::string health_page();

// GET /v1/models: what a request may say as its model: "auto", the locals' models, the aliases.
// From the configuration and the last probe, so it never waits.
std::string models_page(const Services& services);

// How the configuration in force came to be.
struct ConfigStatus {
  std::chrono::system_clock::time_point loaded_at;
  std::uint64_t reloads = 0;         // that put another one in force
  std::uint64_t reloads_failed = 0;  // that changed nothing
  std::string last_fault;            // why the last reload failed; "" when it did not
};

// What the process itself knows.
struct ProcessStatus {
  std::string_view version;
  std::chrono::system_clock::time_point started;
  std::uint32_t client_connections = 0;
};

// The state of an upstream in one word; of one that is ready and takes no more at the moment, "busy".
std::string_view state_shown(upstream::HealthState state, const upstream::Upstream& upstream);

// GET /metrics: for Prometheus (metrics::kExpositionType).
std::string metrics_page(const Services& services, const ConfigStatus& config,
                         const ProcessStatus& process);

// GET /weir/status: upstreams with their state, requests under way, the configuration's path and
// when it was read, version, counts.
std::string status_page(const Services& services, const ConfigStatus& config,
                        std::string_view version);

}  // namespace weir::proxy
