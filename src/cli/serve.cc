#include "commands.h"
#include "runtime.h"
#include "weir/base/mutex.h"
#include "weir/os/process.h"
#include "weir/service/notices.h"
#include "weir/service/watchdog.h"

namespace weir::cli {
namespace {

// Lets the main thread sleep until the system asks the program to end.
class StopRequest {
 public:
  void make() {
    const base::MutexLock lock(mutex_);
    made_ = true;
    changed_.notify_all();
  }
  void wait() {
    const base::MutexLock lock(mutex_);
    while (!made_) {
      changed_.wait(mutex_);
    }
  }

 private:
  base::Mutex mutex_;
  base::Condition changed_;
  bool made_ GUARDED_BY(mutex_) = false;
};

base::Result<void> apply_listen(config::Config& config, const std::optional<std::string>& listen) {
  if (!listen) {
    return {};
  }
  const auto address = config::parse_listen(*listen);
  if (!address) {
    return base::Error{address.error().code, "--listen: " + address.error().message};
  }
  config.server.listen = {*address};
  return config::check_listen(config.server);
}

// Keys that the file may hold already and that do nothing yet: better said than found out.
void warn_of_keys_without_effect(const config::Config& config, log::Logger& logger) {
  for (const config::Upstream& upstream : config.upstreams) {
    if (upstream.launch) {
      logger.warn("[local.NAME.launch] has no effect in this version",
                  {{"upstream", upstream.full_name()}});
    }
  }
}

// From the open port to the last answer, with the service manager being told.
void attend(Runtime& runtime, StopRequest& stop, log::Logger& logger) {
  const service::Notices notices;
  std::string places;
  for (const std::string& place : runtime.addresses()) {
    places += (places.empty() ? "listens on " : ", ") + place;
  }
  notices.ready(places);
  std::optional<service::Watchdog> watchdog;
  if (const auto interval =
          service::watchdog_interval(os::environment_variable, os::process_id())) {
    watchdog.emplace(
        notices, *interval, [&runtime] { return runtime.is_answering(); }, logger);
  }
  stop.wait();
  notices.stopping(runtime.stop_time_max(),
                   "stops; connections: " + std::to_string(runtime.connections()));
  runtime.stop();
}

}  // namespace

int serve(const ServeOptions& options) {
  auto loaded = load(options.config);
  if (!loaded) {
    return report(loaded.error());
  }
  if (auto applied = apply_listen(loaded->config, options.listen); !applied) {
    return report(applied.error());
  }
  const auto logger = open_log(loaded->config);
  if (!logger) {
    return report(logger.error());
  }
  for (const std::string& warning : loaded->warnings) {
    (*logger)->warn(warning);
  }
  warn_of_keys_without_effect(loaded->config, **logger);
  const std::filesystem::path log_file =
      loaded->config.log.file;  // without one the log is standard error, as `report` is
  StopRequest stop;
  os::call_on_stop_request([&stop] { stop.make(); });
  const auto runtime = Runtime::start(std::move(loaded->config), **logger);
  if (!runtime) {
    if (!log_file.empty()) {
      (*logger)->error(runtime.error().message);
    }
    return report(runtime.error());
  }
  attend(**runtime, stop, **logger);
  return kExitDone;
}

}  // namespace weir::cli
