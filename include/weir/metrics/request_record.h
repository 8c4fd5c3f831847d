#pragma once

// What is kept of one finished request: the access line and the counters are made from it, also
// when it failed. It holds no prompt, no answer and no key.

#include <chrono>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "weir/base/mutex.h"

namespace weir::metrics {

struct RequestRecord {
  std::string id;
  std::string path;
  std::string key;  // the name of the client's key, never the key; "" when none are wanted
  std::string
      route;  // full name of the upstream that answered (or was tried last); "" when none was
  std::string reason;  // routing::reason_name
  std::string model;   // as sent upstream
  std::optional<std::uint64_t> prompt_tokens;
  bool is_estimate = false;
  bool is_text_only = true;  // no pictures, sound or files, whose tokens are often estimated
  std::optional<std::uint64_t> usage_prompt_tokens;  // what the upstream counted
  int status = 0;                                    // sent to the client; 499 when it left before
  std::uint64_t bytes = 0;                           // of the body, sent to the client
  std::optional<std::chrono::microseconds> count_time;  // reading and counting the request
  std::optional<std::chrono::microseconds>
      first_byte;  // from the request's arrival to the first reply byte
  std::chrono::microseconds total{};
  bool client_closed = false;
  std::string cause;  // what went wrong, "" when nothing did
};

// The fields of the access line, in order, ready for the log.
std::vector<std::pair<std::string_view, std::string>> access_fields(const RequestRecord& record);

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

// Sums over all requests since the start. Thread-safe.
class Counters {
 public:
  void record(const RequestRecord& record);

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

 private:
  mutable base::Mutex mutex_;
  Totals totals_ GUARDED_BY(mutex_);
};

}  // namespace weir::metrics
