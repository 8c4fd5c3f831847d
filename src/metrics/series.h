#pragma once

// The sums as Prometheus wants them: counters and histograms by label, in the library's registry.

#include <prometheus/counter.h>
#include <prometheus/family.h>
#include <prometheus/histogram.h>
#include <prometheus/metric_family.h>
#include <prometheus/registry.h>

#include <cstddef>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "weir/metrics/exposition.h"
#include "weir/metrics/request_record.h"

namespace weir::metrics {

// Not thread-safe. What labels can be is small (upstreams, reasons, statuses, names of keys), and
// bounded all the same: what comes beyond the limits is counted under "other".
class Series {
 public:
  Series();

  void record(const RequestRecord& record);
  void refused(std::string_view code);
  std::vector<prometheus::MetricFamily> collect() const;

 private:
  using CounterFamily = prometheus::Family<prometheus::Counter>;
  using HistogramFamily = prometheus::Family<prometheus::Histogram>;

  // What is kept for each upstream, and for requests that went to none.
  struct Route {
    std::string label;
    prometheus::Histogram* first_byte;
    prometheus::Histogram* duration;
    prometheus::Histogram* prompt_tokens;
    prometheus::Histogram* count_error;
    prometheus::Counter* estimates;
    prometheus::Counter* cut;
    prometheus::Counter* request_bytes;
    prometheus::Counter* answer_bytes;
  };

  CounterFamily& counter_family(const std::string& name, const std::string& help);
  HistogramFamily& histogram_family(const std::string& name, const std::string& help);
  Route& route_of(const std::string& name);
  void count_request(const RequestRecord& record);
  void count_tokens(const RequestRecord& record, Route& route);

  prometheus::Registry registry_;
  CounterFamily& requests_;
  CounterFamily& fallbacks_;
  CounterFamily& refusals_;
  HistogramFamily& first_byte_;
  HistogramFamily& duration_;
  HistogramFamily& prompt_tokens_;
  HistogramFamily& count_error_;
  CounterFamily& estimates_;
  CounterFamily& cut_;
  CounterFamily& request_bytes_;
  CounterFamily& answer_bytes_;
  prometheus::Histogram& count_time_;
  // The library makes a map of labels for every look-up, which would be most of what a record
  // costs.
  std::map<std::string, prometheus::Counter*> known_requests_;
  std::map<std::string, Route> known_routes_;
};

// The families of what is true now, appended to `families`.
void add_gauges(const Gauges& now, std::vector<prometheus::MetricFamily>& families);

std::string exposition_text(const std::vector<prometheus::MetricFamily>& families);

}  // namespace weir::metrics
