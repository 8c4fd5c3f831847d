#pragma once

// Tells the service manager at regular times that weir answers, so that one that hangs is ended and
// started again.

#include <chrono>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <thread>

#include "weir/base/mutex.h"
#include "weir/log/logger.h"
#include "weir/service/notices.h"

namespace weir::service {

// How often the manager wants to hear from this process at least (WATCHDOG_USEC, meant for
// WATCHDOG_PID); nothing when it does not watch.
std::optional<std::chrono::microseconds> watchdog_interval(
    const std::function<std::optional<std::string>(std::string_view name)>& variable,
    std::uint64_t process_id);

// A thread that asks `is_answering` twice in each interval and sends the sign of life only when it
// says yes. One that never comes back from `is_answering`, since a lock is never given back, sends
// nothing any more, which is the point.
class Watchdog {
 public:
  // The references outlive it.
  Watchdog(const Notices& notices, std::chrono::microseconds interval,
           std::function<bool()> is_answering, log::Logger& logger);
  ~Watchdog();
  Watchdog(const Watchdog&) = delete;
  Watchdog& operator=(const Watchdog&) = delete;

 private:
  void watch();
  bool wait_for_turn();

  const Notices& notices_;
  const std::chrono::microseconds pause_;
  const std::function<bool()> is_answering_;
  log::Logger& logger_;
  base::Mutex mutex_;
  base::Condition changed_;
  bool ending_ GUARDED_BY(mutex_) = false;
  std::thread thread_;
};

}  // namespace weir::service
