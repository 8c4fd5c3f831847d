#include "weir/os/wait.h"

#include <gtest/gtest.h>

#include <chrono>
#include <thread>

#include "socket_pair.h"

namespace weir::os {
namespace {

using std::chrono::milliseconds;
using std::chrono::steady_clock;

// Far away: a test that reaches it hangs and fails.
base::SteadyTime never() {
  return steady_clock::now() + std::chrono::minutes(1);
}

TEST(WaitFor, ReadableAndWritable) {
  const SocketPair pair = socket_pair();
  EXPECT_EQ(wait_for(pair.server.handle(), Interest::kWrite, never(), {}), WaitOutcome::kReady);
  say(pair.client, "x");
  EXPECT_EQ(wait_for(pair.server.handle(), Interest::kRead, never(), {}), WaitOutcome::kReady);
}

TEST(WaitFor, ADeadlineInThePastOnlyLooks) {
  const SocketPair pair = socket_pair();
  EXPECT_EQ(wait_for(pair.server.handle(), Interest::kRead, base::SteadyTime(), {}),
            WaitOutcome::kTimeout);
  EXPECT_EQ(wait_for(pair.server.handle(), Interest::kWrite, base::SteadyTime(), {}),
            WaitOutcome::kReady);
}

TEST(WaitFor, ADeadlineIsKept) {
  const SocketPair pair = socket_pair();
  const auto start = steady_clock::now();
  EXPECT_EQ(wait_for(pair.server.handle(), Interest::kRead, start + milliseconds(30), {}),
            WaitOutcome::kTimeout);
  EXPECT_GE(steady_clock::now() - start, milliseconds(30));
}

TEST(WaitFor, TheClientsLeavingComesFirst) {
  const SocketPair upstream = socket_pair();
  SocketPair client = socket_pair();
  const Guards guards{client.server.handle(), kNoSocket};
  say(client.client, "bytes that a client sends are left alone");
  EXPECT_EQ(wait_for(upstream.server.handle(), Interest::kRead, base::SteadyTime(), guards),
            WaitOutcome::kTimeout);
  say(upstream.client, "x");
  EXPECT_EQ(wait_for(upstream.server.handle(), Interest::kRead, never(), guards),
            WaitOutcome::kReady);
  client.client.close();
  EXPECT_EQ(wait_for(upstream.server.handle(), Interest::kRead, never(), guards),
            WaitOutcome::kClientGone);
}

TEST(WaitFor, AResetAndAHalfCloseCountAsLeaving) {
  for (const bool reset : {false, true}) {
    SocketPair client = socket_pair();
    if (reset) {
      reset_on_close(client.client.handle());
      client.client.close();
    } else {
      shut_down_sending(client.client.handle());
    }
    EXPECT_EQ(wait_for(kNoSocket, Interest::kNothing, never(), {client.server.handle(), kNoSocket}),
              WaitOutcome::kClientGone);
  }
}

TEST(StopSignal, EndsEveryWaitInEveryThread) {
  StopSignal stop;
  EXPECT_FALSE(stop.is_raised());
  std::vector<std::thread> threads;
  std::atomic<int> stopped{0};
  for (int i = 0; i < 4; ++i) {
    threads.emplace_back([&] {
      stopped += wait_for(kNoSocket, Interest::kNothing, never(), {kNoSocket, stop.handle()}) ==
                 WaitOutcome::kStopped;
    });
  }
  stop.raise();
  stop.raise();
  for (std::thread& thread : threads) {
    thread.join();
  }
  EXPECT_EQ(stopped, 4);
  EXPECT_TRUE(stop.is_raised());
}

}  // namespace
}  // namespace weir::os
