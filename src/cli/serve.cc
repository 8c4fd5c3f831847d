#include <chrono>
#include <utility>

#include "commands.h"
#include "runtime.h"
#include "weir/base/mutex.h"
#include "weir/os/process.h"
#include "weir/service/notices.h"
#include "weir/service/watchdog.h"

namespace weir::cli {
namespace {

// How often the files of the configuration are looked at.
constexpr std::chrono::seconds kWatchPeriod{2};

enum class Request { kNone, kReload, kStop };

// Lets the main thread sleep until the system asks the program for something.
class Requests {
 public:
  void stop() {
    const base::MutexLock lock(mutex_);
    stop_ = true;
    changed_.notify_all();
  }
  void reload() {
    const base::MutexLock lock(mutex_);
    reload_ = true;
    changed_.notify_all();
  }
  // kNone when there is none for `longest`.
  Request wait(std::chrono::seconds longest) {
    const auto deadline = std::chrono::steady_clock::now() + longest;
    const base::MutexLock lock(mutex_);
    while (!stop_ && !reload_) {
      if (!changed_.wait_until(mutex_, deadline)) {
        break;
      }
    }
    if (stop_) {
      return Request::kStop;
    }
    return std::exchange(reload_, false) ? Request::kReload : Request::kNone;
  }

 private:
  base::Mutex mutex_;
  base::Condition changed_;
  bool stop_ GUARDED_BY(mutex_) = false;
  bool reload_ GUARDED_BY(mutex_) = false;
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
  if (auto checked = config::check_listen(config.server); !checked) {
    return checked;
  }
  return config::check_no_loop(config);
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

base::Result<config::Loaded> read(const ServeOptions& options) {
  auto loaded = load(options.config);
  if (!loaded) {
    return loaded;
  }
  if (auto applied = apply_listen(loaded->config, options.listen); !applied) {
    return applied.error();
  }
  return loaded;
}

std::string places_of(const Runtime& runtime) {
  std::string places;
  for (const std::string& place : runtime.addresses()) {
    places += (places.empty() ? "listens on " : ", ") + place;
  }
  return places;
}

// The file that was found once is the one that is read again, whatever else could be found by then.
Reloading reloading_for(const ServeOptions& options, const std::filesystem::path& file,
                        const service::Notices& notices) {
  ServeOptions again = options;
  again.config = os::path_to_utf8(file);
  return {.read = [again] { return read(again); },
          .on_begin = [&notices] { notices.reloading(); },
          .on_end = [&notices] { notices.ready("has read its configuration again"); }};
}

void serve_requests_of_the_system(Runtime& runtime, Requests& requests) {
  for (;;) {
    switch (requests.wait(kWatchPeriod)) {
      case Request::kStop:
        return;
      case Request::kReload:
        static_cast<void>(runtime.reload("SIGHUP"));  // its faults are in the log
        break;
      case Request::kNone:
        runtime.reload_if_changed();
        break;
    }
  }
}

// From the open port to the last answer, with the service manager being told.
void attend(Runtime& runtime, Requests& requests, const service::Notices& notices,
            log::Logger& logger) {
  notices.ready(places_of(runtime));
  std::optional<service::Watchdog> watchdog;
  if (const auto interval =
          service::watchdog_interval(os::environment_variable, os::process_id())) {
    watchdog.emplace(
        notices, *interval, [&runtime] { return runtime.is_answering(); }, logger);
  }
  serve_requests_of_the_system(runtime, requests);
  notices.stopping(runtime.stop_time_max(),
                   "stops; connections: " + std::to_string(runtime.connections()));
  runtime.stop();
}

}  // namespace

int serve(const ServeOptions& options) {
  auto loaded = read(options);
  if (!loaded) {
    return report(loaded.error());
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
  Requests requests;
  os::call_on_stop_request([&requests] { requests.stop(); }, [&requests] { requests.reload(); });
  const service::Notices notices;
  Reloading reloading = reloading_for(options, loaded->config.path, notices);
  const auto runtime = Runtime::start(*std::move(loaded), **logger, std::move(reloading));
  if (!runtime) {
    if (!log_file.empty()) {
      (*logger)->error(runtime.error().message);
    }
    return report(runtime.error());
  }
  attend(**runtime, requests, notices, **logger);
  return kExitDone;
}

}  // namespace weir::cli
