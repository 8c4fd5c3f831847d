#pragma once

// What is kept of one finished request: the access line and the counters (counters.h) are made from
// it, also when it failed. It holds no prompt, no answer and no key.

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace weir::metrics {

struct RequestRecord {
  std::string id;
  std::string path;
  std::string key;  // the name of the client's key, never the key; "" when none are wanted
  std::string
      route;  // full name of the upstream that answered (or was tried last); "" when none was
  std::string reason;  // routing::reason_name
  std::string model;   // as sent upstream
  // The upstream that was asked first and came to nothing, and why (routing::cause_name); "" when
  // there was no fallback.
  std::string fallback_from;
  std::string fallback_cause;
  std::optional<std::uint64_t> prompt_tokens;
  bool is_estimate = false;
  bool is_text_only = true;  // no pictures, sound or files, whose tokens are often estimated
  std::optional<std::uint64_t> usage_prompt_tokens;  // what the upstream counted
  int status = 0;                                    // sent to the client; 499 when it left before
  std::uint64_t request_bytes = 0;                   // of the body, as received
  std::uint64_t bytes = 0;                           // of the body, sent to the client
  std::optional<std::chrono::microseconds> count_time;  // reading and counting the request
  std::optional<std::chrono::microseconds>
      first_byte;  // from the request's arrival to the first reply byte
  std::chrono::microseconds total{};
  bool client_closed = false;
  bool is_cut = false;  // the upstream broke off in the middle of its answer
  std::string cause;    // what went wrong, "" when nothing did
};

// The fields of the access line, in order, ready for the log.
std::vector<std::pair<std::string_view, std::string>> access_fields(const RequestRecord& record);

}  // namespace weir::metrics
