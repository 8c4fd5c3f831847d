// Field cases S-01 to S-10: what passes through a stream, when, and how it ends.

#include <gtest/gtest.h>

#include <chrono>

#include "http_text.h"
#include "weir_fixture.h"

namespace weir::flow {
namespace {

using fakes::Ending;
using fakes::Gate;
using fakes::Got;
using std::chrono::steady_clock;

// Bounds about time stand here: what the contract says, with room for a busy machine.
constexpr std::chrono::seconds kAtOnce{3};
constexpr std::chrono::seconds kOneSecond{3};

TEST(FieldCases, S01_EachEventArrivesBeforeTheNextIsSent) {
  constexpr int kEvents = 20;
  std::vector<Gate> gates(kEvents);
  Weir weir;
  weir.local().next([&](Talk& talk) {
    talk.start_stream();
    for (int i = 0; i < kEvents; ++i) {
      talk.chunk(event("e" + std::to_string(i)));
      talk.wait(gates[static_cast<std::size_t>(i)]);  // goes on only when the client has it
    }
    talk.end_stream();
  });
  RawClient client = weir.client();
  client.send(post(short_chat(kStream)));
  for (int i = 0; i < kEvents; ++i) {
    ASSERT_TRUE(client.read_until(event("e" + std::to_string(i)))) << i;
    gates[static_cast<std::size_t>(i)].open();
  }
  const Reply reply = client.read_reply();
  EXPECT_TRUE(reply.is_whole);
  EXPECT_EQ(header_of(reply, "Content-Type"), "text/event-stream");
  EXPECT_EQ(header_of(reply, "X-Accel-Buffering"), "no");
  EXPECT_EQ(header_of(reply, "Cache-Control"), "no-cache");
}

TEST(FieldCases, S01_SmallEventsAreNotHeldBack) {
  Weir weir;
  constexpr int kEvents = 400;
  weir.local().next([&](Talk& talk) {
    talk.start_stream();
    for (int i = 0; i < kEvents; ++i) {
      std::string line = event(std::to_string(std::chrono::duration_cast<std::chrono::microseconds>(
                                                  steady_clock::now().time_since_epoch())
                                                  .count()));
      talk.chunk(line);
      talk.pause(std::chrono::milliseconds(2));
    }
    talk.end_stream();
  });
  RawClient client = weir.client();
  client.send(post(short_chat(kStream)));
  std::vector<std::int64_t> delays;
  std::size_t at = 0;
  while (delays.size() < kEvents) {
    ASSERT_TRUE(client.read_until("\"}}]}"));
    const auto now = std::chrono::duration_cast<std::chrono::microseconds>(
                         steady_clock::now().time_since_epoch())
                         .count();
    at = client.received().find("\"content\":\"", at) + 11;
    delays.push_back(now - std::stoll(client.received().substr(at, 20)));
  }
  std::sort(delays.begin(), delays.end());
  EXPECT_LT(delays[kEvents / 2], 10000);  // the median, in microseconds; 40 ms is Nagle's mark
}

// S-02: the client leaves while nothing has come from the upstream.
void client_leaves_during_prefill(bool stream, bool reset) {
  Weir weir;
  weir.local().next([](Talk& talk) { talk.wait_for_close(); });
  RawClient client = weir.client();
  client.send(post(short_chat(stream ? kStream : "")));
  ASSERT_TRUE(weir.local().wait_for_requests(1));
  const auto left = steady_clock::now();
  reset ? client.reset() : client.leave();
  ASSERT_TRUE(weir.local().wait_for_close(0));
  EXPECT_LT(weir.local().connection_of(0).closed - left, kOneSecond);

  const Reply second = ask(weir.port(), short_chat());
  EXPECT_EQ(second.status, 200);
  EXPECT_EQ(weir.local().request_count(), 2U);
  EXPECT_EQ(weir.cloud().request_count(), 0U);
  EXPECT_TRUE(weir.wait_for_log("end=\"client closed\"")) << weir.log_text();
}

TEST(FieldCases, S02_ClientLeavesDuringPrefillOfAStream) {
  client_leaves_during_prefill(true, false);
}
TEST(FieldCases, S02_ClientResetsDuringPrefillOfAStream) {
  client_leaves_during_prefill(true, true);
}
TEST(FieldCases, S02_ClientLeavesDuringPrefill) {
  client_leaves_during_prefill(false, false);
}
TEST(FieldCases, S02_ClientResetsDuringPrefill) {
  client_leaves_during_prefill(false, true);
}

TEST(FieldCases, S02_ClientLeavesAfterTheHeadOfASilentStream) {
  Weir weir;
  weir.local().next([](Talk& talk) {
    talk.start_stream();
    talk.wait_for_close();
  });
  RawClient client = weir.client();
  client.send(post(short_chat(kStream)));
  ASSERT_TRUE(weir.local().wait_for_requests(1));
  const auto left = steady_clock::now();
  client.leave();
  ASSERT_TRUE(weir.local().wait_for_close(0));
  EXPECT_LT(weir.local().connection_of(0).closed - left, kOneSecond);
  EXPECT_EQ(weir.cloud().request_count(), 0U);
}

TEST(FieldCases, S02_WhatALeavingClientSentAheadIsNotServed) {
  Weir weir;
  weir.local().next([](Talk& talk) {
    talk.start_stream();
    talk.chunk(event("one"));
    talk.wait_for_close();
  });
  RawClient client = weir.client();
  client.send(post(short_chat(kStream)) + post(short_chat()));
  ASSERT_TRUE(client.read_until(event("one")));
  client.half_close();
  EXPECT_NE(client.wait_for_close(), Got::kTimeout);
  ASSERT_TRUE(weir.wait_for_log("end=\"client closed\""));
  weir.end();
  EXPECT_EQ(weir.local().request_count(), 1U);
}

// S-03: two events, a cut one, and the end of the connection.
constexpr std::string_view kCutEvent = R"(data: {"choices":[{"delta":{"con)";

Reply upstream_breaks(Weir& weir, ScriptedUpstream& upstream, std::string_view body, bool reset) {
  const auto gate = std::make_shared<Gate>();  // the script may outlive this function
  upstream.next([gate, reset](Talk& talk) {
    talk.start_stream();
    talk.chunk(event("one"));
    talk.chunk(event("two"));
    talk.chunk(kCutEvent);
    talk.wait(*gate);  // a reset throws away what was not read yet
    reset ? talk.reset() : talk.close();
  });
  RawClient client = weir.client();
  client.send(post(body));
  EXPECT_TRUE(client.read_until(kCutEvent));
  gate->open();
  return client.read_reply();
}

void expect_broken_end(const Reply& reply) {
  EXPECT_EQ(reply.status, 200);
  EXPECT_FALSE(reply.is_whole);  // no closing chunk
  EXPECT_EQ(reply.body.find("[DONE]"), std::string::npos);
  const std::string whole = event("one") + event("two");
  ASSERT_TRUE(reply.body.starts_with(whole)) << reply.body;
  const std::string last_words = std::string(kCutEvent) + "\n\ndata: {\"error\":{";
  ASSERT_TRUE(reply.body.substr(whole.size()).starts_with(last_words)) << reply.body;
  EXPECT_TRUE(reply.body.ends_with("}}\n\n"));
}

TEST(FieldCases, S03_UpstreamResetsInTheMiddle) {
  Weir weir;
  expect_broken_end(upstream_breaks(weir, weir.local(), short_chat(kStream), true));
  EXPECT_EQ(weir.cloud().request_count(), 0U);
  EXPECT_TRUE(weir.wait_for_log("cause=\"the upstream reset the connection\"")) << weir.log_text();
}

TEST(FieldCases, S03_UpstreamClosesInTheMiddle) {
  Weir weir;
  expect_broken_end(upstream_breaks(weir, weir.local(), short_chat(kStream), false));
  EXPECT_EQ(weir.cloud().request_count(), 0U);
  EXPECT_TRUE(weir.wait_for_log("cause=\"the upstream closed the connection in the middle"));
  EXPECT_EQ(ask(weir.port(), short_chat()).status, 200);
}

TEST(FieldCases, S03_CloudBreaksInTheMiddle) {
  Weir weir;
  expect_broken_end(upstream_breaks(weir, weir.cloud(), long_chat(kStream), true));
  EXPECT_EQ(weir.local().request_count(), 0U);
}

TEST(FieldCases, S03_PlainAnswerThatIsCutStaysCut) {
  Weir weir;
  weir.cloud().next([](Talk& talk) {
    talk.send("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n{\"half\":");
    talk.close();
  });
  RawClient client = weir.client();
  client.send(post(long_chat()));
  const Reply reply = client.read_reply();
  EXPECT_EQ(reply.status, 200);
  EXPECT_FALSE(reply.is_whole);
  EXPECT_EQ(reply.body, "{\"half\":");
}

constexpr std::string_view kRefusalEvent =
    R"x(data: {"error":{"code":400,"message":"request (1210 tokens) exceeds the available context size (1024 tokens)","type":"exceed_context_size_error","n_prompt_tokens":1210,"n_ctx":1024}})x"
    "\n\n";

TEST(FieldCases, S04_RefusalAsTheFirstEventFallsBack) {
  Weir weir;
  weir.local().next(streams(std::string(kRefusalEvent)));
  const std::string answer = event("yes") + std::string(kDone);
  weir.cloud().next(streams(answer));
  const Reply reply = ask(weir.port(), short_chat(kStream));
  EXPECT_EQ(reply.status, 200);
  EXPECT_TRUE(reply.is_whole);
  EXPECT_EQ(reply.body, answer);
  EXPECT_EQ(header_of(reply, "X-Weir-Route"), "provider.cloud");
  EXPECT_EQ(header_of(reply, "X-Weir-Reason"), "fallback_context");
}

TEST(FieldCases, S04_CommentsBeforeTheRefusalDoNotCount) {
  Weir weir;
  weir.local().next(streams(": ping\n\n" + std::string(kRefusalEvent)));
  weir.cloud().next(streams(event("yes")));
  EXPECT_EQ(ask(weir.port(), short_chat(kStream)).body, event("yes"));
}

TEST(FieldCases, S04_AnotherErrorAsTheFirstEventPasses) {
  Weir weir;
  const std::string other = "data: {\"error\":{\"code\":400,\"message\":\"bad grammar\"}}\n\n";
  weir.local().next(streams(other));
  EXPECT_EQ(ask(weir.port(), short_chat(kStream)).body, other);
  EXPECT_EQ(weir.cloud().request_count(), 0U);
}

TEST(FieldCases, S04_NoFallbackOnceContentHasGoneOut) {
  Weir weir;
  const std::string bytes = event("first") + std::string(kRefusalEvent);
  weir.local().next(streams(bytes));
  EXPECT_EQ(ask(weir.port(), short_chat(kStream)).body, bytes);
  EXPECT_EQ(weir.cloud().request_count(), 0U);
}

TEST(FieldCases, S05_CommentsPassUnchangedAndAtOnce) {
  const std::vector<std::string> pieces{": warming up\n\n", ": still here\n\n", "retry: 500\n\n",
                                        "id: 7\n" + event("a"), event("b")};
  std::vector<Gate> gates(pieces.size());
  Weir weir;
  weir.cloud().next([&](Talk& talk) {
    talk.start_stream();
    for (std::size_t i = 0; i < pieces.size(); ++i) {
      talk.chunk(pieces[i]);
      talk.wait(gates[i]);
    }
    talk.end_stream();
  });
  RawClient client = weir.client();
  client.send(post(long_chat(kStream)));
  std::string all;
  for (std::size_t i = 0; i < pieces.size(); ++i) {
    ASSERT_TRUE(client.read_until(pieces[i])) << i;
    gates[i].open();
    all += pieces[i];
  }
  EXPECT_EQ(client.read_reply().body, all);
}

TEST(FieldCases, S05_PingsOfALongPrefillAreReleasedAfterTheHold) {
  Gate gate;
  Weir weir([](config::Config& config) { config.routing.hold = config::Seconds(0.05); });
  weir.local().next([&](Talk& talk) {
    talk.start_stream();
    talk.chunk(": ping\n\n");
    talk.wait(gate);
    talk.chunk(event("late"));
    talk.end_stream();
  });
  RawClient client = weir.client();
  client.send(post(short_chat(kStream)));
  ASSERT_TRUE(client.read_until(": ping\n\n"));
  gate.open();
  EXPECT_EQ(client.read_reply().body, ": ping\n\n" + event("late"));
}

TEST(FieldCases, S06_UsageAndDoneAndAnEarlyGoodbye) {
  Weir weir;
  const std::string last =
      R"(data: {"id":"u1","choices":[],"usage":{"prompt_tokens":5,"completion_tokens":1,"total_tokens":6}})"
      "\n\n" +
      std::string(kDone);
  weir.local().next([&](Talk& talk) {
    talk.start_stream();
    talk.chunk(event("hi"));
    talk.chunk(last);
    talk.wait_for_close();  // the closing chunk never comes
  });
  RawClient client = weir.client();
  client.send(post(short_chat(kStream)));
  ASSERT_TRUE(client.read_until(last));
  client.leave();
  ASSERT_TRUE(weir.wait_for_log("usage_prompt_tokens=5"));
  EXPECT_NE(weir.log_text().find("status=200"), std::string::npos) << weir.log_text();
  EXPECT_EQ(weir.log_text().find("client closed"), std::string::npos);
  for (int i = 0; i < 50; ++i) {
    ASSERT_EQ(ask(weir.port(), short_chat()).status, 200);
  }
  EXPECT_EQ(weir.local().request(0).body.find("stream_options"), std::string::npos);
}

TEST(FieldCases, S07_OneEventOfThreeMegabytes) {
  Weir weir;
  std::string huge =
      R"(data: {"choices":[{"delta":{"tool_calls":[{"index":0,"function":{"arguments":")";
  huge.append(3 << 20, 'a').append("\"}}]}}]}\n\n");
  const std::string rest = event("after") + std::string(kDone);
  weir.local().next([&](Talk& talk) {
    talk.start_stream();
    for (std::size_t at = 0; at < huge.size(); at += 16384) {
      talk.chunk(std::string_view(huge).substr(at, 16384));
    }
    talk.chunk(rest);
    talk.end_stream();
  });
  const Reply reply = ask(weir.port(), short_chat(kStream));
  EXPECT_TRUE(reply.is_whole);
  EXPECT_TRUE(reply.body == huge + rest);
}

