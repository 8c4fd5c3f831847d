// Keeps docs/operations.md and config/weir.service true.

#include <gtest/gtest.h>

#include <chrono>
#include <set>
#include <string>

#include "markdown.h"
#include "weir/config/config.h"
#include "weir/metrics/counters.h"

namespace weir::docs {
namespace {

TEST(Operations, AccessFieldsAreAllExplained) {
  metrics::RequestRecord record;
  record.prompt_tokens = 1;
  record.usage_prompt_tokens = 1;
  record.count_time = std::chrono::microseconds(1);
  record.first_byte = std::chrono::microseconds(1);
  record.client_closed = true;
  record.cause = "x";
  record.key = "x";
  std::set<std::string> in_log;
  for (const auto& [name, value] : metrics::access_fields(record)) {
    in_log.emplace(name);
  }
  std::set<std::string> in_page;
  for (const auto& row : table_named(file_text("docs/operations.md"), "field").rows) {
    const auto names = list_of(row.front());
    in_page.insert(names.begin(), names.end());
  }
  EXPECT_EQ(in_page, in_log);
}

TEST(Operations, MetricsAreAllExplained) {
  metrics::Counters counters;
  metrics::RequestRecord record;
  record.fallback_cause = "down";
  counters.record(record);
  counters.refused("bad_json");
  metrics::Gauges now;
  now.upstreams.push_back({"local.a", "ready", 0, 0, 1, 1});
  std::set<std::string> there;
  const std::string text = counters.exposition(now);
  const std::string type = "# TYPE ";
  for (auto at = text.find(type); at != std::string::npos; at = text.find(type, at + 1)) {
    const auto name = at + type.size();
    there.insert(text.substr(name, text.find(' ', name) - name));
  }
  std::set<std::string> in_page;
  for (const auto& row : table_named(file_text("docs/operations.md"), "metric").rows) {
    const auto names = list_of(row.front());
    in_page.insert(names.begin(), names.end());
  }
  EXPECT_EQ(in_page, there);
}

TEST(Operations, ServiceGivesRunningAnswersTheirTime) {
  constexpr int kLastWordsSeconds = 2;
  const std::string unit = file_text("config/weir.service");
  const std::string key = "\nTimeoutStopSec=";
  const auto at = unit.find(key);
  ASSERT_NE(at, std::string::npos);
  const int seconds = std::stoi(unit.substr(at + key.size()));
  EXPECT_GT(config::Seconds(seconds), config::Server().drain + config::Seconds(kLastWordsSeconds));
}

}  // namespace
}  // namespace weir::docs
