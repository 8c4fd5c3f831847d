#pragma once

// Threads for running requests: one each, made when none is idle, ended when idle for a while.

#include <cstdint>
#include <deque>
#include <functional>

#include "weir/base/mutex.h"

namespace weir::server {

class Workers {
 public:
  ~Workers();

  // Runs `job` on a thread of its own, at once. Thread-safe. False when the system gives no more
  // threads.
  bool run(std::function<void()> job);
  // Waits until no job is running and every thread has ended. No `run` may come any more.
  void join();

 private:
  void work(std::function<void()> job);
  bool wait_for_job(std::function<void()>& job);

  base::Mutex mutex_;
  base::Condition wake_;
  base::Condition ended_;
  std::deque<std::function<void()>> jobs_
      GUARDED_BY(mutex_);  // handed to idle threads; never more than there are
  std::uint32_t idle_ GUARDED_BY(mutex_) = 0;
  std::uint32_t threads_ GUARDED_BY(mutex_) = 0;
  bool closing_ GUARDED_BY(mutex_) = false;
};

}  // namespace weir::server
