#include "weir/service/watchdog.h"

#include <gtest/gtest.h>

#include <atomic>
#include <map>

namespace weir::service {
namespace {

constexpr std::chrono::milliseconds kShort{2};

std::optional<std::chrono::microseconds> interval(std::map<std::string, std::string> variables) {
  return watchdog_interval(
      [&](std::string_view name) -> std::optional<std::string> {
        const auto found = variables.find(std::string(name));
        return found == variables.end() ? std::nullopt : std::optional(found->second);
      },
      77);
}

TEST(WatchdogInterval, IsWhatTheManagerSays) {
  EXPECT_EQ(interval({{"WATCHDOG_USEC", "30000000"}}), std::chrono::seconds(30));
  EXPECT_EQ(interval({{"WATCHDOG_USEC", "5"}, {"WATCHDOG_PID", "77"}}),
            std::chrono::microseconds(5));
}

TEST(WatchdogInterval, IsNothingForAnotherProcessOrWithoutAWatch) {
  EXPECT_FALSE(interval({}));
  EXPECT_FALSE(interval({{"WATCHDOG_USEC", "5"}, {"WATCHDOG_PID", "78"}}));
  EXPECT_FALSE(interval({{"WATCHDOG_USEC", "5"}, {"WATCHDOG_PID", ""}}));
  for (const char* text : {"", "0", "-1", "x", "5s", "99999999999999999999999"}) {
    EXPECT_FALSE(interval({{"WATCHDOG_USEC", text}})) << text;
  }
}

TEST(WatchdogInterval, AHugeOneFitsTheClock) {
  EXPECT_EQ(interval({{"WATCHDOG_USEC", "18446744073709551615"}}), std::chrono::hours(2));
}

// Counts under a lock, so that the test can wait for a number.
class Counter {
 public:
  void add() {
    const base::MutexLock lock(mutex_);
    ++count_;
    changed_.notify_all();
  }
  void wait_for(int count) {
    const base::MutexLock lock(mutex_);
    while (count_ < count) {
      changed_.wait(mutex_);
    }
  }
  int count() {
    const base::MutexLock lock(mutex_);
    return count_;
  }

 private:
  base::Mutex mutex_;
  base::Condition changed_;
  int count_ GUARDED_BY(mutex_) = 0;
};

struct Watched {
  std::unique_ptr<log::Logger> logger = *log::Logger::open({});
  Counter sent;
  Counter asked;
  std::atomic<bool> answers{true};
  Notices notices{[this](std::string_view text) {
    EXPECT_EQ(text, "WATCHDOG=1");
    sent.add();
  }};
  Watchdog watchdog{notices, kShort,
                    [this] {
                      asked.add();
                      return answers.load();
                    },
                    *logger};
};

TEST(Watchdog, SaysAgainAndAgainThatWeirAnswers) {
  Watched weir;
  weir.sent.wait_for(5);
}

TEST(Watchdog, SaysNothingWhileWeirDoesNotAnswer) {
  Watched weir;
  weir.sent.wait_for(1);
  weir.answers = false;
  const int asked = weir.asked.count();
  weir.asked.wait_for(asked + 2);  // what was under way is over
  const int sent = weir.sent.count();
  weir.asked.wait_for(asked + 6);
  EXPECT_EQ(weir.sent.count(), sent);
  weir.answers = true;
  weir.sent.wait_for(sent + 1);
}

TEST(Watchdog, EndsAtOnceInTheMiddleOfALongPause) {
  const auto logger = *log::Logger::open({});
  const Notices notices([](std::string_view) {});
  const Watchdog watchdog(
      notices, std::chrono::hours(1), [] { return true; }, *logger);
}  // the test's time-out is far below half an hour

}  // namespace
}  // namespace weir::service
