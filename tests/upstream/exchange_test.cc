// One exchange with a scripted upstream: pool, head, pieces, failures.

#include "weir/upstream/exchange.h"

#include <gtest/gtest.h>

#include <thread>

#include "descriptors.h"
#include "http_text.h"
#include "scripted_upstream.h"
#include "test_ca.h"
#include "weir/os/process.h"
#include "weir/upstream/upstream.h"

namespace weir::upstream {
namespace {

using fakes::Gate;
using fakes::ScriptedUpstream;
using fakes::Talk;
using PieceKind = Exchange::PieceKind;

class ExchangeTest : public testing::Test {
 protected:
  ExchangeTest() {
    os::prepare_process();
    settings_.name = "llamacpp";
    settings_.base_url = {false, "127.0.0.1", fake_.port(), "/v1"};
  }

  Upstream& upstream() {
    if (!upstream_) {
      upstream_ = std::move(*Upstream::open(settings_));
    }
    return *upstream_;
  }

  Attempt begin(std::string_view body = "{}", const os::Guards& guards = {},
                std::optional<config::Seconds> connect_timeout = {}) {
    const std::string_view pieces[] = {body};
    OutgoingRequest request;
    request.connect_timeout = connect_timeout;
    request.endpoint = "/chat/completions";
    request.body = pieces;
    request.wait_for_place_until = fakes::patience();
    return upstream().begin(request, guards);
  }

  // Reads to the end: the whole body, or the failure.
  static std::string body_of(Attempt& attempt) {
    std::string body;
    for (;;) {
      const auto piece = attempt.exchange->next();
      if (piece.kind != PieceKind::kBytes) {
        return piece.kind == PieceKind::kEnd ? body : "failed: " + piece.failure.cause;
      }
      body += piece.bytes;
    }
  }

