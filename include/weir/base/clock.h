#pragma once

// The time, as a seam: tests turn a ManualClock by hand (tests/fakes), nothing sleeps.

#include <chrono>

namespace weir::base {

using SteadyTime = std::chrono::steady_clock::time_point;
using SystemTime = std::chrono::system_clock::time_point;

// Thread-safe.
class Clock {
 public:
  virtual ~Clock() = default;
  virtual SteadyTime now() const = 0;         // for waits and durations
  virtual SystemTime system_now() const = 0;  // for people: logs, "created"
};

class SystemClock final : public Clock {
 public:
  SteadyTime now() const override { return std::chrono::steady_clock::now(); }
  SystemTime system_now() const override { return std::chrono::system_clock::now(); }
};

}  // namespace weir::base
