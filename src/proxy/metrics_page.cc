#include "weir/os/process.h"
#include "weir/proxy/information.h"

namespace weir::proxy {
namespace {

metrics::UpstreamGauges gauges_of(const Services& services, const upstream::Upstream& upstream) {
  const upstream::Health health = services.health.of(upstream.settings());
  const config::Upstream& settings = upstream.settings();
  metrics::UpstreamGauges gauges;
  gauges.name = upstream.full_name();
  gauges.state = state_shown(health.state, upstream);
  gauges.in_flight = upstream.in_flight();
  gauges.waiting = upstream.waiting();
  gauges.slots = health.total_slots;
  gauges.context_tokens =
      settings.context_tokens ? settings.context_tokens : health.slot_context_tokens;
  return gauges;
}

}  // namespace

std::string metrics_page(const Services& services, const ConfigStatus& config,
                         const ProcessStatus& process) {
  metrics::Gauges now;
  now.version = process.version;
  for (const auto& upstream : services.upstreams) {
    now.upstreams.push_back(gauges_of(services, *upstream));
  }
  now.client_connections = process.client_connections;
  now.threshold_tokens = services.config.routing.threshold_tokens;
  now.reloads = config.reloads;
  now.reloads_failed = config.reloads_failed;
  now.last_reload_failed = !config.last_fault.empty();
  now.config_loaded = config.loaded_at;
  now.started = process.started;
  now.resident_bytes = os::resident_bytes();
  now.open_files = os::open_files();
  now.open_files_max = os::open_files_max();
  now.cpu_microseconds = os::cpu_microseconds();
  return services.counters.exposition(now);
}

}  // namespace weir::proxy