TEST(FieldCases, S08_CharactersCutInTwo) {
  Weir weir;
  const std::string whole = event("\xF0\x9F\xA6\x8A\xC3\xA9\xE5\xA5\xBD");
  const std::string lone = event("\xC3");
  weir.local().next([&](Talk& talk) {
    talk.send("HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nConnection: close\r\n\r\n");
    talk.send_bytewise(whole);
    talk.send(lone);
    talk.close();
  });
  EXPECT_EQ(ask(weir.port(), short_chat(kStream)).body, whole + lone);
  EXPECT_EQ(ask(weir.port(), short_chat()).status, 200);
}

TEST(FieldCases, S09_ThinkingAndUnknownFieldsPass) {
  Weir weir;
  std::string bytes;
  for (const char* field : {R"("reasoning_content":"a")", R"("reasoning":"b")",
                            R"("reasoning_details":[{"text":"c"}])", R"("x_unknown":[1e2,null])"}) {
    bytes.append(R"(data: {"choices":[{"delta":{)").append(field).append("}}]}\n\n");
  }
  bytes += "data: {\"choices\":[],\"timings\":{\"prompt_n\":1},\"prompt_progress\":{}}\n\n";
  bytes += event("text");
  weir.local().next(streams(bytes));
  EXPECT_EQ(ask(weir.port(), short_chat(kStream)).body, bytes);
}

TEST(FieldCases, S10_WovenToolCallsPass) {
  Weir weir;
  std::string bytes;
  const auto delta = [&](const std::string& call) {
    bytes += R"(data: {"choices":[{"delta":{"tool_calls":[{)" + call + "}]}}]}\n\n";
  };
  delta(R"("index":0,"id":"c0","function":{"name":"add"})");
  delta(R"("index":1,"id":"c1","function":{"name":"now"})");
  delta(R"("index":0,"function":{"arguments":"{\"a\""})");
  delta(R"("index":1,"function":{"arguments":"{"})");
  delta(R"("index":0,"function":{"arguments":":1}"})");
  delta(R"("function":{"arguments":"}"})");
  weir.local().next(streams(bytes));
  EXPECT_EQ(ask(weir.port(), short_chat(kStream)).body, bytes);
}

}  // namespace
}  // namespace weir::flow
