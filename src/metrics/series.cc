#include "series.h"

#include <cmath>

namespace weir::metrics {
namespace {

using prometheus::Histogram;

constexpr std::size_t kRequestSeriesMax = 1000;
constexpr std::size_t kRoutesMax = 64;

// An answer takes from the 20 ms of a cached prompt to the minutes of a long prefill.
const Histogram::BucketBoundaries kSeconds{0.05, 0.1, 0.25, 0.5, 1,   2.5, 5,
                                           10,   30,  60,   120, 300, 600, 1800};
const Histogram::BucketBoundaries kCountSeconds{0.0001, 0.0005, 0.001, 0.005, 0.01,
                                                0.05,   0.1,    0.5,   1};
const Histogram::BucketBoundaries kTokens{256,   1024,  2048,   4096,   8192,   16384,
                                          32768, 65536, 131072, 262144, 524288, 1048576};
// The first one is for counts that are equal.
const Histogram::BucketBoundaries kErrorRatio{0, 0.001, 0.01, 0.02, 0.05, 0.1, 0.25, 0.5, 1};

double seconds(std::chrono::microseconds time) {
  return std::chrono::duration<double>(time).count();
}

std::string label(std::string_view value) {
  return std::string(value.empty() ? "none" : value);
}

}  // namespace

Series::CounterFamily& Series::counter_family(const std::string& name, const std::string& help) {
  return prometheus::BuildCounter().Name(name).Help(help).Register(registry_);
}

Series::HistogramFamily& Series::histogram_family(const std::string& name,
                                                  const std::string& help) {
  return prometheus::BuildHistogram().Name(name).Help(help).Register(registry_);
}

Series::Series()
    : requests_(
          counter_family("weir_requests_total",
                         "Chat requests that have ended; status 499: the client left first.")),
      fallbacks_(counter_family("weir_fallbacks_total",
                                "Requests for which the other upstream was asked, by cause.")),
      refusals_(counter_family(
          "weir_refusals_total",
          "Requests that were refused before they were read to their end, by X-Weir-Error.")),
      first_byte_(histogram_family("weir_first_byte_seconds",
                                   "From the request's head to the first byte of the answer.")),
      duration_(histogram_family("weir_request_duration_seconds",
                                 "From the request's head to the last byte of the answer.")),
      prompt_tokens_(histogram_family("weir_prompt_tokens", "Prompt tokens of a request.")),
      count_error_(histogram_family("weir_prompt_tokens_error_ratio",
                                    "Difference of our count and the upstream's "
                                    "usage.prompt_tokens, as a part of the latter.")),
      estimates_(counter_family("weir_estimated_requests_total",
                                "Requests whose prompt tokens are an estimate.")),
      cut_(counter_family("weir_cut_answers_total",
                          "Answers that the upstream broke off in the middle.")),
      request_bytes_(counter_family("weir_request_bytes_total", "Bytes of request bodies.")),
      answer_bytes_(
          counter_family("weir_answer_bytes_total", "Bytes of answer bodies sent to clients.")),
      count_time_(histogram_family("weir_count_duration_seconds",
                                   "Time for rendering and counting a prompt.")
                      .Add({}, kCountSeconds)) {
}

Series::Route& Series::route_of(const std::string& name) {
  const auto found = known_routes_.find(name);
  if (found != known_routes_.end()) {
    return found->second;
  }
  const std::string known = known_routes_.size() < kRoutesMax ? name : "other";
  const std::map<std::string, std::string> labels{{"route", label(known)}};
  const Route made{label(known),
                   &first_byte_.Add(labels, kSeconds),
                   &duration_.Add(labels, kSeconds),
                   &prompt_tokens_.Add(labels, kTokens),
                   &count_error_.Add(labels, kErrorRatio),
                   &estimates_.Add(labels),
                   &cut_.Add(labels),
                   &request_bytes_.Add(labels),
                   &answer_bytes_.Add(labels)};
  return known_routes_.try_emplace(known, made).first->second;
}

void Series::count_request(const RequestRecord& record) {
  const std::string status = std::to_string(record.status);
  const auto key_of = [](const std::string& a, const std::string& b, const std::string& c,
                         const std::string& d) { return a + '\n' + b + '\n' + c + '\n' + d; };
  const std::string key = key_of(record.route, record.reason, status, record.key);
  const auto found = known_requests_.find(key);
  if (found != known_requests_.end()) {
    found->second->Increment();
  } else if (known_requests_.size() < kRequestSeriesMax) {
    prometheus::Counter& counter = requests_.Add({{"route", label(record.route)},
                                                  {"reason", label(record.reason)},
                                                  {"status", status},
                                                  {"key", label(record.key)}});
    known_requests_.emplace(key, &counter);
    counter.Increment();
  } else {
    const std::string other = "other";
    requests_.Add({{"route", other}, {"reason", other}, {"status", other}, {"key", other}})
        .Increment();
  }
}

void Series::count_tokens(const RequestRecord& record, Route& route) {
  if (!record.prompt_tokens) {
    return;
  }
  const auto ours = static_cast<double>(*record.prompt_tokens);
  route.prompt_tokens->Observe(ours);
  if (record.is_estimate) {
    route.estimates->Increment();
  }
  if (record.usage_prompt_tokens && *record.usage_prompt_tokens > 0) {
    const auto theirs = static_cast<double>(*record.usage_prompt_tokens);
    route.count_error->Observe(std::abs(ours - theirs) / theirs);
  }
}

void Series::record(const RequestRecord& record) {
  count_request(record);
  if (!record.fallback_cause.empty()) {
    fallbacks_
        .Add({{"from", route_of(record.fallback_from).label}, {"cause", record.fallback_cause}})
        .Increment();
  }
  Route& route = route_of(record.route);
  count_tokens(record, route);
  if (record.count_time) {
    count_time_.Observe(seconds(*record.count_time));
  }
  if (record.first_byte) {
    route.first_byte->Observe(seconds(*record.first_byte));
  }
  route.duration->Observe(seconds(record.total));
  if (record.is_cut) {
    route.cut->Increment();
  }
  route.request_bytes->Increment(static_cast<double>(record.request_bytes));
  route.answer_bytes->Increment(static_cast<double>(record.bytes));
}

void Series::refused(std::string_view code) {
  refusals_.Add({{"code", label(code)}}).Increment();
}

std::vector<prometheus::MetricFamily> Series::collect() const {
  return registry_.Collect();
}

}  // namespace weir::metrics
