#pragma once

// All parts of a running weir, built from one configuration and handed to each other.

#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "table_folder.h"
#include "weir/base/clock.h"
#include "weir/base/result.h"
#include "weir/config/config.h"
#include "weir/log/logger.h"
#include "weir/proxy/services.h"
#include "weir/server/server.h"
#include "weir/tokenizer/builtin.h"

namespace weir::cli {

class Runtime {
 public:
  // Listens and serves when it returns; the tokenizer's tables are built meanwhile in the
  // background. Errors: kBadConfig, kCannotRun.
  static base::Result<std::unique_ptr<Runtime>> start(config::Config config, log::Logger& logger);
  ~Runtime();

  // "127.0.0.1:8090", as bound.
  std::vector<std::string> addresses() const;

  // Does the accepting thread go round, and can every lock be taken that a request takes? Does not
  // come back when one cannot. For the watchdog.
  bool is_answering() const;

  // Stops accepting, lets running answers end for server.drain, then ends the rest.
  void stop();
  // The longest that `stop` and the destructor take, unless something hangs.
  std::chrono::seconds stop_time_max() const;
  std::uint32_t connections() const { return server_->connections(); }

 private:
  Runtime(config::Config config, log::Logger& logger);
  base::Result<void> open_parts();
  base::Result<void> open_server();
  base::Result<void> choose_counter();
  void log_start() const;

  const config::Config config_;
  log::Logger& logger_;
  base::SystemClock clock_;
  os::StopSignal hard_stop_;
  tokenizer::Builtins builtins_;
  TableFolder tables_;
  std::unique_ptr<proxy::LocalCounter> counter_;
  metrics::Counters counters_;
  upstream::HealthTable health_{clock_};
  std::vector<std::unique_ptr<upstream::Upstream>> upstreams_;
  std::unique_ptr<proxy::Services> services_;
  std::unique_ptr<server::Server> server_;
  std::unique_ptr<upstream::HealthProber> prober_;
  std::thread warm_up_;
};

// The local server whose tokens are counted: that of the short route, else the first; nullptr when
// there is none.
const config::Upstream* counted_local(const config::Config& config);

// What tokenizer.model = "auto" goes by: what the configuration calls its model.
std::string local_model_of(const config::Config& config);

// The counter that a configuration asks for, before the local server has said anything.
base::Result<proxy::PromptCounter> configured_counter(const config::Config& config,
                                                      tokenizer::Builtins& builtins,
                                                      tokenizer::TableStore& tables);

// The log of a configuration: its file and level, with every key of the configuration hidden.
base::Result<std::unique_ptr<log::Logger>> open_log(const config::Config& config);

}  // namespace weir::cli
