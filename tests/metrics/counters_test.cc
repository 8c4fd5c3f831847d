#include "weir/metrics/counters.h"

#include <gtest/gtest.h>

#include <thread>

namespace weir::metrics {
namespace {

TEST(Counters, SumByRouteAndReason) {
  Counters counters;
  const auto record = [&](const char* route, const char* reason, int status, bool closed) {
    RequestRecord one;
    one.route = route;
    one.reason = reason;
    one.status = status;
    one.client_closed = closed;
    counters.record(one);
  };
  record("local.a", "short", 200, false);
  record("local.a", "short", 499, true);
  record("provider.b", "long", 502, false);
  record("", "", 400, false);
  const Counters::Totals totals = counters.totals();
  EXPECT_EQ(totals.requests, 4U);
  EXPECT_EQ(totals.failed, 1U);
  EXPECT_EQ(totals.client_closed, 1U);
  EXPECT_EQ(totals.by_route,
            (std::map<std::string, std::uint64_t>{{"local.a", 2}, {"provider.b", 1}}));
  EXPECT_EQ(totals.by_reason, (std::map<std::string, std::uint64_t>{{"long", 1}, {"short", 2}}));
}

TEST(Counters, FromManyThreads) {
  Counters counters;
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; ++i) {
    threads.emplace_back([&] {
      for (int n = 0; n < 1000; ++n) {
        counters.record({});
      }
    });
  }
  for (std::thread& thread : threads) {
    thread.join();
  }
  EXPECT_EQ(counters.totals().requests, 4000U);
}

class CountChecks : public testing::Test {
 protected:
  void answer(std::uint64_t ours, std::uint64_t theirs, bool is_text_only = true,
              bool is_estimate = true) {
    RequestRecord record;
    record.route = "local.a";
    record.prompt_tokens = ours;
    record.usage_prompt_tokens = theirs;
    record.is_text_only = is_text_only;
    record.is_estimate = is_estimate;
    counters_.record(record);
  }
  bool warns() { return counters_.takes_count_warning("local.a"); }

  Counters counters_;
};

TEST_F(CountChecks, AreSummedUp) {
  answer(100, 100);
  answer(101, 100);
  answer(97, 100);
  const CountCheck check = counters_.totals().count_checks.at("local.a");
  EXPECT_EQ(check.compared, 3U);
  EXPECT_EQ(check.equal, 1U);
  EXPECT_EQ(check.off, 1U);
  EXPECT_EQ(check.last_difference, -3);
  EXPECT_EQ(check.our_tokens, 298U);
  EXPECT_EQ(check.their_tokens, 300U);
}

TEST_F(CountChecks, WarnOnceAfterThreeInARow) {
  answer(90, 100);
  answer(90, 100);
  EXPECT_FALSE(warns());
  answer(110, 100);
  EXPECT_TRUE(warns());
  answer(110, 100);
  EXPECT_FALSE(warns());
  EXPECT_FALSE(counters_.takes_count_warning("local.b"));
}

TEST_F(CountChecks, ARightOneBreaksTheRow) {
  answer(90, 100);
  answer(90, 100);
  answer(100, 100);
  answer(90, 100);
  answer(90, 100);
  EXPECT_FALSE(warns());
}

TEST_F(CountChecks, OnePercentIsNotOff) {
  for (int i = 0; i < 5; ++i) {
    answer(202, 200);
  }
  EXPECT_FALSE(warns());
}

TEST_F(CountChecks, PicturesWhoseCountIsExactMakeARow) {
  for (int i = 0; i < 3; ++i) {
    answer(90, 100, false, false);
  }
  EXPECT_TRUE(warns());
}

TEST_F(CountChecks, PicturesNeitherMakeNorBreakARow) {
  answer(90, 100);
  answer(90, 100);
  answer(100, 100, false);
  answer(50, 100, false);
  EXPECT_FALSE(warns());
  answer(90, 100);
  EXPECT_TRUE(warns());
}

}  // namespace
}  // namespace weir::metrics
