#pragma once

// std::mutex with the annotations that clang's -Wthread-safety checks: a member marked
// GUARDED_BY(mutex_) may be touched only while the mutex is held. Other compilers see nothing of
// it.

#include <condition_variable>
#include <mutex>

#if defined(__clang__)
#define WEIR_THREAD_ANNOTATION(x) __attribute__((x))
#else
#define WEIR_THREAD_ANNOTATION(x)
#endif
#define WEIR_CAPABILITY(x) WEIR_THREAD_ANNOTATION(capability(x))
#define WEIR_SCOPED_CAPABILITY WEIR_THREAD_ANNOTATION(scoped_lockable)
#define GUARDED_BY(x) WEIR_THREAD_ANNOTATION(guarded_by(x))
#define REQUIRES(...) WEIR_THREAD_ANNOTATION(requires_capability(__VA_ARGS__))
#define ACQUIRE(...) WEIR_THREAD_ANNOTATION(acquire_capability(__VA_ARGS__))
#define RELEASE(...) WEIR_THREAD_ANNOTATION(release_capability(__VA_ARGS__))

namespace weir::base {

class WEIR_CAPABILITY("mutex") Mutex {
 public:
  void lock() ACQUIRE() { mutex_.lock(); }
  void unlock() RELEASE() { mutex_.unlock(); }

 private:
  friend class Condition;
  std::mutex mutex_;
};

class WEIR_SCOPED_CAPABILITY MutexLock {
 public:
  explicit MutexLock(Mutex& mutex) ACQUIRE(mutex) : mutex_(mutex) { mutex_.lock(); }
  ~MutexLock() RELEASE() { mutex_.unlock(); }
  MutexLock(const MutexLock&) = delete;
  MutexLock& operator=(const MutexLock&) = delete;

 private:
  Mutex& mutex_;
};

// A condition variable for a Mutex that the caller holds. Spurious wake-ups happen: wait in a loop.
class Condition {
 public:
  void wait(Mutex& mutex) REQUIRES(mutex) {
    std::unique_lock<std::mutex> lock(mutex.mutex_, std::adopt_lock);
    condition_.wait(lock);
    lock.release();
  }

  // False when `deadline` came first.
  template <class TimePoint>
  bool wait_until(Mutex& mutex, const TimePoint& deadline) REQUIRES(mutex) {
    std::unique_lock<std::mutex> lock(mutex.mutex_, std::adopt_lock);
    const auto status = condition_.wait_until(lock, deadline);
    lock.release();
    return status == std::cv_status::no_timeout;
  }

  void notify_one() { condition_.notify_one(); }
  void notify_all() { condition_.notify_all(); }

 private:
  std::condition_variable condition_;
};

}  // namespace weir::base
