#include "weir/metrics/exposition.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <sstream>

#include "weir/metrics/counters.h"

namespace weir::metrics {
namespace {

using std::chrono::microseconds;

class Exposition : public testing::Test {
 protected:
  static RequestRecord good() {
    RequestRecord record;
    record.route = "local.a";
    record.reason = "short";
    record.key = "laptop";
    record.status = 200;
    record.prompt_tokens = 300;
    record.request_bytes = 1000;
    record.bytes = 50;
    record.count_time = microseconds(200);
    record.first_byte = microseconds(70000);
    record.total = microseconds(3000000);
    return record;
  }

  std::vector<std::string> lines() const {
    std::vector<std::string> lines;
    std::istringstream text(counters_.exposition(now_));
    for (std::string line; std::getline(text, line);) {
      lines.push_back(line);
    }
    return lines;
  }
  // The value of that series; "" when it is not there.
  std::string value(const std::string& series) const {
    for (const std::string& line : lines()) {
      if (line.starts_with(series + " ")) {
        return line.substr(series.size() + 1);
      }
    }
    return "";
  }
  std::size_t series_of(const std::string& name) const {
    const auto all = lines();
    return static_cast<std::size_t>(std::count_if(
        all.begin(), all.end(), [&](const auto& line) { return line.starts_with(name + "{"); }));
  }

  Counters counters_;
  Gauges now_;
};

TEST_F(Exposition, CountsRequestsByWhatBecameOfThem) {
  counters_.record(good());
  counters_.record(good());
  RequestRecord refused;
  refused.status = 400;
  counters_.record(refused);
  EXPECT_EQ(
      value(R"(weir_requests_total{key="laptop",reason="short",route="local.a",status="200"})"),
      "2");
  EXPECT_EQ(value(R"(weir_requests_total{key="none",reason="none",route="none",status="400"})"),
            "1");
}

TEST_F(Exposition, TimesTokensAndBytesAreThoseOfTheRoute) {
  counters_.record(good());
  EXPECT_EQ(value(R"(weir_first_byte_seconds_bucket{route="local.a",le="0.05"})"), "0");
  EXPECT_EQ(value(R"(weir_first_byte_seconds_bucket{route="local.a",le="0.1"})"), "1");
  EXPECT_EQ(value(R"(weir_request_duration_seconds_sum{route="local.a"})"), "3");
  EXPECT_EQ(value(R"(weir_prompt_tokens_bucket{route="local.a",le="256"})"), "0");
  EXPECT_EQ(value(R"(weir_prompt_tokens_sum{route="local.a"})"), "300");
  EXPECT_EQ(value(R"(weir_count_duration_seconds_count)"), "1");
  EXPECT_EQ(value(R"(weir_request_bytes_total{route="local.a"})"), "1000");
  EXPECT_EQ(value(R"(weir_answer_bytes_total{route="local.a"})"), "50");
  EXPECT_EQ(value(R"(weir_cut_answers_total{route="local.a"})"), "0");
}

TEST_F(Exposition, EqualCountsAreInTheFirstBucket) {
  for (const std::uint64_t theirs : {300, 300, 400}) {
    RequestRecord record = good();
    record.usage_prompt_tokens = theirs;
    counters_.record(record);
  }
  EXPECT_EQ(value(R"(weir_prompt_tokens_error_ratio_bucket{route="local.a",le="0"})"), "2");
  EXPECT_EQ(value(R"(weir_prompt_tokens_error_ratio_bucket{route="local.a",le="0.25"})"), "3");
  EXPECT_EQ(value(R"(weir_prompt_tokens_error_ratio_sum{route="local.a"})"), "0.25");
}

TEST_F(Exposition, FallbacksCutAnswersEstimatesAndRefusals) {
  RequestRecord record = good();
  record.route = "provider.b";
  record.fallback_from = "local.a";
  record.fallback_cause = "down";
  record.is_cut = true;
  record.is_estimate = true;
  counters_.record(record);
  counters_.refused("unauthorized");
  EXPECT_EQ(value(R"(weir_fallbacks_total{cause="down",from="local.a"})"), "1");
  EXPECT_EQ(value(R"(weir_cut_answers_total{route="provider.b"})"), "1");
  EXPECT_EQ(value(R"(weir_estimated_requests_total{route="provider.b"})"), "1");
  EXPECT_EQ(value(R"(weir_refusals_total{code="unauthorized"})"), "1");
}

TEST_F(Exposition, TellsTheStateOfEachUpstream) {
  now_.upstreams = {{"local.a", "busy", 2, 3, 2, 4096}, {"provider.b", "unknown", 0, 0, {}, {}}};
  EXPECT_EQ(value(R"(weir_upstream_state{upstream="local.a",state="busy"})"), "1");
  EXPECT_EQ(value(R"(weir_upstream_state{upstream="local.a",state="ready"})"), "0");
  EXPECT_EQ(value(R"(weir_upstream_state{upstream="provider.b",state="unknown"})"), "1");
  EXPECT_EQ(series_of("weir_upstream_state"), 2 * std::size(kUpstreamStates));
  EXPECT_EQ(value(R"(weir_upstream_in_flight{upstream="local.a"})"), "2");
  EXPECT_EQ(value(R"(weir_upstream_waiting{upstream="local.a"})"), "3");
  EXPECT_EQ(value(R"(weir_upstream_slots{upstream="local.a"})"), "2");
  EXPECT_EQ(series_of("weir_upstream_slots"), 1U);  // what is not known is not told
  EXPECT_EQ(value(R"(weir_upstream_context_tokens{upstream="local.a"})"), "4096");
}

TEST_F(Exposition, TellsOfTheConfigurationAndTheProcess) {
  now_.version = "1.2.3";
  now_.reloads = 4;
  now_.reloads_failed = 1;
  now_.last_reload_failed = true;
  now_.config_loaded = std::chrono::system_clock::time_point(std::chrono::seconds(1700000000));
  now_.client_connections = 7;
  now_.cpu_microseconds = 1500000;
  EXPECT_EQ(value(R"(weir_build_info{version="1.2.3"})"), "1");
  EXPECT_EQ(value(R"(weir_config_reloads_total{result="applied"})"), "4");
  EXPECT_EQ(value(R"(weir_config_reloads_total{result="failed"})"), "1");
  EXPECT_EQ(value("weir_config_last_reload_successful"), "0");
  EXPECT_EQ(value("weir_config_loaded_timestamp_seconds"), "1700000000");
  EXPECT_EQ(value("weir_client_connections"), "7");
  EXPECT_EQ(value("process_cpu_seconds_total"), "1.5");
}

TEST_F(Exposition, ALabelsValueCannotBreakALine) {
  RequestRecord record = good();
  record.key = "a\"b\\c\nd";
  counters_.record(record);
  EXPECT_EQ(
      value(R"(weir_requests_total{key="a\"b\\c\nd",reason="short",route="local.a",status="200"})"),
      "1");
}

TEST_F(Exposition, HasBoundedCardinality) {
  for (int i = 0; i < 3000; ++i) {
    RequestRecord record = good();
    record.route = "local." + std::to_string(i % 100);
    record.key = std::to_string(i);
    counters_.record(record);
  }
  EXPECT_EQ(series_of("weir_requests_total"), 1001U);
  EXPECT_EQ(
      value(R"(weir_requests_total{key="other",reason="other",route="other",status="other"})"),
      "2000");
  EXPECT_EQ(series_of("weir_answer_bytes_total"), 65U);
  EXPECT_EQ(value(R"(weir_request_duration_seconds_count{route="other"})"), "1080");
}

}  // namespace
}  // namespace weir::metrics
