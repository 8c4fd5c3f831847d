#pragma once

// All parts of a running weir, built from one configuration and handed to each other; and how another
// configuration takes its place.

#include <atomic>
#include <functional>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "snapshot.h"
#include "table_folder.h"
#include "weir/base/clock.h"
#include "weir/base/mutex.h"
#include "weir/base/random_id.h"
#include "weir/base/result.h"
#include "weir/config/config.h"
#include "weir/log/logger.h"
#include "weir/proxy/information.h"
#include "weir/proxy/services.h"
#include "weir/server/server.h"
#include "weir/service/file_watch.h"
#include "weir/tokenizer/builtin.h"

namespace weir::cli {

// How a running weir is given its configuration again. The functions are called by one thread at a
// time, whichever asks for the reload.
struct Reloading {
  std::function<base::Result<config::Loaded>()> read{};  // without it there is no reload
  std::function<void()> on_begin{};                    // may be empty, as the next
  std::function<void()> on_end{};                      // whatever came of it
};

// What a reload did, by the keys of the configuration.
struct ReloadReport {
  std::vector<std::string> changed;
  std::vector<std::string> needs_restart;  // other values than those in force, without effect
  std::vector<std::string> warnings;
};

class Runtime {
 public:
  // Listens and serves when it returns; the tokenizer's tables are built meanwhile in the
  // background. Errors: kBadConfig, kCannotRun.
  static base::Result<std::unique_ptr<Runtime>> start(config::Loaded loaded, log::Logger& logger,
                                                      Reloading reloading = {});
  ~Runtime();

  // "127.0.0.1:8090", as bound.
  std::vector<std::string> addresses() const;

  // Does the accepting thread go round, and can every lock be taken that a request takes? Does not
  // come back when one cannot. For the watchdog.
  bool is_answering() const;

  // Reads the configuration again and puts it in force for all requests that come from now on; those
  // under way keep theirs. One with a fault changes nothing. Thread-safe. `asked_by` is for the log.
  // Errors: kBadConfig, with every fault, one a line.
  base::Result<ReloadReport> reload(std::string_view asked_by);
  // The same if server.watch is set and a file of the configuration has changed. To be called every
  // few seconds: a file must look the same twice.
  void reload_if_changed();

  // Stops accepting, lets running answers end for server.drain, then ends the rest.
  void stop();
  // The longest that `stop` and the destructor take, unless something hangs.
  std::chrono::seconds stop_time_max() const;
  std::uint32_t connections() const { return server_->connections(); }

 private:
  Runtime(log::Logger& logger, Reloading reloading);
  base::Result<void> open(config::Loaded loaded) REQUIRES(reload_mutex_);
  base::Result<void> open_server();
  base::Result<void> choose_first_counter(Snapshot& snapshot);
  void start_prober(const std::shared_ptr<const Snapshot>& snapshot) REQUIRES(reload_mutex_);
  void log_start() const;

  base::Result<ReloadReport> reload_now(std::string_view asked_by) REQUIRES(reload_mutex_);
  base::Result<ReloadReport> read_and_apply() REQUIRES(reload_mutex_);
  base::Result<void> load_counter(Snapshot& after, const Snapshot& before);
  void apply(const std::shared_ptr<Snapshot>& snapshot) REQUIRES(reload_mutex_);
  void note(const base::Result<ReloadReport>& outcome);
  server::Page answer_reload(const proxy::ClientRequest& request);

  // What a request that begins now goes by.
  std::shared_ptr<const Snapshot> current() const;
  proxy::ConfigStatus config_status() const;
  std::string status_page() const;
  std::string metrics_page() const;
  Foundation foundation() {
    return {health_, counters_, logger_, clock_, hard_stop_, builtins_, tables_, own_name_};
  }

  const Reloading reloading_;
  log::Logger& logger_;
  const std::string own_name_ = base::random_id();
  base::SystemClock clock_;
  const std::chrono::system_clock::time_point started_ = clock_.system_now();
  os::StopSignal hard_stop_;
  tokenizer::Builtins builtins_;
  TableFolder tables_;
  metrics::Counters counters_;
  upstream::HealthTable health_{clock_};
  base::Mutex reload_mutex_;  // one reload after the other; held for as long as each takes
  service::FileWatch watch_ GUARDED_BY(reload_mutex_);
  std::unique_ptr<upstream::HealthProber> prober_;  // replaced under reload_mutex_
  mutable base::Mutex mutex_;
  std::shared_ptr<const Snapshot> current_ GUARDED_BY(mutex_);
  proxy::ConfigStatus config_status_ GUARDED_BY(mutex_);
  std::unique_ptr<server::Server> server_;
  std::atomic<const server::Server*> serving_{nullptr};  // server_, for requests that are early
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

// From now on no line of the log shows a key of the configuration, or the value of one of its
// `headers`.
void hide_secrets(const config::Config& config, log::Logger& logger);

// The log of a configuration: its file and level, with every key of the configuration hidden.
base::Result<std::unique_ptr<log::Logger>> open_log(const config::Config& config);

}  // namespace weir::cli
