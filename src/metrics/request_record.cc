#include "weir/metrics/request_record.h"

#include <algorithm>
#include <cstdint>

namespace weir::metrics {
namespace {

// "12.345": milliseconds.
std::string milliseconds(std::chrono::microseconds time) {
  std::string digits = std::to_string(std::max<std::int64_t>(time.count(), 0));
  digits.insert(0, digits.size() < 4 ? 4 - digits.size() : 0, '0');
  return digits.insert(digits.size() - 3, ".");
}

void compare(const RequestRecord& record, CountCheck& check) {
  const std::uint64_t ours = *record.prompt_tokens;
  const std::uint64_t theirs = *record.usage_prompt_tokens;
  const std::uint64_t difference = ours > theirs ? ours - theirs : theirs - ours;
  const bool is_off = difference * 100 > theirs * kCountOffPercent;
  ++check.compared;
  check.equal += difference == 0 ? 1 : 0;
  check.off += is_off ? 1 : 0;
  check.last_difference = static_cast<std::int64_t>(ours) - static_cast<std::int64_t>(theirs);
  check.our_tokens += ours;
  check.their_tokens += theirs;
  if (record.is_text_only || !record.is_estimate) {
    check.off_in_a_row = is_off ? check.off_in_a_row + 1 : 0;
  }
}

}  // namespace

std::vector<std::pair<std::string_view, std::string>> access_fields(const RequestRecord& record) {
  std::vector<std::pair<std::string_view, std::string>> fields{{"id", record.id},
                                                               {"path", record.path}};
  if (!record.key.empty()) {
    fields.emplace_back("key", record.key);
  }
  fields.emplace_back("route", record.route);
  fields.emplace_back("reason", record.reason);
  fields.emplace_back("model", record.model);
  if (record.prompt_tokens) {
    fields.emplace_back("prompt_tokens",
                        (record.is_estimate ? "~" : "") + std::to_string(*record.prompt_tokens));
  }
  if (record.usage_prompt_tokens) {
    fields.emplace_back("usage_prompt_tokens", std::to_string(*record.usage_prompt_tokens));
  }
  fields.emplace_back("status", std::to_string(record.status));
  fields.emplace_back("bytes", std::to_string(record.bytes));
  if (record.count_time) {
    fields.emplace_back("count_ms", milliseconds(*record.count_time));
  }
  if (record.first_byte) {
    fields.emplace_back("first_byte_ms", milliseconds(*record.first_byte));
  }
  fields.emplace_back("total_ms", milliseconds(record.total));
  if (record.client_closed) {
    fields.emplace_back("end", "client closed");
  }
  if (!record.cause.empty()) {
    fields.emplace_back("cause", record.cause);
  }
  return fields;
}

void Counters::record(const RequestRecord& record) {
  const base::MutexLock lock(mutex_);
  ++totals_.requests;
  totals_.failed += record.status >= 500 ? 1 : 0;
  totals_.client_closed += record.client_closed ? 1 : 0;
  if (!record.route.empty()) {
    ++totals_.by_route[record.route];
  }
  if (!record.reason.empty()) {
    ++totals_.by_reason[record.reason];
  }
  if (record.prompt_tokens && record.usage_prompt_tokens) {
    compare(record, totals_.count_checks[record.route]);
  }
}

bool Counters::takes_count_warning(std::string_view route) {
  const base::MutexLock lock(mutex_);
  const auto found = totals_.count_checks.find(route);
  if (found == totals_.count_checks.end() || found->second.is_warned ||
      found->second.off_in_a_row < kCountsOffBeforeWarning) {
    return false;
  }
  found->second.is_warned = true;
  return true;
}

Counters::Totals Counters::totals() const {
  const base::MutexLock lock(mutex_);
  return totals_;
}

}  // namespace weir::metrics
