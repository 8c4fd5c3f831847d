// Field cases S-55 to S-57: stopping, a port that is taken, and names with two addresses. What
// needs a process of its own (signals, exit codes) is in tests/e2e.

#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <thread>

#include "http_text.h"
#include "silent_address.h"
#include "weir/os/socket.h"
#include "weir_fixture.h"

namespace weir::flow {
namespace {

using fakes::Ending;
using fakes::Gate;
using fakes::Got;

TEST(FieldCases, S55_RunningAnswersEndAndTheRestIsCut) {
  Gate gate;
  Weir weir([](config::Config& config) { config.server.drain = config::Seconds(1); });
  weir.local().next([&](Talk& talk) {
    talk.start_stream();
    talk.chunk(event("a"));
    talk.wait(gate);
    talk.chunk(event("b"));
    talk.end_stream();
  });
  weir.cloud().next([&](Talk& talk) {
    talk.start_stream();
    talk.chunk(event("endless"));
    talk.wait_for_close();
  });
  RawClient ending = weir.client();
  ending.send(post(short_chat(kStream)));
  ASSERT_TRUE(ending.read_until(event("a")));
  RawClient endless = weir.client();
  endless.send(post(long_chat(kStream)));
  ASSERT_TRUE(endless.read_until(event("endless")));
  RawClient idle = weir.client();
  idle.send(request_text("GET /health", "", ""));
  ASSERT_EQ(idle.read_reply("GET").status, 200);

  std::thread stopping([&] { weir.runtime().stop(); });
  EXPECT_EQ(idle.wait_for_close(), Got::kFin);
  gate.open();  // the drain has begun
  const Reply ended = ending.read_reply();
  EXPECT_EQ(ended.body, event("a") + event("b"));
  EXPECT_TRUE(ended.is_whole);
  const Reply cut = endless.read_reply();
  EXPECT_FALSE(cut.is_whole);
  EXPECT_TRUE(cut.body.starts_with(event("endless") + "data: {\"error\":{")) << cut.body;
  EXPECT_NE(cut.body.find("\"code\":\"draining\""), std::string::npos) << cut.body;
  stopping.join();
  weir.end();
  ASSERT_TRUE(weir.cloud().wait_for_close(0));
  EXPECT_EQ(weir.cloud().connection_of(0).ending, Ending::kPeerFin);
  EXPECT_FALSE(RawClient(weir.port()).is_connected());
  EXPECT_TRUE(os::listen_on("127.0.0.1", weir.port()));  // at once
}

TEST(FieldCases, S55_ARequestOnAnOpenConnectionIsTurnedAwayWhileDraining) {
  Gate gate;
  Weir weir([](config::Config& config) { config.server.drain = config::Seconds(5); });
  weir.local().next([&](Talk& talk) {
    talk.start_stream();
    talk.chunk(event("a"));
    talk.wait(gate);
    talk.end_stream();
  });
  RawClient running = weir.client();
  running.send(post(short_chat(kStream)));
  ASSERT_TRUE(running.read_until(event("a")));
  RawClient idle = weir.client();
  idle.send(request_text("GET /health", "", ""));
  ASSERT_EQ(idle.read_reply("GET").status, 200);
  std::thread stopping([&] { weir.runtime().stop(); });
  EXPECT_EQ(idle.wait_for_close(), Got::kFin);
  running.send(post(short_chat()));  // waits behind the stream
  gate.open();
  EXPECT_TRUE(running.read_reply().is_whole);
  const Reply late = running.read_reply();
  EXPECT_TRUE(late.status == 503 || late.status == 0) << late.status;
  stopping.join();
  EXPECT_EQ(weir.local().request_count(), 1U);
}

TEST(Runtime, AnswersTheWatchdogWhileItServesAndWhileItDrains) {
  Gate gate;
  Weir weir([](config::Config& config) { config.server.drain = config::Seconds(60); });
  weir.local().next([&](Talk& talk) {
    talk.start_stream();
    talk.chunk(event("a"));
    talk.wait(gate);
    talk.end_stream();
  });
  EXPECT_TRUE(weir.runtime().is_answering());
  RawClient running = weir.client();
  running.send(post(short_chat(kStream)));
  ASSERT_TRUE(running.read_until(event("a")));
  EXPECT_TRUE(weir.runtime().is_answering());
  RawClient idle = weir.client();
  idle.send(request_text("GET /health", "", ""));  // or it may not be accepted yet
  ASSERT_EQ(idle.read_reply("GET").status, 200);
  std::thread stopping([&] { weir.runtime().stop(); });
  EXPECT_EQ(idle.wait_for_close(), Got::kFin);
  EXPECT_TRUE(weir.runtime().is_answering());
  EXPECT_GT(weir.runtime().stop_time_max(), std::chrono::seconds(60));
  gate.open();
  stopping.join();
}

TEST(FieldCases, S56_ATakenPortIsNamed) {
  Weir weir;
  const auto second = os::listen_on("127.0.0.1", weir.port());
  ASSERT_FALSE(second);
  EXPECT_EQ(second.error().code, base::ErrorCode::kCannotRun);
  EXPECT_NE(second.error().message.find("127.0.0.1:" + std::to_string(weir.port())),
            std::string::npos);
  EXPECT_EQ(ask(weir.port(), short_chat()).status, 200);
  EXPECT_THROW(Weir another([&](config::Config& config) {
                 config.server.listen = {{"127.0.0.1", weir.port()}};
               }),
               std::runtime_error);
  EXPECT_EQ(ask(weir.port(), short_chat()).status, 200);  // the first is untouched
}

TEST(FieldCases, S56_AnAddressOfAnotherMachineIsNamed) {
  const auto listener = os::listen_on("203.0.113.9", 8090);
  ASSERT_FALSE(listener);
  EXPECT_EQ(listener.error().code, base::ErrorCode::kCannotRun);
  EXPECT_NE(listener.error().message.find("203.0.113.9:8090"), std::string::npos);
}

TEST(FieldCases, S56_StopAndStartWithOpenConnections) {
  std::uint16_t port = 0;
  std::vector<RawClient> clients;
  for (int i = 0; i < 10; ++i) {
    Weir weir([&](config::Config& config) { config.server.listen = {{"127.0.0.1", port}}; });
    port = weir.port();
    clients.push_back(weir.client());
    clients.back().send(request_text("GET /health", "", ""));
    EXPECT_EQ(clients.back().read_reply("GET").status, 200);
    weir.runtime().stop();
  }
}

TEST(FieldCases, S56_AnEndInTheMiddleOfEverything) {
  Weir weir;
  weir.local().always([](Talk& talk) {
    talk.start_stream();
    talk.chunk(event("a"));
    talk.wait_for_close();
  });
  std::vector<RawClient> clients;
  for (int i = 0; i < 20; ++i) {
    clients.push_back(weir.client());
    clients.back().send(i % 3 == 0 ? post(short_chat(kStream)) : i % 3 == 1 ? "POST /" : "");
  }
  ASSERT_TRUE(clients.front().read_until(event("a")));
  weir.end();
  for (RawClient& client : clients) {
    EXPECT_NE(client.wait_for_close(), Got::kTimeout);
  }
}

bool has_ipv6() {
  return os::listen_on("::1", 0).has_value();
}

void localhost_reaches(const std::string& address) {
  ScriptedUpstream local({.host = address});
  Weir weir([&](config::Config& config) {
    local_of(config).base_url.host = "localhost";
    local_of(config).base_url.port = local.port();
  });
  for (int i = 0; i < 10; ++i) {
    const Reply reply = ask(weir.port(), short_chat());
    EXPECT_EQ(reply.status, 200);
    EXPECT_EQ(header_of(reply, "X-Weir-Route"), "local.llamacpp");
  }
  EXPECT_EQ(local.request_count(), 10U);
  EXPECT_EQ(fakes::header_value(local.request(0).head, "Host"),
            "localhost:" + std::to_string(local.port()));
}

TEST(FieldCases, S57_LocalhostIsFoundOnIpv4) {
  localhost_reaches("127.0.0.1");
}

bool localhost_is_ipv6_too() {
  const auto addresses = os::resolve("localhost", 1);
  return addresses && std::any_of(addresses->begin(), addresses->end(),
                                  [](const os::Address& a) { return a.ip() == "::1"; });
}

TEST(FieldCases, S57_LocalhostIsFoundOnIpv6) {
  if (!has_ipv6() || !localhost_is_ipv6_too()) {
    GTEST_SKIP() << "localhost is not ::1 here";
  }
  localhost_reaches("::1");
}

// A local server on one address of localhost, and on the other one that says nothing.
TEST(FieldCases, S57_TheAddressThatWorkedIsRemembered) {
  const auto addresses = os::resolve("localhost", 1);
  if (!has_ipv6() || !localhost_is_ipv6_too() ||
      addresses->front().ip() == addresses->back().ip()) {
    GTEST_SKIP() << "localhost is one address here";
  }
  const std::string first = addresses->front().ip();
  auto silent = std::make_unique<fakes::SilentAddress>(first);
  const std::uint16_t port = silent->port();
  ScriptedUpstream local({.port = port, .host = addresses->back().ip()});
  const auto answers_once = answers(200, "{}", "Connection: close\r\n");
  local.always(answers_once);
  Weir weir([&](config::Config& config) {
    local_of(config).base_url.host = "localhost";
    local_of(config).base_url.port = port;
    local_of(config).connect_timeout = config::Seconds(600);  // who waits for the first waits long
  });
  EXPECT_EQ(header_of(ask(weir.port(), short_chat()), "X-Weir-Route"), "local.llamacpp");
  silent.reset();
  ScriptedUpstream other({.port = port, .host = first});  // it would answer now, and comes first
  for (int i = 0; i < 9; ++i) {
    EXPECT_EQ(ask(weir.port(), short_chat()).status, 200);
  }
  EXPECT_EQ(local.request_count(), 10U);
  EXPECT_EQ(other.connections().size(), 0U);
}

TEST(FieldCases, S57_Ipv6AddressesWorkOnBothSides) {
  if (!has_ipv6()) {
    GTEST_SKIP() << "no IPv6 here";
  }
  ScriptedUpstream local({.host = "::1"});
  Weir weir([&](config::Config& config) {
    config.server.listen = {{"::1", 0}};
    local_of(config).base_url.host = "::1";
    local_of(config).base_url.port = local.port();
  });
  RawClient client(weir.port(), "::1");
  const std::string body = short_chat();
  client.send("POST /v1/chat/completions HTTP/1.1\r\nHost: [::1]:" + std::to_string(weir.port()) +
              "\r\nContent-Length: " + std::to_string(body.size()) + "\r\n\r\n" + body);
  EXPECT_EQ(client.read_reply().status, 200);
  EXPECT_EQ(fakes::header_value(local.request(0).head, "Host"),
            "[::1]:" + std::to_string(local.port()));
}

}  // namespace
}  // namespace weir::flow
