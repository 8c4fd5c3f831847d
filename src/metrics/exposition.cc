#include "weir/metrics/exposition.h"

#include <prometheus/text_serializer.h>

#include <algorithm>
#include <iterator>

#include "series.h"

namespace weir::metrics {
namespace {

using prometheus::ClientMetric;
using prometheus::MetricFamily;
using prometheus::MetricType;
using Labels = std::vector<ClientMetric::Label>;

class Families {
 public:
  explicit Families(std::vector<MetricFamily>& out) : out_(out) {}

  void begin(std::string name, std::string help, MetricType type = MetricType::Gauge) {
    out_.push_back({std::move(name), std::move(help), type, {}});
  }
  void add(double value, Labels labels = {}) {
    ClientMetric metric;
    metric.label = std::move(labels);
    (out_.back().type == MetricType::Counter ? metric.counter.value : metric.gauge.value) = value;
    out_.back().metric.push_back(std::move(metric));
  }
  void one(std::string name, std::string help, double value) {
    begin(std::move(name), std::move(help));
    add(value);
  }

 private:
  std::vector<MetricFamily>& out_;
};

double unix_seconds(std::chrono::system_clock::time_point time) {
  return std::chrono::duration<double>(time.time_since_epoch()).count();
}

Labels of(const UpstreamGauges& upstream) {
  return {{"upstream", upstream.name}};
}

void add_upstreams(const std::vector<UpstreamGauges>& upstreams, Families& families) {
  families.begin("weir_upstream_state",
                 "1 for the state that the upstream is in, 0 for the others.");
  for (const UpstreamGauges& upstream : upstreams) {
    for (const std::string_view state : kUpstreamStates) {
      families.add(upstream.state == state ? 1 : 0,
                   {{"upstream", upstream.name}, {"state", std::string(state)}});
    }
  }
  families.begin("weir_upstream_in_flight", "Requests that the upstream works on.");
  for (const UpstreamGauges& upstream : upstreams) {
    families.add(upstream.in_flight, of(upstream));
  }
  families.begin("weir_upstream_waiting", "Requests that wait for a place at the upstream.");
  for (const UpstreamGauges& upstream : upstreams) {
    families.add(upstream.waiting, of(upstream));
  }
  families.begin("weir_upstream_slots", "Slots of a local server, from its /props.");
  for (const UpstreamGauges& upstream : upstreams) {
    if (upstream.slots) {
      families.add(*upstream.slots, of(upstream));
    }
  }
  families.begin("weir_upstream_context_tokens", "Context of one slot of a local server.");
  for (const UpstreamGauges& upstream : upstreams) {
    if (upstream.context_tokens) {
      families.add(*upstream.context_tokens, of(upstream));
    }
  }
}

void add_config(const Gauges& now, Families& families) {
  families.one("weir_threshold_tokens", "routing.threshold_tokens in force.",
               static_cast<double>(now.threshold_tokens));
  families.begin("weir_config_reloads_total", "Reloads of the configuration.", MetricType::Counter);
  families.add(static_cast<double>(now.reloads), {{"result", "applied"}});
  families.add(static_cast<double>(now.reloads_failed), {{"result", "failed"}});
  families.one("weir_config_last_reload_successful", "0 when the last reload found faults.",
               now.last_reload_failed ? 0 : 1);
  families.one("weir_config_loaded_timestamp_seconds",
               "When the configuration in force was read, in seconds since 1970.",
               unix_seconds(now.config_loaded));
}

void add_process(const Gauges& now, Families& families) {
  families.begin("weir_build_info", "1; the label is the version.");
  families.add(1, {{"version", now.version}});
  families.one("weir_client_connections", "Open connections of clients, idle ones included.",
               now.client_connections);
  families.one("process_resident_memory_bytes", "Memory that the process holds in RAM.",
               static_cast<double>(now.resident_bytes));
  families.one("process_open_fds", "Open file descriptors.", static_cast<double>(now.open_files));
  families.one("process_max_fds", "How many there may be.",
               static_cast<double>(now.open_files_max));
  families.begin("process_cpu_seconds_total", "CPU time of the process.", MetricType::Counter);
  families.add(static_cast<double>(now.cpu_microseconds) / 1e6);
  families.one("process_start_time_seconds", "When the process started, in seconds since 1970.",
               unix_seconds(now.started));
}

}  // namespace

void add_gauges(const Gauges& now, std::vector<MetricFamily>& families) {
  Families out(families);
  add_upstreams(now.upstreams, out);
  add_config(now, out);
  add_process(now, out);
}

std::string exposition_text(const std::vector<MetricFamily>& families) {
  std::vector<MetricFamily> filled;
  std::copy_if(families.begin(), families.end(), std::back_inserter(filled),
               [](const MetricFamily& family) { return !family.metric.empty(); });
  return prometheus::TextSerializer().Serialize(filled);
}

}  // namespace weir::metrics
