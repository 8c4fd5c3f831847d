#include "workers.h"

#include <chrono>
#include <system_error>
#include <thread>

#include "front_limits.h"

namespace weir::server {

Workers::~Workers() {
  join();
}

bool Workers::run(std::function<void()> job) {
  {
    const base::MutexLock lock(mutex_);
    if (idle_ > jobs_.size()) {
      jobs_.push_back(std::move(job));
      wake_.notify_one();
      return true;
    }
    ++threads_;
  }
  try {
    std::thread([this, first = std::move(job)]() mutable { work(std::move(first)); }).detach();
    return true;
  } catch (const std::system_error&) {
    const base::MutexLock lock(mutex_);
    --threads_;
    return false;
  }
}

void Workers::work(std::function<void()> job) {
  do {
    job();
    job = nullptr;
  } while (wait_for_job(job));
}

// False: this thread ends.
bool Workers::wait_for_job(std::function<void()>& job) {
  const base::MutexLock lock(mutex_);
  ++idle_;
  const auto deadline = std::chrono::steady_clock::now() + kWorkerIdleMax;
  while (jobs_.empty() && !closing_ && wake_.wait_until(mutex_, deadline)) {
  }
  --idle_;
  if (!jobs_.empty()) {
    job = std::move(jobs_.front());
    jobs_.pop_front();
    return true;
  }
  --threads_;
  ended_.notify_all();
  return false;
}

void Workers::join() {
  const base::MutexLock lock(mutex_);
  closing_ = true;
  wake_.notify_all();
  while (threads_ > 0) {
    ended_.wait(mutex_);
  }
}

}  // namespace weir::server
