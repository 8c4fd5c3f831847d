#include "weir/os/socket.h"

#include <gtest/gtest.h>
#include <sys/resource.h>

#include <string>

#include "socket_pair.h"
#include "weir/os/process.h"

namespace weir::os {
namespace {

base::SteadyTime soon() {
  return std::chrono::steady_clock::now() + std::chrono::seconds(20);
}

TEST(Socket, MovesAndCloses) {
  SocketPair pair = socket_pair();
  Socket moved = std::move(pair.client);
  EXPECT_FALSE(pair.client.is_open());
  EXPECT_TRUE(moved.is_open());
  moved = Socket();
  EXPECT_FALSE(moved.is_open());
}

TEST(Receive, TellsBytesNothingAndTheEnd) {
  SocketPair pair = socket_pair();
  char block[16];
  EXPECT_EQ(receive(pair.server.handle(), block).status, IoStatus::kWouldBlock);
  say(pair.client, "abc");
  wait_for(pair.server.handle(), Interest::kRead, soon(), {});
  const IoResult got = receive(pair.server.handle(), block);
  EXPECT_EQ(std::string(block, got.bytes), "abc");
  pair.client.close();
  wait_for(pair.server.handle(), Interest::kRead, soon(), {});
  EXPECT_EQ(receive(pair.server.handle(), block).status, IoStatus::kEnd);
}

TEST(Receive, TellsAReset) {
  SocketPair pair = socket_pair();
  reset_on_close(pair.client.handle());
  pair.client.close();
  wait_for(pair.server.handle(), Interest::kRead, soon(), {});
  char block[16];
  EXPECT_EQ(receive(pair.server.handle(), block).status, IoStatus::kFailed);
}

TEST(Send, GathersPiecesAndStopsWhenFull) {
  const SocketPair pair = socket_pair();
  const std::string large(1 << 20, 'x');
  const std::string_view pieces[] = {"a", "", "b", large, large, large, large, large, large};
  IoResult sent = send(pair.client.handle(), pieces);
  EXPECT_EQ(sent.status, IoStatus::kDone);
  EXPECT_GT(sent.bytes, 2U);
  const std::string_view more[] = {large};
  for (int i = 0; i < 100 && sent.status == IoStatus::kDone; ++i) {
    sent = send(pair.client.handle(), more);
  }
  EXPECT_EQ(sent.status, IoStatus::kWouldBlock);
  char block[2];
  receive(pair.server.handle(), block);
  EXPECT_EQ(std::string(block, 2), "ab");
}

TEST(Send, ToAPeerThatHasGoneIsAFailureAndNoSignal) {
  SocketPair pair = socket_pair();
  reset_on_close(pair.server.handle());
  pair.server.close();
  wait_for(pair.client.handle(), Interest::kRead, soon(), {});
  const std::string_view pieces[] = {"x"};
  IoResult sent = send(pair.client.handle(), pieces);
  for (int i = 0; i < 10 && sent.status == IoStatus::kDone; ++i) {
    sent = send(pair.client.handle(), pieces);
  }
  EXPECT_EQ(sent.status, IoStatus::kFailed);
}

TEST(IsStale, AfterACloseOrUnaskedBytes) {
  SocketPair idle = socket_pair();
  EXPECT_FALSE(is_stale(idle.server.handle()));
  say(idle.client, "x");
  wait_for(idle.server.handle(), Interest::kRead, soon(), {});
  EXPECT_TRUE(is_stale(idle.server.handle()));
  SocketPair closed = socket_pair();
  closed.client.close();
  wait_for(closed.server.handle(), Interest::kRead, soon(), {});
  EXPECT_TRUE(is_stale(closed.server.handle()));
}

TEST(StartConnect, TellsARefusal) {
  std::uint16_t port = 0;
  {
    const auto listener = listen_on("127.0.0.1", 0);
    port = local_address(*listener).port();
  }
  const auto socket = start_connect(resolve("127.0.0.1", port)->front());
  if (socket) {
    wait_for(socket->handle(), Interest::kWrite, soon(), {});
    EXPECT_NE(connect_error(*socket), "");
  }
}

TEST(Address, SaysWhatItIs) {
  const Address address = resolve("127.0.0.1", 8090)->front();
  EXPECT_EQ(address.ip(), "127.0.0.1");
  EXPECT_EQ(address.port(), 8090);
  EXPECT_TRUE(address.is_loopback());
  EXPECT_TRUE(resolve("::1", 1)->front().is_loopback());
  EXPECT_FALSE(resolve("203.0.113.9", 1)->front().is_loopback());
  EXPECT_FALSE(resolve("no-such-host.invalid", 1));
}

TEST(ListenOn, ASecondListenerIsRefused) {
  const auto first = listen_on("127.0.0.1", 0);
  const auto second = listen_on("127.0.0.1", local_address(*first).port());
  ASSERT_FALSE(second);
  EXPECT_NE(second.error().message.find("taken"), std::string::npos);
}

TEST(AcceptNext, SaysThatThereAreNoMoreDescriptors) {
  const auto listener = listen_on("127.0.0.1", 0);
  EXPECT_FALSE(accept_next(*listener).is_exhausted);  // nobody is there, that is all
  const auto client = start_connect(local_address(*listener));
  ASSERT_TRUE(client);
  ASSERT_EQ(wait_for(listener->handle(), Interest::kRead, soon(), {}), WaitOutcome::kReady);
  rlimit files{};
  ::getrlimit(RLIMIT_NOFILE, &files);
  const rlimit none{0, files.rlim_max};
  ::setrlimit(RLIMIT_NOFILE, &none);
  const Accepted accepted = accept_next(*listener);
  ::setrlimit(RLIMIT_NOFILE, &files);
  EXPECT_FALSE(accepted.socket.is_open());
  EXPECT_TRUE(accepted.is_exhausted);
  EXPECT_TRUE(accept_next(*listener).socket.is_open());
}

TEST(Process, KnowsItsMemoryAndTime) {
  EXPECT_GT(resident_bytes(), 100000U);
  EXPECT_GT(cpu_microseconds(), 0U);
}

}  // namespace
}  // namespace weir::os
