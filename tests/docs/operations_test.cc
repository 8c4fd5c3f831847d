// Keeps docs/operations.md and config/weir.service true.

#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <regex>
#include <set>
#include <string>
#include <vector>

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

// The literals that the log is given as messages, below src/.
std::set<std::string> logged_messages() {
  static const std::regex kCall(
      R"re((?:\.|->)(?:info|warn|error|write)\(\s*(?:(?:log::)?Level::\w+,\s*)?((?:"(?:[^"\\]|\\.)*"\s*)+))re");
  static const std::regex kLiteral(R"re("((?:[^"\\]|\\.)*)")re");
  std::set<std::string> messages;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(
           std::filesystem::path(WEIR_SOURCE_DIR) / "src")) {
    if (entry.path().extension() != ".cc") {
      continue;
    }
    const std::string text = file_text(entry.path().lexically_relative(WEIR_SOURCE_DIR));
    for (std::sregex_iterator call(text.begin(), text.end(), kCall), end; call != end; ++call) {
      const std::string literals = (*call)[1];
      std::string message;
      for (std::sregex_iterator one(literals.begin(), literals.end(), kLiteral); one != end;
           ++one) {
        message += (*one)[1];
      }
      messages.insert(message);
    }
  }
  return messages;
}

// A row may hold the beginning of a message, or a message with a word of its own behind it.
bool are_the_same(const std::string& message, const std::string& row) {
  return message.starts_with(row) || row.starts_with(message);
}

TEST(Operations, MessagesOfTheLogAreAllExplained) {
  std::vector<std::string> rows;
  for (const auto& row : table_named(file_text("docs/operations.md"), "message").rows) {
    const auto messages = code_spans_of(row.front());
    rows.insert(rows.end(), messages.begin(), messages.end());
    if (messages.empty()) {  // one that would look like a command of weir's
      rows.push_back(row.front());
    }
  }
  const auto messages = logged_messages();
  EXPECT_GT(messages.size(), 20U);
  for (const std::string& message : messages) {
    EXPECT_TRUE(std::any_of(rows.begin(), rows.end(),
                            [&](const auto& row) { return are_the_same(message, row); }))
        << "docs/operations.md lacks \"" << message << '"';
  }
  for (const std::string& row : rows) {
    EXPECT_TRUE(row == "request" ||
                std::any_of(messages.begin(), messages.end(),
                            [&](const auto& message) { return are_the_same(message, row); }))
        << "nothing says \"" << row << '"';
  }
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
