#pragma once

// Sums over all requests since the start, for /weir/status and for Prometheus.

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <string_view>

#include "weir/base/mutex.h"
#include "weir/metrics/exposition.h"
#include "weir/metrics/request_record.h"

namespace weir::metrics {

// weir's counts beside those of an upstream (usage.prompt_tokens), over all answers that carried
// one.
struct CountCheck {
  std::uint64_t compared = 0;
  std::uint64_t equal = 0;
  std::uint64_t off = 0;             // by more than kCountOffPercent
  std::int64_t last_difference = 0;  // ours less theirs, tokens
  std::uint64_t our_tokens = 0;      // sums
  std::uint64_t their_tokens = 0;

  std::uint32_t off_in_a_row = 0;  // of prompts that are text only
  bool is_warned = false;
};

inline constexpr std::uint64_t kCountOffPercent = 1;
inline constexpr std::uint32_t kCountsOffBeforeWarning = 3;

class Series;

// Thread-safe.
class Counters {
 public:
  Counters();
  ~Counters();
  Counters(const Counters&) = delete;
  Counters& operator=(const Counters&) = delete;

  void record(const RequestRecord& record);
  // One that was turned away before anything was asked of an upstream: by `code` of X-Weir-Error.
  void refused(std::string_view code);

  // True once for each route, when its counts were off so many times in a row.
  bool takes_count_warning(std::string_view route);

  struct Totals {
    std::uint64_t requests = 0;
    std::uint64_t failed = 0;  // status 500 or more
    std::uint64_t client_closed = 0;
    std::map<std::string, std::uint64_t> by_route;
    std::map<std::string, std::uint64_t> by_reason;
    std::map<std::string, CountCheck, std::less<>> count_checks;  // by route
  };
  Totals totals() const;

  // All of it and `now` in the text format of Prometheus (version 0.0.4).
  std::string exposition(const Gauges& now) const;

 private:
  mutable base::Mutex mutex_;
  Totals totals_ GUARDED_BY(mutex_);
  std::unique_ptr<Series> series_ GUARDED_BY(mutex_);
};

}  // namespace weir::metrics
