#include "weir/service/notices.h"

#include <gtest/gtest.h>

#include <vector>

namespace weir::service {
namespace {

struct Recorded {
  std::vector<std::string> sent;
  Notices notices{[this](std::string_view text) { sent.emplace_back(text); }};
};

TEST(Notices, ReadyAndAliveAreWhatSystemdReads) {
  Recorded manager;
  manager.notices.ready("listens on 127.0.0.1:8090");
  manager.notices.alive();
  EXPECT_EQ(manager.sent,
            (std::vector<std::string>{"READY=1\nSTATUS=listens on 127.0.0.1:8090", "WATCHDOG=1"}));
}

TEST(Notices, StoppingAsksForTheTimeThatItTakes) {
  Recorded manager;
  manager.notices.stopping(std::chrono::seconds(42), "stops");
  EXPECT_EQ(manager.sent.at(0), "STOPPING=1\nEXTEND_TIMEOUT_USEC=42000000\nSTATUS=stops");
}

TEST(Notices, ReloadingTellsTheTimeOfTheSteadyClock) {
  Recorded manager;
  const auto micro = [] {
    return std::chrono::duration_cast<std::chrono::microseconds>(
               std::chrono::steady_clock::now().time_since_epoch())
        .count();
  };
  const auto before = micro();
  manager.notices.reloading();
  const auto after = micro();
  const std::string start = "RELOADING=1\nMONOTONIC_USEC=";
  ASSERT_TRUE(manager.sent.at(0).starts_with(start)) << manager.sent[0];
  const auto told = std::stoll(manager.sent[0].substr(start.size()));
  EXPECT_TRUE(before <= told && told <= after) << manager.sent[0];
}

TEST(Notices, AStatusStaysOneLineOfBoundedLength) {
  Recorded manager;
  manager.notices.ready("a\nREADY=0\n" + std::string(10000, 'x'));
  const std::string& sent = manager.sent.at(0);
  EXPECT_TRUE(sent.starts_with("READY=1\nSTATUS=a READY=0 xxx")) << sent;
  EXPECT_LT(sent.size(), 600U);
}

}  // namespace
}  // namespace weir::service
