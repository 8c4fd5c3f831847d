#pragma once

// A clock that is turned by hand.

#include <atomic>

#include "weir/base/clock.h"

namespace weir::fakes {

class ManualClock final : public base::Clock {
 public:
  void advance(std::chrono::nanoseconds time) { passed_ = passed_.load() + time; }

  base::SteadyTime now() const override {
    return base::SteadyTime(
        std::chrono::duration_cast<base::SteadyTime::duration>(kStart + passed_.load()));
  }
  base::SystemTime system_now() const override {
    return base::SystemTime(
        std::chrono::duration_cast<base::SystemTime::duration>(kStart + passed_.load()));
  }

 private:
  static constexpr std::chrono::nanoseconds kStart = std::chrono::hours(1000);
  std::atomic<std::chrono::nanoseconds> passed_{std::chrono::nanoseconds(0)};
};

}  // namespace weir::fakes
