#include "connect_race.h"

#include <gtest/gtest.h>

#include "byte_stream.h"
#include "silent_address.h"
#include "weir/os/process.h"

namespace weir::upstream {
namespace {

using fakes::SilentAddress;

os::Socket listener() {
  return std::move(*os::listen_on("127.0.0.1", 0));
}

// Refuses: nothing listens there any more.
os::Address refusing() {
  const os::Socket closed = listener();
  return os::local_address(closed);
}

class ConnectRace : public testing::Test {
 protected:
  ConnectRace() { os::prepare_process(); }

  std::size_t winner_of(const std::vector<os::Address>& addresses) {
    auto outcome = race(addresses, fakes::patience(), {});
    const auto* winner = std::get_if<Winner>(&outcome);
    return winner == nullptr ? 99 : winner->index;
  }
  static Failure failure_of(const std::vector<os::Address>& addresses, base::SteadyTime deadline,
                            const os::Guards& guards = {}) {
    auto outcome = race(addresses, deadline, guards);
    return std::get<Failure>(outcome);
  }

  const os::Socket there_ = listener();
  const os::Address good_ = os::local_address(there_);
};

TEST_F(ConnectRace, TheFirstThatAnswersWins) {
  EXPECT_EQ(winner_of({good_}), 0U);
  EXPECT_EQ(winner_of({good_, refusing()}), 0U);
}

TEST_F(ConnectRace, AfterARefusalComesTheNext) {
  EXPECT_EQ(winner_of({refusing(), good_}), 1U);
  EXPECT_EQ(winner_of({refusing(), refusing(), good_}), 2U);
}

TEST_F(ConnectRace, S57_ASilentAddressDoesNotHoldUpTheNext) {
  const SilentAddress silent;
  EXPECT_EQ(winner_of({silent.address(), good_}), 1U);
  EXPECT_EQ(winner_of({silent.address(), silent.address(), refusing(), good_}), 3U);
}

TEST_F(ConnectRace, WhenAllRefuseTheLastOneIsNamed) {
  const os::Address last = refusing();
  const Failure failure = failure_of({refusing(), last}, fakes::patience());
  EXPECT_EQ(failure.kind, FailureKind::kDown);
  EXPECT_NE(failure.cause.find("port " + std::to_string(last.port())), std::string::npos);
  EXPECT_NE(failure.cause.find("refused"), std::string::npos) << failure.cause;
}

TEST_F(ConnectRace, SilenceEndsWithTheDeadline) {
  const SilentAddress silent;
  const auto soon = std::chrono::steady_clock::now() + std::chrono::milliseconds(50);
  const Failure failure = failure_of({silent.address(), good_}, soon);
  EXPECT_EQ(failure.kind, FailureKind::kDown);
  EXPECT_NE(failure.cause.find("no answer within connect_timeout"), std::string::npos);
}

TEST_F(ConnectRace, AStopEndsIt) {
  const SilentAddress silent;
  os::StopSignal stop;
  stop.raise();
  EXPECT_EQ(failure_of({silent.address()}, fakes::patience(), {os::kNoSocket, stop.handle()}).kind,
            FailureKind::kStopped);
}

TEST_F(ConnectRace, NoAddressIsAFailure) {
  EXPECT_EQ(failure_of({}, fakes::patience()).kind, FailureKind::kDown);
}

}  // namespace
}  // namespace weir::upstream