  ScriptedUpstream fake_;
  config::Upstream settings_;
  std::unique_ptr<Upstream> upstream_;
};

TEST_F(ExchangeTest, GivesHeadAndBody) {
  fake_.next([](Talk& talk) { talk.answer(201, "hello", "X-A: b\r\n"); });
  Attempt attempt = begin();
  ASSERT_TRUE(attempt.exchange);
  EXPECT_EQ(attempt.exchange->status(), 201);
  EXPECT_EQ(attempt.exchange->value_of("x-a"), "b");
  EXPECT_EQ(attempt.exchange->content_length(), 5U);
  EXPECT_FALSE(attempt.exchange->is_event_stream());
  EXPECT_EQ(body_of(attempt), "hello");
}

TEST_F(ExchangeTest, SendsSlicesAndHeaderLines) {
  settings_.api_key = base::Secret("the-key");
  settings_.headers = {{"X-Extra", "1"}};
  const std::string_view pieces[] = {"{\"a\":", "", "1}"};
  OutgoingRequest request;
  request.endpoint = "/chat/completions";
  request.header_lines = "X-Own: %41\r\n";
  request.body = pieces;
  EXPECT_TRUE(upstream().begin(request, {}).exchange);
  const fakes::Received got = fake_.request(0);
  EXPECT_EQ(got.body, "{\"a\":1}");
  EXPECT_EQ(got.head, "POST /v1/chat/completions HTTP/1.1\r\nHost: 127.0.0.1:" +
                          std::to_string(fake_.port()) +
                          "\r\nX-Own: %41\r\nAuthorization: Bearer the-key\r\nX-Extra: 1\r\n"
                          "Accept-Encoding: identity\r\nContent-Type: application/json\r\n"
                          "Content-Length: 7\r\n\r\n");
}

TEST_F(ExchangeTest, AsksBelowTheRoot) {
  OutgoingRequest request;
  request.method = "GET";
  request.endpoint = "/slots";
  request.at_root = true;
  EXPECT_TRUE(upstream().begin(request, {}).exchange);
  EXPECT_EQ(fakes::first_line(fake_.request(0).head), "GET /slots HTTP/1.1");
  EXPECT_EQ(fakes::header_value(fake_.request(0).head, "Content-Length"), "");
}

TEST_F(ExchangeTest, ReusesAConnectionThatWasReadToItsEnd) {
  for (int i = 0; i < 3; ++i) {
    Attempt attempt = begin();
    ASSERT_TRUE(attempt.exchange);
    EXPECT_EQ(attempt.reused, i > 0);
    body_of(attempt);
  }
  EXPECT_EQ(fake_.connections().size(), 1U);
}

// A long answer that never came may have been paid for: only what breaks soon was dead before.
TEST_F(ExchangeTest, AnAnswerReadToItsEndGivesConnectionAndPlaceBackAtOnce) {
  settings_.max_concurrent = 1;
  Attempt first = begin();
  ASSERT_TRUE(first.exchange);
  EXPECT_EQ(upstream().in_flight(), 1U);
  body_of(first);
  EXPECT_EQ(upstream().in_flight(), 0U);
  EXPECT_EQ(first.exchange->next().kind, PieceKind::kEnd);  // still
  EXPECT_EQ(first.exchange->status(), 200);
  EXPECT_TRUE(begin().reused);
}

TEST_F(ExchangeTest, DoesNotRepeatARequestThatBreaksLate) {
  {
    Attempt first = begin();
    ASSERT_TRUE(first.exchange);
    body_of(first);
  }
  fake_.next([](Talk& talk) {
    talk.pause(std::chrono::milliseconds(2100));
    talk.close();
  });
  const Attempt attempt = begin();
  EXPECT_TRUE(attempt.reused);
  EXPECT_EQ(attempt.failure.kind, FailureKind::kBroken);
  EXPECT_EQ(fake_.request_count(), 2U);
}

TEST_F(ExchangeTest, GoesThroughAProxyAtAnIpv6Address) {
  if (!os::listen_on("::1", 0)) {
    GTEST_SKIP() << "no IPv6 here";
  }
  ScriptedUpstream proxy({.host = "::1"});
  settings_.base_url = {false, "cloud.test", 80, "/v1"};
  settings_.proxy = "http://[::1]:" + std::to_string(proxy.port());
  std::string head;
  proxy.next_connection([&](Talk& talk) {
    talk.read_head(head);
    talk.send("HTTP/1.1 200 OK\r\n\r\n");  // and goes on as the upstream itself
  });
  Attempt attempt = begin();
  ASSERT_TRUE(attempt.exchange) << attempt.failure.cause;
  body_of(attempt);
  EXPECT_TRUE(head.starts_with("CONNECT cloud.test:80 HTTP/1.1\r\n")) << head;
  EXPECT_EQ(proxy.request_count(), 1U);
}

TEST_F(ExchangeTest, TakesNothingFromAProxyForTheAnswer) {
  settings_.base_url = {false, "cloud.test", 80, "/v1"};
  settings_.proxy = "http://127.0.0.1:" + std::to_string(fake_.port());
  fake_.next_connection([](Talk& talk) {
    std::string head;
    talk.read_head(head);
    talk.send("HTTP/1.1 200 OK\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nevil");
    talk.wait_for_close();
  });
  const Attempt attempt = begin();
  ASSERT_FALSE(attempt.exchange);
  EXPECT_EQ(attempt.failure.kind, FailureKind::kDown);
  EXPECT_NE(attempt.failure.cause.find("more than its answer"), std::string::npos);
}

TEST_F(ExchangeTest, ClosesAConnectionThatWasNot) {
  fake_.next([](Talk& talk) {
    talk.start_stream();
    talk.chunk("data: a\n\n");
    talk.wait_for_close();
  });
  {
    Attempt attempt = begin();
    ASSERT_TRUE(attempt.exchange);
    EXPECT_EQ(upstream().in_flight(), 1U);
    EXPECT_EQ(attempt.exchange->next().bytes, "data: a\n\n");
  }
  EXPECT_EQ(upstream().in_flight(), 0U);
  EXPECT_TRUE(fake_.wait_for_close(0));
}

TEST_F(ExchangeTest, DoesNotReuseWhatWillBeClosedOrHasMoreInIt) {
  fake_.next([](Talk& talk) { talk.answer(200, "a", "Connection: close\r\n"); });
  fake_.next([](Talk& talk) {
    talk.send("HTTP/1.1 200 OK\r\nContent-Length: 1\r\n\r\naHTTP/1.1 200 OK\r\n");
  });
  for (int i = 0; i < 3; ++i) {
    Attempt attempt = begin();
    ASSERT_TRUE(attempt.exchange);
    EXPECT_FALSE(attempt.reused);
    body_of(attempt);
  }
  EXPECT_EQ(fake_.connections().size(), 3U);
}

TEST_F(ExchangeTest, PausesWhenAskedTo) {
  Gate gate;
  fake_.next([&](Talk& talk) {
    talk.start_stream();
    talk.wait(gate);
    talk.chunk("late");
    talk.end_stream();
  });
  Attempt attempt = begin();
  ASSERT_TRUE(attempt.exchange);
  EXPECT_TRUE(attempt.exchange->is_event_stream());
  EXPECT_EQ(attempt.exchange->next(base::SteadyTime()).kind, PieceKind::kPause);
  EXPECT_EQ(attempt.exchange->next(base::SteadyTime()).kind, PieceKind::kPause);
  gate.open();
  EXPECT_EQ(body_of(attempt), "late");
}

TEST_F(ExchangeTest, TellsHowAnAnswerBroke) {
  const auto broken = [&](const fakes::Script& script) {
    fake_.next(script);
    Attempt attempt = begin();
    return attempt.exchange ? body_of(attempt) : "no head: " + attempt.failure.cause;
  };
  EXPECT_EQ(broken([](Talk& talk) {
              talk.send("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nab");
              talk.close();
            }),
            "failed: the upstream closed the connection in the middle of its answer");
  EXPECT_EQ(broken([](Talk& talk) {
              talk.start_stream();
              talk.send("zz\r\n");
              talk.wait_for_close();
            }),
            "failed: the upstream broke its chunk framing");
  EXPECT_EQ(broken([](Talk& talk) { talk.close(); }),
            "no head: the upstream closed the connection before it answered");
  EXPECT_EQ(broken([](Talk& talk) { talk.send("220 smtp.example ESMTP\r\n\r\n"); }),
            "no head: what the upstream sent is no HTTP answer");
  EXPECT_EQ(
      broken([](Talk& talk) { talk.send("HTTP/1.1 200 OK\r\nX: " + std::string(70000, 'x')); }),
      "no head: the answer's head or a chunk mark is too long");
}

TEST_F(ExchangeTest, PassesOverInterimAnswersButNotForEver) {
  fake_.next([](Talk& talk) {
    talk.send("HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Early\r\nLink: x\r\n\r\n");
    talk.answer(200, "ok");
  });
  Attempt attempt = begin();
  ASSERT_TRUE(attempt.exchange);
  EXPECT_EQ(attempt.exchange->status(), 200);
  attempt.exchange.reset();
  fake_.next([](Talk& talk) {
    while (talk.send("HTTP/1.1 100 Continue\r\n\r\n") && talk.pause(std::chrono::milliseconds(1))) {
    }
  });
  EXPECT_EQ(begin().failure.kind, FailureKind::kNotHttp);
}

TEST_F(ExchangeTest, AnInterimAnswerDoesNotEndTheSending) {
  const std::string body(20 << 20, 'x');  // more than the sockets hold
  fake_.next_unread([&](Talk& talk) {
    talk.read_bytes(1000);
    talk.send("HTTP/1.1 102 Processing\r\n\r\n");
    talk.read_bytes(body.size());
    talk.answer(200, "ok");
  });
  Attempt attempt = begin(body);
  ASSERT_TRUE(attempt.exchange) << attempt.failure.cause;
  EXPECT_EQ(body_of(attempt), "ok");
}

TEST_F(ExchangeTest, TimesOut) {
  settings_.timeout = config::Seconds(0.05);
  settings_.idle_timeout = config::Seconds(0.05);
  fake_.next([](Talk& talk) { talk.wait_for_close(); });
  EXPECT_EQ(begin().failure.kind, FailureKind::kTimeout);
  fake_.next([](Talk& talk) {
    talk.start_stream();
    talk.chunk("a");
    talk.wait_for_close();
  });
  Attempt attempt = begin();
  ASSERT_TRUE(attempt.exchange);
  EXPECT_EQ(body_of(attempt), "failed: silence for longer than idle_timeout");
}

TEST_F(ExchangeTest, AStopEndsAWait) {
  os::StopSignal stop;
  fake_.next([](Talk& talk) { talk.wait_for_close(); });
  std::thread stopping([&] {
    fake_.wait_for_requests(1);
    stop.raise();
  });
  EXPECT_EQ(begin("{}", {os::kNoSocket, stop.handle()}).failure.kind, FailureKind::kStopped);
  stopping.join();
}

TEST_F(ExchangeTest, TellsThatNobodyIsThere) {
  settings_.base_url.port = 1;
  const Attempt refused = begin();
  EXPECT_EQ(refused.failure.kind, FailureKind::kDown);
  EXPECT_NE(refused.failure.cause.find("127.0.0.1 port 1"), std::string::npos);
}

TEST_F(ExchangeTest, AShortageOfOurOwnIsNoOutageOfTheUpstream) {
  upstream();
  fakes::Descriptors descriptors;
  const Attempt attempt = begin();
  EXPECT_EQ(attempt.failure.kind, FailureKind::kNoSockets);
  EXPECT_NE(attempt.failure.cause.find("Too many open files"), std::string::npos)
      << attempt.failure.cause;
  descriptors.release(4);
  EXPECT_TRUE(begin().exchange);
}

TEST_F(ExchangeTest, TellsThatANameIsUnknown) {
  settings_.base_url.host = "no-such-host.invalid";
  settings_.connect_timeout = config::Seconds(1);
  const Attempt unknown = begin();
  EXPECT_EQ(unknown.failure.kind, FailureKind::kDown);
  EXPECT_NE(unknown.failure.cause.find("no-such-host.invalid"), std::string::npos);
}

TEST_F(ExchangeTest, ATlsHandshakeThatHangsIsDown) {
  settings_.base_url.tls = true;
  settings_.connect_timeout = config::Seconds(0.1);
  fake_.next_connection([](Talk& talk) { talk.wait_for_close(); });
  const Attempt attempt = begin();
  EXPECT_EQ(attempt.failure.kind, FailureKind::kDown);
  EXPECT_NE(attempt.failure.cause.find("TLS"), std::string::npos);
}

TEST_F(ExchangeTest, ARequestsOwnConnectTimeoutIsTheOneThatCounts) {
  settings_.base_url.tls = true;
  settings_.connect_timeout = config::Seconds(3600);
  fake_.next_connection([](Talk& talk) { talk.wait_for_close(); });
  const Attempt attempt = begin("{}", {}, config::Seconds(0.1));
  EXPECT_EQ(attempt.failure.kind, FailureKind::kDown);
}

TEST_F(ExchangeTest, ManyThreadsShareOnePool) {
  upstream();
  std::vector<std::thread> threads;
  std::atomic<int> good{0};
  for (int t = 0; t < 8; ++t) {
    threads.emplace_back([&] {
      for (int i = 0; i < 50; ++i) {
        Attempt attempt = begin();
        good += attempt.exchange && body_of(attempt).starts_with("{\"id\"");
      }
    });
  }
  for (std::thread& thread : threads) {
    thread.join();
  }
  EXPECT_EQ(good, 400);
  EXPECT_EQ(upstream().in_flight(), 0U);
  EXPECT_LE(fake_.connections().size(), 8U);
}

TEST(UpstreamOpen, AFileWithoutACertificateIsNamed) {
  config::Upstream settings;
  settings.name = "cloud";
  settings.kind = config::UpstreamKind::kProvider;
  settings.base_url = {true, "127.0.0.1", 1, "/v1"};
  settings.ca_file = "/no/such/file.pem";
  const auto opened = Upstream::open(settings);
  ASSERT_FALSE(opened);
  EXPECT_NE(opened.error().message.find("provider.cloud.ca_file"), std::string::npos);
  EXPECT_NE(opened.error().message.find("/no/such/file.pem"), std::string::npos);
}

}  // namespace
}  // namespace weir::upstream
