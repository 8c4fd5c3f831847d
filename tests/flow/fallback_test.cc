// Field cases S-23 to S-31: another upstream answers, or the client is told why none does.

#include <gtest/gtest.h>

#include <chrono>
#include <thread>

#include "http_text.h"
#include "silent_address.h"
#include "weir_fixture.h"

namespace weir::flow {
namespace {

using fakes::Ending;
using fakes::Gate;

constexpr std::string_view kLoading =
    R"({"error":{"message":"Loading model","type":"unavailable_error","code":503}})";
constexpr std::string_view kTooLong =
    R"({"error":{"code":400,"message":"the request is too long","type":"exceed_context_size_error","n_prompt_tokens":9,"n_ctx":8}})";

TEST(FieldCases, S23_TheLocalServerIsNotThere) {
  Weir weir({}, {.local_runs = false});
  for (int i = 0; i < 20; ++i) {
    const Reply reply = ask(weir.port(), short_chat());
    ASSERT_EQ(reply.status, 200);
    ASSERT_EQ(header_of(reply, "X-Weir-Reason"), "fallback_down");
  }
  std::vector<RawClient> clients;
  for (int i = 0; i < 10; ++i) {
    clients.emplace_back(weir.port());
    clients.back().send(post(short_chat()));
  }
  for (RawClient& client : clients) {
    EXPECT_EQ(client.read_reply().status, 200);
  }
  EXPECT_EQ(weir.cloud().request_count(), 30U);
  weir.start_local();
  EXPECT_EQ(header_of(ask(weir.port(), short_chat()), "X-Weir-Route"), "local.llamacpp");
}

TEST(FieldCases, S23_ADeadServerCostsNoTime) {
  Weir weir({}, {.local_runs = false});
  ask(weir.port(), short_chat());
  const auto start = std::chrono::steady_clock::now();
  ask(weir.port(), short_chat());
  EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(2));  // contract: 200 ms
}

struct Shape {
  int status;
  std::string body;
  std::string reason;
};

class DoesNotFit : public testing::TestWithParam<Shape> {};

TEST_P(DoesNotFit, S24_FallsBackOnce) {
  Weir weir;
  weir.local().next(answers(GetParam().status, GetParam().body));
  const Reply reply = ask(weir.port(), short_chat());
  EXPECT_EQ(reply.status, 200);
  EXPECT_EQ(header_of(reply, "X-Weir-Reason"), GetParam().reason);
  EXPECT_EQ(weir.local().request_count(), 1U);
  EXPECT_EQ(weir.cloud().request_count(), 1U);
}

TEST_P(DoesNotFit, S24_WithoutACloudTheLocalAnswerPasses) {
  Weir weir;
  weir.local().next(answers(GetParam().status, GetParam().body, "X-Own: local\r\n"));
  weir.cloud().next(answers(500, R"({"error":"the cloud's own"})"));
  const Reply reply = ask(weir.port(), short_chat());
  EXPECT_EQ(reply.status, GetParam().status);
  EXPECT_EQ(reply.body, GetParam().body);
  EXPECT_EQ(header_of(reply, "X-Own"), "local");
  EXPECT_EQ(weir.cloud().request_count(), 1U);
}

TEST_P(DoesNotFit, S24_WithAnUnreachableCloudTheLocalAnswerPasses) {
  Weir weir([](config::Config& config) { cloud_of(config).base_url.port = 1; });
  weir.local().next(answers(GetParam().status, GetParam().body));
  const Reply reply = ask(weir.port(), short_chat());
  EXPECT_EQ(reply.status, GetParam().status);
  EXPECT_EQ(reply.body, GetParam().body);
}

TEST(FieldCases, S24_ARefusalInAStreamPassesWhenTheCloudFails) {
  Weir weir([](config::Config& config) { cloud_of(config).base_url.port = 1; });
  const std::string refusal = "data: " + std::string(kTooLong) + "\n\n";
  weir.local().next([&](Talk& talk) {
    talk.start_stream();
    talk.chunk(refusal);
    talk.pause(std::chrono::milliseconds(50));
    talk.chunk(kDone);
    talk.end_stream();
  });
  const Reply reply = ask(weir.port(), short_chat(kStream));
  EXPECT_EQ(reply.status, 200);
  EXPECT_EQ(reply.body, refusal + std::string(kDone));
  EXPECT_EQ(header_of(reply, "X-Weir-Route"), "local.llamacpp");
  EXPECT_EQ(header_of(reply, "X-Weir-Reason"), "short");
  EXPECT_TRUE(weir.wait_for_log("cause=\"local.llamacpp: it answered with status 200; provider"));
}

// More than is held back of an answer.
TEST(Fallback, ALargeFailureOfTheFirstPassesWholeWhenTheSecondFailsToo) {
  Weir weir;
  const std::string page = "<html>" + std::string(1 << 20, 'x') + "</html>";
  weir.local().next(answers(500, page, "Content-Type: text/html\r\n"));
  weir.cloud().next(answers(500, "{}"));
  const Reply reply = ask(weir.port(), short_chat());
  EXPECT_EQ(reply.status, 500);
  EXPECT_TRUE(reply.body == page) << reply.body.substr(0, 300);
  EXPECT_TRUE(reply.is_whole);
  EXPECT_EQ(header_of(reply, "X-Weir-Route"), "local.llamacpp");
  EXPECT_EQ(weir.cloud().request_count(), 1U);
}

TEST(Fallback, AFailureThatIsSlowToEndPassesWhenTheSecondFailsToo) {
  Gate asked;
  Weir weir([](config::Config& config) { config.routing.hold = config::Seconds(0.1); });
  weir.local().next([&](Talk& talk) {
    talk.send("HTTP/1.1 500 Oh\r\nContent-Length: 6\r\n\r\none");
    talk.wait(asked);
    talk.send("two");
  });
  weir.cloud().next([&](Talk& talk) {
    asked.open();
    talk.answer(500, "{}");
  });
  const Reply reply = ask(weir.port(), short_chat());
  EXPECT_EQ(reply.status, 500);
  EXPECT_EQ(reply.body, "onetwo");
}

INSTANTIATE_TEST_SUITE_P(
    FieldCases, DoesNotFit,
    testing::Values(
        Shape{400, std::string(kTooLong), "fallback_context"},
        Shape{
            500,
            R"({"error":{"code":500,"message":"Context size has been exceeded.","type":"server_error"}})",
            "fallback_context"},
        Shape{
            200,
            R"({"error":{"code":500,"message":"Context size has been exceeded.","type":"server_error"}})",
            "fallback_context"},
        Shape{400, R"({"error":{"message":"maximum context length is 4096 tokens"}})",
              "fallback_context"},
        Shape{500, R"({"error":{"message":"out of memory","type":"server_error"}})",
              "fallback_error"}));

// Without a fallback nobody looks into the answer; it must not pass for a ready server.
TEST(Fallback, A503ThatPassesDoesNotMakeTheServerReady) {
  Weir weir([](config::Config& config) { config.routing.fallback = {}; });
  fakes::Probes loading;
  loading.health_status = 503;
  loading.health = kLoading;
  weir.local().set_probes(loading);
  weir.local().always(answers(503, std::string(kLoading)));
  EXPECT_EQ(ask(weir.port(), short_chat()).status, 503);  // makes weir probe soon
  ASSERT_TRUE(weir.wait_for_log("upstream is loading")) << weir.log_text();
  const std::string before = weir.log_text();
  EXPECT_EQ(ask(weir.port(), short_chat()).status, 503);
  EXPECT_TRUE(weir.wait_for_log("status=503", 2));
  EXPECT_EQ(weir.log_text().find("upstream is ready", before.size()), std::string::npos);
}

TEST(FieldCases, S25_LoadingGoesToTheCloudUntilItIsOver) {
  Weir weir;
  fakes::Probes loading;
  loading.health_status = 503;
  loading.health = kLoading;
  weir.local().set_probes(loading);
  weir.local().always(answers(503, std::string(kLoading)));
  for (int i = 0; i < 2; ++i) {
    const Reply reply = ask(weir.port(), short_chat());
    EXPECT_EQ(reply.status, 200);
    EXPECT_EQ(header_of(reply, "X-Weir-Reason"), "fallback_loading");
  }
  EXPECT_TRUE(weir.wait_for_log("upstream is loading")) << weir.log_text();
  EXPECT_EQ(weir.log_text().find("upstream is down"), std::string::npos);
  weir.local().set_probes({});
  weir.local().always(answers(200, "{}"));
  EXPECT_EQ(header_of(ask(weir.port(), short_chat()), "X-Weir-Route"), "local.llamacpp");
}

TEST(FieldCases, S26_SilenceDuringALongPrefillIsNoFault) {
  Weir weir([](config::Config& config) {
    config.routing.hold = config::Seconds(0.2);
    local_of(config).connect_timeout = config::Seconds(0.5);
    config.server.header_timeout = config::Seconds(0.5);
    config.server.body_timeout = config::Seconds(0.5);
    config.server.send_timeout = config::Seconds(0.5);
  });
  weir.local().next([](Talk& talk) {
    talk.pause(std::chrono::milliseconds(300));
    talk.start_stream();
    talk.pause(std::chrono::milliseconds(1500));  // longer than every limit that is not for this
    talk.chunk(event("late") + std::string(kDone));
    talk.end_stream();
  });
  const Reply reply = ask(weir.port(), short_chat(kStream));
  EXPECT_EQ(reply.body, event("late") + std::string(kDone));
  EXPECT_TRUE(reply.is_whole);
  EXPECT_EQ(weir.local().request_count(), 1U);
  EXPECT_EQ(weir.cloud().request_count(), 0U);
}

void first_byte_limit(bool head_comes) {
  Weir weir([](config::Config& config) {
    local_of(config).timeout = config::Seconds(0.3);
    config.routing.hold = config::Seconds(20);
  });
  weir.local().next([&](Talk& talk) {
    if (head_comes) {
      talk.start_stream();
    }
    talk.wait_for_close();
  });
  const Reply reply = ask(weir.port(), short_chat(kStream));
  EXPECT_EQ(reply.status, 200);
  EXPECT_EQ(header_of(reply, "X-Weir-Reason"), "fallback_error");
  ASSERT_TRUE(weir.local().wait_for_close(0));
  EXPECT_EQ(weir.local().request_count(), 1U);
  ASSERT_EQ(weir.cloud().request_count(), 1U);
  // First the one is closed, then the other is asked; the fake notices a close a moment later.
  EXPECT_LT(weir.local().connection_of(0).closed,
            weir.cloud().request(0).whole_at + std::chrono::milliseconds(500));
}

TEST(FieldCases, S26_TheFirstByteLimitClosesAndThenFallsBack) {
  first_byte_limit(false);
}
TEST(FieldCases, S26_AHeadDoesNotEndTheFirstByteLimit) {
  first_byte_limit(true);
}

TEST(FieldCases, S26_SilenceBetweenBytesHasItsOwnLimit) {
  Weir weir([](config::Config& config) { local_of(config).idle_timeout = config::Seconds(0.3); });
  weir.local().next([](Talk& talk) {
    talk.start_stream();
    talk.chunk(event("one"));
    talk.wait_for_close();
  });
  const Reply reply = ask(weir.port(), short_chat(kStream));
  EXPECT_FALSE(reply.is_whole);
  EXPECT_TRUE(reply.body.starts_with(event("one") + "data: {\"error\":{")) << reply.body;
}

TEST(ChatFlow, ARequestsOwnTimeoutLengthensTheWaitAndNeverShortensIt) {
  Weir weir([](config::Config& config) { local_of(config).timeout = config::Seconds(0.5); });
  weir.local().next([](Talk& talk) {
    talk.pause(std::chrono::milliseconds(1000));
    talk.start_stream();
    talk.chunk(event("late") + std::string(kDone));
    talk.end_stream();
  });
  const Reply patient = ask(weir.port(), short_chat(R"("stream":true,"timeout":60,)"));
  EXPECT_EQ(patient.body, event("late") + std::string(kDone));
  weir.local().next([](Talk& talk) {
    talk.pause(std::chrono::milliseconds(1000));
    talk.answer(200, "late");
  });
  EXPECT_EQ(ask(weir.port(), short_chat(), "X-Weir-Timeout: 60\r\n").body, "late");
  weir.local().next([](Talk& talk) {
    talk.pause(std::chrono::milliseconds(50));
    talk.start_stream();
    talk.chunk(event("soon") + std::string(kDone));
    talk.end_stream();
  });
  const Reply hasty = ask(weir.port(), short_chat(R"("stream":true,"timeout":0.001,)"));
  EXPECT_EQ(hasty.body, event("soon") + std::string(kDone));
  EXPECT_EQ(weir.cloud().request_count(), 0U);
}

TEST(ChatFlow, ATimeoutThatIsNoNumberOfSecondsChangesNothing) {
  Weir weir([](config::Config& config) { local_of(config).timeout = config::Seconds(0.2); });
  weir.local().always([](Talk& talk) { talk.wait_for_close(); });
  for (const std::string& value :
       {std::string(), std::string("soon"), std::string("60s"), std::string("-1"),
        std::string("nan"), std::string("inf"), std::string("1e999")}) {
    const Reply reply = ask(weir.port(), short_chat(), "X-Weir-Timeout: " + value + "\r\n");
    EXPECT_EQ(header_of(reply, "X-Weir-Reason"), "fallback_error") << value;
  }
}

TEST(FieldCases, S26_ATimeoutWithoutFallbackIsA504) {
  Weir weir([](config::Config& config) { cloud_of(config).timeout = config::Seconds(0.2); });
  weir.cloud().next([](Talk& talk) { talk.wait_for_close(); });
  const Reply reply = ask(weir.port(), long_chat());
  EXPECT_EQ(reply.status, 504);
  EXPECT_EQ(header_of(reply, "X-Weir-Error"), "upstream_timeout");
}

TEST(FieldCases, S26_AHeadWithoutABodyIsStillA504) {
  Weir weir([](config::Config& config) { cloud_of(config).timeout = config::Seconds(0.2); });
  weir.cloud().next([](Talk& talk) {
    talk.send("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n");
    talk.wait_for_close();
  });
  const Reply reply = ask(weir.port(), long_chat());
  EXPECT_EQ(reply.status, 504);
  EXPECT_TRUE(reply.is_whole);
  weir.cloud().next([](Talk& talk) {
    talk.send("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n");
    talk.close();
  });
  const Reply closed = ask(weir.port(), long_chat());
  EXPECT_EQ(closed.status, 502);
  EXPECT_TRUE(closed.is_whole);
}

TEST(FieldCases, S27_AnOrdinaryMistakeStaysOne) {
  Weir weir;
  const std::string mistake =
      R"({"error":{"code":400,"message":"temperature must be a number","type":"invalid_request_error"}})";
  for (const int status : {400, 400, 401, 404, 405, 409, 413, 415, 422, 429}) {
    weir.local().next(
        answers(status, mistake, "Content-Type: application/json; charset=utf-8\r\n"));
    const Reply reply = ask(weir.port(), short_chat());
    EXPECT_EQ(reply.status, status);
    EXPECT_EQ(reply.body, mistake);
    EXPECT_EQ(header_of(reply, "Content-Type"), "application/json; charset=utf-8");
  }
  EXPECT_EQ(weir.cloud().request_count(), 0U);
  EXPECT_EQ(header_of(ask(weir.port(), short_chat()), "X-Weir-Route"), "local.llamacpp");
  EXPECT_EQ(weir.log_text().find("upstream is down"), std::string::npos);
}

void expect_names_both(const Reply& reply) {
  EXPECT_EQ(reply.status, 502);
  EXPECT_TRUE(reply.is_whole);
  EXPECT_EQ(header_of(reply, "Content-Type"), "application/json");
  EXPECT_EQ(header_of(reply, "X-Weir-Error"), "upstream_unreachable");
  EXPECT_NE(reply.body.find("local.llamacpp: "), std::string::npos) << reply.body;
  EXPECT_NE(reply.body.find("provider.cloud: "), std::string::npos) << reply.body;
  EXPECT_NE(reply.body.find("\"param\":null"), std::string::npos);
  EXPECT_EQ(reply.body.find(kCloudKey), std::string::npos);
}

TEST(FieldCases, S28_LocalRefusesAndTheCloudsNameIsUnknown) {
  Weir weir(
      [](config::Config& config) {
        cloud_of(config).base_url.host = "no-such-host.invalid";
        cloud_of(config).connect_timeout = config::Seconds(1);
      },
      {.local_runs = false});
  expect_names_both(ask(weir.port(), short_chat(kStream)));
  expect_names_both(ask(weir.port(), short_chat()));
}

TEST(FieldCases, S28_LocalRefusesAndTheCloudAnswers500) {
  Weir weir({}, {.local_runs = false});
  weir.cloud().always(answers(500, R"({"error":"boom"})"));
  expect_names_both(ask(weir.port(), short_chat()));
  EXPECT_EQ(weir.cloud().request_count(), 1U);
}

TEST(FieldCases, S28_WhenBothAreOnlyBusyTheClientMayComeAgain) {
  Gate gate;
  Weir weir([](config::Config& config) {
    local_of(config).max_concurrent = 1;
    local_of(config).queue_wait = config::Seconds(0);
  });
  weir.local().next([&](Talk& talk) {
    talk.wait(gate);
    talk.answer(200, "{}");
  });
  RawClient first = weir.client();
  first.send(post(short_chat()));
  ASSERT_TRUE(weir.local().wait_for_requests(1));
  weir.cloud().next(answers(503, R"({"error":"busy"})"));
  const Reply busy = ask(weir.port(), short_chat());
  EXPECT_EQ(busy.status, 503);
  EXPECT_EQ(header_of(busy, "X-Weir-Error"), "overloaded");
  EXPECT_NE(header_of(busy, "Retry-After"), "");
  EXPECT_NE(busy.body.find("local.llamacpp: "), std::string::npos) << busy.body;
  EXPECT_NE(busy.body.find("provider.cloud: "), std::string::npos) << busy.body;
  weir.cloud().next(answers(500, R"({"error":"broken"})"));
  expect_names_both(ask(weir.port(), short_chat()));
  gate.open();
  EXPECT_EQ(first.read_reply().status, 200);
}

TEST(FieldCases, S29_A429PassesWithItsWaitingTime) {
  Weir weir;
  const std::string body = R"({"error":{"message":"slow down","type":"rate_limit_error"}})";
  weir.cloud().next(
      answers(429, body,
              "Retry-After: 7\r\nretry-after-ms: 7000\r\nx-ratelimit-remaining-requests: 0\r\n"));
  const Reply reply = ask(weir.port(), long_chat());
  EXPECT_EQ(reply.status, 429);
  EXPECT_EQ(reply.body, body);
  EXPECT_EQ(header_of(reply, "Retry-After"), "7");
  EXPECT_EQ(header_of(reply, "retry-after-ms"), "7000");
  EXPECT_EQ(header_of(reply, "x-ratelimit-remaining-requests"), "0");
  EXPECT_EQ(weir.cloud().request_count(), 1U);
  EXPECT_EQ(weir.local().request_count(), 0U);
}

constexpr std::chrono::seconds kWithinASecond{3};  // the contract's second on a busy machine

// S-30: the client leaves when `reached` says so; then the cloud's connection must end.
template <class Reached>
void client_leaves_the_cloud(Weir& weir, std::string_view body, const Reached& reached) {
  RawClient client = weir.client();
  client.send(post(body, "X-Weir-Route: cloud\r\n"));
  ASSERT_TRUE(reached());
  const auto left = std::chrono::steady_clock::now();
  client.leave();
  ASSERT_TRUE(weir.wait_for_log("end=\"client closed\"")) << weir.log_text();
  EXPECT_LT(std::chrono::steady_clock::now() - left, kWithinASecond);
  EXPECT_EQ(weir.local().request_count(), 0U);
}

TEST(FieldCases, S30_TheClientLeavesWhileTheCloudIsSilent) {
  Weir weir;
  weir.cloud().next([](Talk& talk) { talk.wait_for_close(); });
  client_leaves_the_cloud(weir, long_chat(), [&] { return weir.cloud().wait_for_requests(1); });
  EXPECT_TRUE(weir.cloud().wait_for_close(0));
}

TEST(FieldCases, S30_TheClientLeavesWhileWeirConnects) {
  const fakes::SilentAddress silent;
  Weir weir([&](config::Config& config) {
    cloud_of(config).base_url.port = silent.port();
    cloud_of(config).connect_timeout = config::Seconds(600);
  });
  client_leaves_the_cloud(weir, long_chat(), [&] {
    const auto deadline = fakes::patience();
    bool is_in_flight = false;
    while (!is_in_flight && std::chrono::steady_clock::now() < deadline) {
      RawClient page = weir.client();
      page.send(request_text("GET /weir/status", "", ""));
      is_in_flight = page.read_reply("GET").body.find("\"in_flight\":1") != std::string::npos;
    }
    return is_in_flight;
  });
}

TEST(FieldCases, S30_TheClientLeavesDuringTheTlsHandshake) {
  Gate closed;
  Weir weir;
  weir.cloud().next_connection([&](Talk& talk) {
    talk.wait_for_close();
    closed.open();
  });
  client_leaves_the_cloud(weir, long_chat(), [&] { return weir.cloud().wait_for_connections(1); });
  EXPECT_EQ(weir.cloud().request_count(), 0U);
}

TEST(FieldCases, S30_TheClientLeavesWhileTheBodyIsSent) {
  Gate reading;
  Weir weir;
  weir.cloud().next_unread([&](Talk& talk) {
    talk.read_bytes(1000);
    reading.open();
    talk.wait_for_close();  // the rest is not read
  });
  const std::string body = R"({"messages":[],"x":")" + std::string(16 << 20, 'x') + "\"}";
  client_leaves_the_cloud(weir, body, [&] {
    return os::wait_for(os::kNoSocket, os::Interest::kNothing, fakes::patience(),
                        {os::kNoSocket, reading.handle()}) == os::WaitOutcome::kStopped;
  });
  EXPECT_EQ(weir.cloud().request_count(), 0U);
}

TEST(FieldCases, S30_TheClientLeavesInTheMiddleOfAStream) {
  Weir weir;
  weir.cloud().next([](Talk& talk) {
    talk.start_stream();
    talk.chunk(event("one"));
    talk.wait_for_close();
  });
  RawClient client = weir.client();
  client.send(post(long_chat(kStream)));
  ASSERT_TRUE(client.read_until(event("one")));
  const auto left = std::chrono::steady_clock::now();
  client.leave();
  ASSERT_TRUE(weir.cloud().wait_for_close(0));
  EXPECT_LT(weir.cloud().connection_of(0).closed - left, kWithinASecond);
}

TEST(FieldCases, S30_ALeavingClientStartsNoFallback) {
  Gate fail;
  Weir weir;
  weir.local().next([&](Talk& talk) {
    talk.wait(fail);
    talk.answer(500, "{}");
  });
  RawClient client = weir.client();
  client.send(post(short_chat()));
  ASSERT_TRUE(weir.local().wait_for_requests(1));
  client.leave();
  ASSERT_TRUE(weir.wait_for_log("end=\"client closed\""));
  fail.open();
  EXPECT_EQ(weir.cloud().connections().size(), 0U);
}

// S-31: what becomes of the pooled connection after the first answer.
enum class PooledEnd { kFin, kReset, kAsTheBodyArrives, kResetAsTheBodyArrives };

void pooled_connection_ends(PooledEnd end) {
  constexpr std::size_t kRequests = 3;
  std::vector<Gate> pooled(kRequests);
  Weir weir;
  const bool while_idle = end == PooledEnd::kFin || end == PooledEnd::kReset;
  const bool reset = end == PooledEnd::kReset || end == PooledEnd::kResetAsTheBodyArrives;
  weir.cloud().always([&](Talk& talk) {
    if (!talk.request().reused) {
      talk.answer(200, "{\"ok\":true}");
    }
    if (while_idle) {
      talk.wait(pooled[talk.request().connection]);
    }
    if (while_idle || talk.request().reused) {
      reset ? talk.reset() : talk.close();
    }
  });
  for (std::size_t i = 0; i < kRequests; ++i) {
    const Reply reply = ask(weir.port(), long_chat());
    EXPECT_EQ(reply.status, 200);
    EXPECT_EQ(reply.body, "{\"ok\":true}");
    EXPECT_TRUE(weir.wait_for_log("info request", i + 1));  // its connection is in the pool
    pooled[i].open();
    EXPECT_TRUE(!while_idle || weir.cloud().wait_for_close(i));
  }
  const std::size_t repeats = while_idle ? 0 : kRequests - 1;
  EXPECT_EQ(weir.cloud().request_count(), kRequests + repeats);
  EXPECT_EQ(weir.cloud().connections().size(), kRequests);
  EXPECT_EQ(weir.log_text().find("falls back"), std::string::npos);
}

TEST(FieldCases, S31_ThePooledConnectionWasClosed) {
  pooled_connection_ends(PooledEnd::kFin);
}
TEST(FieldCases, S31_ThePooledConnectionWasReset) {
  pooled_connection_ends(PooledEnd::kReset);
}
TEST(FieldCases, S31_ThePooledConnectionEndsAsTheBodyArrives) {
  pooled_connection_ends(PooledEnd::kAsTheBodyArrives);
}
TEST(FieldCases, S31_ThePooledConnectionIsResetAsTheBodyArrives) {
  pooled_connection_ends(PooledEnd::kResetAsTheBodyArrives);
}

TEST(FieldCases, S31_AFreshConnectionIsNotRepeated) {
  Weir weir;
  weir.cloud().always([](Talk& talk) { talk.close(); });
  EXPECT_EQ(ask(weir.port(), long_chat()).status, 502);
  EXPECT_EQ(weir.cloud().request_count(), 1U);
}

TEST(FieldCases, S31_NothingIsRepeatedAfterAByteOfAnAnswer) {
  Weir weir;
  EXPECT_EQ(ask(weir.port(), long_chat()).status, 200);
  ASSERT_TRUE(weir.wait_for_log("info request"));  // its connection is in the pool
  weir.cloud().next([](Talk& talk) {
    EXPECT_TRUE(talk.request().reused);
    talk.send("HTTP/1.1 2");
    talk.close();
  });
  EXPECT_EQ(ask(weir.port(), long_chat()).status, 502);
  EXPECT_EQ(weir.cloud().request_count(), 2U);
}

TEST(Fallback, NeverLeavesTheHouseWhenTheListIsEmpty) {
  Weir weir([](config::Config& config) { config.routing.fallback.clear(); }, {.local_runs = false});
  EXPECT_EQ(ask(weir.port(), short_chat()).status, 502);
  EXPECT_EQ(weir.cloud().connections().size(), 0U);
}

TEST(Fallback, AnUpstreamThatSpeaksNoHttp) {
  Weir weir;
  weir.local().next([](Talk& talk) {
    talk.send("SSH-2.0-OpenSSH_9.2\r\n\r\n");
    talk.close();
  });
  EXPECT_EQ(header_of(ask(weir.port(), short_chat()), "X-Weir-Reason"), "fallback_error");
  weir.cloud().next([](Talk& talk) {
    talk.send("hello\r\n\r\n");
    talk.close();
  });
  const Reply reply = ask(weir.port(), long_chat());
  EXPECT_EQ(reply.status, 502);
  EXPECT_EQ(header_of(reply, "X-Weir-Error"), "upstream_unreachable");
}

TEST(Fallback, LongToShortOnlyWhereAllowedAndItFits) {
  const auto long_is_down = [](bool allowed, std::uint32_t context) {
    Weir weir([=](config::Config& config) {
      config.routing.fallback_long = allowed;
      local_of(config).context_tokens = context;
      cloud_of(config).base_url.port = 1;
    });
    return ask(weir.port(), long_chat()).status;
  };
  EXPECT_EQ(long_is_down(false, 65536), 502);
  EXPECT_EQ(long_is_down(true, 2048), 502);
  EXPECT_EQ(long_is_down(true, 65536), 200);
}

}  // namespace
}  // namespace weir::flow
