#include "weir/os/poller.h"

#include <gtest/gtest.h>

#include <thread>

#include "socket_pair.h"

namespace weir::os {
namespace {

constexpr std::chrono::milliseconds kLong{20000};
constexpr std::chrono::milliseconds kLook{0};

TEST(Poller, AnArmedSocketIsReportedOnce) {
  Poller poller;
  const SocketPair pair = socket_pair();
  int token = 0;
  ASSERT_TRUE(poller.arm_once(pair.server.handle(), &token));
  EXPECT_TRUE(poller.wait(kLook).empty());
  say(pair.client, "x");
  EXPECT_EQ(poller.wait(kLong), std::vector<void*>{&token});
  EXPECT_TRUE(poller.wait(kLook).empty());
  ASSERT_TRUE(poller.arm_once(pair.server.handle(), &token));  // the byte is still there
  EXPECT_EQ(poller.wait(kLong), std::vector<void*>{&token});
}

TEST(Poller, AClosingPeerIsReported) {
  Poller poller;
  SocketPair pair = socket_pair();
  int token = 0;
  poller.arm_once(pair.server.handle(), &token);
  pair.client.close();
  EXPECT_EQ(poller.wait(kLong), std::vector<void*>{&token});
}

TEST(Poller, AnAddedSocketIsReportedUntilRemoved) {
  Poller poller;
  const SocketPair pair = socket_pair();
  int token = 0;
  poller.add(pair.server.handle(), &token);
  say(pair.client, "x");
  EXPECT_EQ(poller.wait(kLong).size(), 1U);
  EXPECT_EQ(poller.wait(kLong).size(), 1U);
  poller.remove(pair.server.handle());
  EXPECT_TRUE(poller.wait(kLook).empty());
}

TEST(Poller, AClosedSocketIsForgotten) {
  Poller poller;
  SocketPair pair = socket_pair();
  int token = 0;
  poller.arm_once(pair.server.handle(), &token);
  pair.server.close();
  pair.client.close();
  EXPECT_TRUE(poller.wait(kLook).empty());
}

TEST(Poller, WakeEndsAWait) {
  Poller poller;
  std::thread waking([&] { poller.wake(); });
  EXPECT_TRUE(poller.wait(kLong).empty());
  waking.join();
}

}  // namespace
}  // namespace weir::os
