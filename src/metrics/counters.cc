#include "weir/metrics/counters.h"

#include "series.h"

namespace weir::metrics {
namespace {

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

Counters::Counters() : series_(std::make_unique<Series>()) {
}
Counters::~Counters() = default;

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
  series_->record(record);
}

void Counters::refused(std::string_view code) {
  const base::MutexLock lock(mutex_);
  series_->refused(code);
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

std::string Counters::exposition(const Gauges& now) const {
  std::vector<prometheus::MetricFamily> families;
  {
    const base::MutexLock lock(mutex_);
    families = series_->collect();
  }
  add_gauges(now, families);
  return exposition_text(families);
}

}  // namespace weir::metrics
