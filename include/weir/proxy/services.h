#pragma once

// What a request uses, from its first step to its last: one configuration with its upstreams and its
// counter, and what all configurations share. Built by cli, which keeps it for as long as a request
// goes by it. Everything in it may be used from any thread.

#include <memory>
#include <string_view>
#include <vector>

#include "weir/base/clock.h"
#include "weir/config/config.h"
#include "weir/log/logger.h"
#include "weir/metrics/counters.h"
#include "weir/os/wait.h"
#include "weir/proxy/local_counter.h"
#include "weir/upstream/health.h"
#include "weir/upstream/upstream.h"

namespace weir::proxy {

struct Services {
  const config::Config& config;
  const std::vector<std::shared_ptr<upstream::Upstream>>& upstreams;  // as config.upstreams
  upstream::HealthTable& health;
  const LocalCounter& counter;
  metrics::Counters& counters;
  log::Logger& logger;
  const base::Clock& clock;
  const os::StopSignal& hard_stop;  // raised when running answers must end
  std::string_view own_name;        // of this weir among all weirs, see src/proxy/way.h

  // The one that `settings`, an element of config.upstreams, stand for.
  upstream::Upstream& upstream_of(const config::Upstream& settings) const;
};

}  // namespace weir::proxy
