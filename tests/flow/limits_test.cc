// Field cases S-42 to S-50: bodies of every kind, limits, and many connections at once.

#include <gtest/gtest.h>

#include <chrono>
#include <filesystem>

#include "http_text.h"
#include "weir/os/wait.h"
#include "weir_fixture.h"

namespace weir::flow {
namespace {

using fakes::Ending;
using fakes::Gate;
using fakes::Got;

constexpr std::uint64_t kBodyBytesMax = 65536;

void small_bodies(config::Config& config) {
  config.server.body_bytes_max = kBodyBytesMax;
}

std::string chunked(std::string_view body, std::size_t chunk_bytes, std::string_view extension = "",
                    std::string_view trailers = "") {
  std::string text;
  for (std::size_t at = 0; at < body.size(); at += chunk_bytes) {
    const std::string_view piece = body.substr(at, chunk_bytes);
    char size[20];
    std::snprintf(size, sizeof size, "%zX", piece.size());
    text.append(size).append(extension).append("\r\n").append(piece).append("\r\n");
  }
  return text.append("0\r\n").append(trailers).append("\r\n");
}

std::string chunked_head(std::string_view header_lines = "") {
  return "POST /v1/chat/completions HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n" +
         std::string(header_lines) + "\r\n";
}

// A good chat request of exactly `bytes`.
std::string body_of(std::size_t bytes) {
  std::string body = R"({"model":"Qwen3.6-35B","messages":[],"x":")";
  body.append(bytes - body.size() - 2, 'x');
  return body.append("\"}");
}

TEST(FieldCases, S42_AChunkedBodyGoesOnWithItsLength) {
  Weir weir;
  const std::string body = body_of(500);
  RawClient client = weir.client();
  client.send(chunked_head() + chunked(body, 7, ";x=1", "X-Trailer: 1\r\n"));
  EXPECT_EQ(client.read_reply().status, 200);
  const fakes::Received request = weir.local().request(0);
  EXPECT_EQ(request.body, body);
  EXPECT_EQ(fakes::header_value(request.head, "Content-Length"), "500");
  EXPECT_EQ(fakes::header_value(request.head, "Transfer-Encoding"), "");
  client.send(post(short_chat()));  // the connection is in step
  EXPECT_EQ(client.read_reply().status, 200);
}

TEST(FieldCases, S42_BrokenChunkMarksAre400) {
  Weir weir;
  for (const char* marks :
       {"zz\r\n{}\r\n0\r\n\r\n", "-2\r\n{}\r\n0\r\n\r\n", "2\r\n{}X\r\n0\r\n\r\n",
        "11111111111111111\r\n", "0x2\r\n{}\r\n0\r\n\r\n", "\r\n"}) {
    RawClient client = weir.client();
    client.send(chunked_head() + marks);
    const Reply reply = client.read_reply();
    EXPECT_EQ(reply.status, 400) << marks;
    EXPECT_EQ(header_of(reply, "X-Weir-Error"), "bad_request");
    EXPECT_NE(client.wait_for_close(), Got::kTimeout);
  }
  EXPECT_EQ(weir.local().request_count(), 0U);
}

std::string trailers_without_end() {
  std::string trailers;
  for (int i = 0; i < 1000; ++i) {
    trailers += "X-Trailer: 1\r\n";
  }
  return trailers;
}

TEST(Limits, TrailersOfARequest) {
  Weir weir;
  RawClient client = weir.client();
  client.send(chunked_head() + chunked(short_chat(), 100, "", trailers_without_end()));
  EXPECT_EQ(client.read_reply().status, 400);
  EXPECT_EQ(weir.local().request_count(), 0U);
}

TEST(Limits, TrailersOfAnAnswer) {
  Weir weir;
  weir.local().next([](Talk& talk) {
    talk.start_stream();
    talk.chunk(event("a"));
    talk.send("0\r\n" + trailers_without_end() + "\r\n");
    talk.wait_for_close();
  });
  const Reply reply = ask(weir.port(), short_chat(kStream));
  EXPECT_FALSE(reply.is_whole);
  EXPECT_TRUE(reply.body.starts_with(event("a") + "data: {\"error\":{")) << reply.body;
}

TEST(FieldCases, S42_ABodyThatStopsHalfWayIs408) {
  Weir weir([](config::Config& config) { config.server.body_timeout = config::Seconds(0.2); });
  for (const std::string& half : {chunked_head() + "5\r\nab", post(short_chat()).substr(0, 150)}) {
    RawClient client = weir.client();
    client.send(half);
    const Reply reply = client.read_reply();
    EXPECT_EQ(reply.status, 408);
    EXPECT_EQ(header_of(reply, "X-Weir-Error"), "request_timeout");
    EXPECT_NE(client.wait_for_close(), Got::kTimeout);
  }
}

TEST(FieldCases, S43_ExpectIsAnsweredAndNotPassedOn) {
  Weir weir;
  const std::string body = body_of(20480);
  RawClient client = weir.client();
  client.send(
      "POST /v1/chat/completions HTTP/1.1\r\nHost: localhost\r\nExpect: 100-continue\r\n"
      "Content-Length: 20480\r\n\r\n");
  ASSERT_TRUE(client.read_until("HTTP/1.1 100 Continue\r\n\r\n"));
  client.send(body);
  ASSERT_TRUE(client.read_until("HTTP/1.1 200"));
  EXPECT_EQ(weir.local().request(0).body, body);
  EXPECT_EQ(fakes::header_value(weir.local().request(0).head, "Expect"), "");
}

TEST(FieldCases, S43_ARefusalComesInPlaceOf100) {
  Weir weir([](config::Config& config) {
    small_bodies(config);
    config.server.keys = {{"one", base::Secret(std::string(kClientKey))}};
  });
  const auto refused = [&](std::string_view length, std::string_view key) {
    RawClient client = weir.client();
    client.send(
        "POST /v1/chat/completions HTTP/1.1\r\nHost: localhost\r\n"
        "Expect: 100-continue\r\nContent-Length: " +
        std::string(length) + "\r\nX-Api-Key: " + std::string(key) + "\r\n\r\n");
    const Reply reply = client.read_reply();
    EXPECT_EQ(header_of(reply, "Connection"), "close");
    return reply.status;
  };
  EXPECT_EQ(refused("20480", "wrong-key"), 401);
  EXPECT_EQ(refused("1000000", kClientKey), 413);
}

TEST(FieldCases, S43_TheCloudGetsALargeBodyInOneGo) {
  Weir weir;
  std::string body = body_of(300 << 10);
  EXPECT_EQ(ask(weir.port(), body, "X-Weir-Route: cloud\r\n").status, 200);
  body.replace(body.find("Qwen3.6-35B"), 11, "vendor/long-model");  // for the local model's name
  EXPECT_TRUE(weir.cloud().request(0).body == body);
  EXPECT_EQ(fakes::header_value(weir.cloud().request(0).head, "Expect"), "");
}

TEST(FieldCases, S44_BigBodiesPass) {
  Weir weir;
  for (const std::size_t bytes : {std::size_t{1258291}, std::size_t{25} << 20}) {
    const std::string body = body_of(bytes);
    EXPECT_EQ(ask(weir.port(), body).status, 200);
    const std::string got = weir.local().requests().back().body;
    EXPECT_TRUE(got == body) << got.size();
  }
}

TEST(FieldCases, S44_ABodyOfExactlyTheLimitPasses) {
  Weir weir(small_bodies);
  EXPECT_EQ(ask(weir.port(), body_of(kBodyBytesMax)).status, 200);
  RawClient client = weir.client();
  client.send(chunked_head() + chunked(body_of(kBodyBytesMax), 1000));
  EXPECT_EQ(client.read_reply().status, 200);
  EXPECT_EQ(weir.local().request_count(), 2U);
}

void expect_too_large(const Reply& reply) {
  EXPECT_EQ(reply.status, 413);
  EXPECT_EQ(header_of(reply, "X-Weir-Error"), "body_too_large");
  EXPECT_NE(reply.body.find("65536"), std::string::npos) << reply.body;
  EXPECT_TRUE(reply.is_whole);
}

TEST(FieldCases, S44_OneByteOverTheLimitIs413) {
  Weir weir(small_bodies);
  RawClient client = weir.client();
  client.send(
      "POST /v1/chat/completions HTTP/1.1\r\nHost: localhost\r\nContent-Length: 65537\r\n\r\n");
  expect_too_large(client.read_reply());  // before a byte of the body is there
  EXPECT_EQ(client.wait_for_close(), Got::kFin);
  expect_too_large(ask(weir.port(), body_of(kBodyBytesMax + 1)));
  RawClient chunks = weir.client();
  chunks.send(chunked_head() + chunked(body_of(kBodyBytesMax + 1), 1000));
  expect_too_large(chunks.read_reply());
  EXPECT_EQ(weir.local().request_count(), 0U);
}

TEST(FieldCases, S44_AClientThatSendsOnSeesThe413) {
  Weir weir(small_bodies);
  RawClient client = weir.client();
  const std::string body = body_of(900000);
  client.send(post(body));
  expect_too_large(client.read_reply());
}

TEST(FieldCases, S45_TheContentTypeOfARequestDoesNotMatter) {
  Weir weir;
  for (const std::string& type :
       {std::string(), std::string("Content-Type: application/x-www-form-urlencoded\r\n"),
        std::string("Content-Type: text/plain\r\n"),
        std::string("Content-Type: application/json; charset=utf-8\r\n")}) {
    for (const std::size_t filler : {100, 20000}) {
      const std::string body = R"({"model":"Qwen3.6-35B","messages":[],"x":"a=1&b=%7B)" +
                               std::string(filler, '+') + "\"}";
      RawClient client = weir.client();
      client.send(request_text("POST /v1/chat/completions", type, body));
      EXPECT_EQ(client.read_reply().status, 200) << type;
      const fakes::Received request = weir.local().requests().back();
      EXPECT_EQ(request.body, body);
      EXPECT_EQ(fakes::header_value(request.head, "Content-Type"), "application/json");
    }
  }
}

TEST(FieldCases, S46_BracketsAllTheWayDown) {
  Gate gate;
  Weir weir;
  weir.local().next([&](Talk& talk) {
    talk.start_stream();
    talk.chunk(event("a"));
    talk.wait(gate);
    talk.chunk(event("b"));
    talk.end_stream();
  });
  RawClient running = weir.client();
  running.send(post(short_chat(kStream)));
  ASSERT_TRUE(running.read_until(event("a")));
  constexpr std::size_t kDeep = 100000;
  std::string objects;
  for (std::size_t i = 0; i < kDeep; ++i) {
    objects += "{\"a\":";
  }
  const std::string open(kDeep, '[');
  const std::string close(kDeep, ']');
  const std::string messages = R"({"messages":[],"x":)";
  for (const std::string& body :
       {messages + open + close + "}", messages + open, messages + objects,
        messages + objects + "1" + std::string(kDeep, '}') + "}",
        R"({"messages":[{"role":"user","content":)" + open + close + "}]}",
        R"({"messages":[],"tools":)" + open + close + "}", open + close}) {
    const Reply reply = ask(weir.port(), body);
    EXPECT_EQ(reply.status, 400);
    EXPECT_EQ(header_of(reply, "X-Weir-Error"), "bad_json");
  }
  gate.open();
  EXPECT_EQ(running.read_reply().body, event("a") + event("b"));
}

TEST(FieldCases, S47_HalfSurrogatesPassAsTheyAre) {
  Weir weir;
  for (const char* text : {"cut \\ud83d", "\\udc00", "\\ud83d\\ud83d x", "\\u0000"}) {
    const std::string body = R"({"model":"Qwen3.6-35B","messages":[{"role":"user","content":")" +
                             std::string(text) + R"("}],"k\ud83d":1})";
    const Reply reply = ask(weir.port(), body);
    EXPECT_EQ(reply.status, 200) << text;
    EXPECT_EQ(weir.local().requests().back().body, body);
  }
}

TEST(FieldCases, S47_RawInvalidUtf8IsAClean400) {
  Weir weir;
  for (const char* bytes : {"\xFF", "\xC3", "\xED\xA0\xBD", "\xC0\xAF", "\xF8\x88\x80\x80\x80"}) {
    const Reply reply = ask(weir.port(), chat_body(bytes));
    EXPECT_EQ(reply.status, 400);
    EXPECT_EQ(header_of(reply, "X-Weir-Error"), "bad_json");
    EXPECT_TRUE(std::all_of(reply.body.begin(), reply.body.end(), [](char c) { return c > 0; }));
  }
  EXPECT_EQ(ask(weir.port(), short_chat()).status, 200);
}

TEST(FieldCases, S48_PackedAnswersPassWithTheirHeader) {
  Gate gate;
  Weir weir;
  const std::string packed("\x1F\x8B\x08\x00\x00\x00\x00\x00\x00\x03\xAB\xAE\x05\x00", 14);
  const std::string gzip = "Content-Encoding: gzip\r\n";
  weir.cloud().next(answers(200, packed, gzip));
  const Reply plain = ask(weir.port(), long_chat(), "Accept-Encoding: gzip\r\n");
  EXPECT_EQ(plain.body, packed);
  EXPECT_EQ(header_of(plain, "Content-Encoding"), "gzip");
  EXPECT_EQ(header_of(plain, "Content-Length"), "14");
  weir.cloud().next([&](Talk& talk) {
    talk.start_stream(gzip);
    talk.chunk(packed);
    talk.wait(gate);
    talk.chunk(packed);
    talk.end_stream();
  });
  RawClient client = weir.client();
  client.send(post(long_chat(kStream)));
  ASSERT_TRUE(client.read_until(packed));
  gate.open();
  EXPECT_EQ(client.read_reply().body, packed + packed);
  EXPECT_EQ(fakes::header_value(weir.cloud().request(0).head, "Accept-Encoding"), "identity");
}

std::size_t open_descriptors() {
  const std::filesystem::directory_iterator all("/proc/self/fd");
  return static_cast<std::size_t>(std::distance(begin(all), end(all)));
}

TEST(FieldCases, S49_ReadersThatVanishLeaveNothingBehind) {
  constexpr int kClients = 200;
  Gate gate;
  Weir weir;
  weir.local().next([&](Talk& talk) {
    talk.start_stream();
    talk.chunk(event("a"));
    talk.wait(gate);
    talk.chunk(event("b"));
    talk.end_stream();
  });
  RawClient running = weir.client();
  running.send(post(short_chat(kStream)));
  ASSERT_TRUE(running.read_until(event("a")));
  weir.local().always([](Talk& talk) {
    talk.start_stream();
    while (talk.chunk(event("x")) && talk.pause(std::chrono::milliseconds(1))) {
    }
  });
  const std::size_t before = open_descriptors();
  std::vector<RawClient> clients;
  for (int i = 0; i < kClients; ++i) {
    clients.push_back(weir.client());
    clients.back().send(post(short_chat(kStream)));
  }
  for (RawClient& client : clients) {
    EXPECT_TRUE(client.read_until(event("x")));
    client.reset();
  }
  EXPECT_TRUE(weir.wait_for_log("end=\"client closed\"", kClients));
  for (std::size_t i = 1; i <= kClients; ++i) {
    EXPECT_TRUE(weir.local().wait_for_close(i));
  }
  gate.open();
  EXPECT_EQ(running.read_reply().body, event("a") + event("b"));
  running.leave();
  const auto deadline = fakes::patience();
  while (open_descriptors() > before && std::chrono::steady_clock::now() < deadline) {
    os::wait_for(os::kNoSocket, os::Interest::kNothing,
                 std::chrono::steady_clock::now() + std::chrono::milliseconds(5), {});
  }
  EXPECT_LE(open_descriptors(), before);
}

TEST(FieldCases, S49_ACloudThatClosesWhileItIsWrittenTo) {
  Weir weir;
  weir.cloud().next_connection([](Talk& talk) { talk.reset(); });  // during the TLS handshake
  EXPECT_EQ(ask(weir.port(), long_chat()).status, 502);
  const std::string large = body_of(5 << 20);
  for (const bool reset : {false, true}) {
    weir.cloud().next_unread([reset](Talk& talk) {
      talk.read_bytes(1000);
      reset ? talk.reset() : talk.close();
    });
    const Reply reply = ask(weir.port(), large, "X-Weir-Route: cloud\r\n");
    EXPECT_EQ(reply.status, 502);
    EXPECT_EQ(header_of(reply, "X-Weir-Error"), "upstream_unreachable");
  }
  EXPECT_EQ(ask(weir.port(), long_chat()).status, 200);
}

TEST(FieldCases, S49_AnAnswerBeforeTheBodyWasReadPasses) {
  Weir weir({}, {.cloud_is_plain = true});
  weir.cloud().next_unread([](Talk& talk) {
    talk.read_bytes(1000);
    talk.answer(413, R"({"error":"too large for us"})", "Connection: close\r\n");
    talk.half_close();
    talk.read_bytes(std::size_t{6} << 20);
    talk.close();
  });
  const Reply reply = ask(weir.port(), body_of(5 << 20), "X-Weir-Route: cloud\r\n");
  EXPECT_EQ(reply.status, 413);
  EXPECT_EQ(reply.body, R"({"error":"too large for us"})");
}

TEST(FieldCases, S50_HealthAnswersBesideManyStreams) {
  constexpr int kStreams = 64;
  constexpr int kIdle = 100;
  Gate gate;
  Weir weir;
  weir.local().always([&](Talk& talk) {
    talk.start_stream();
    talk.chunk(event("a"));
    talk.wait(gate);
    talk.end_stream();
  });
  std::vector<RawClient> streams;
  for (int i = 0; i < kStreams; ++i) {
    streams.push_back(weir.client());
    streams.back().send(post(short_chat(kStream)));
  }
  for (RawClient& client : streams) {
    ASSERT_TRUE(client.read_until(event("a")));
  }
  std::vector<RawClient> idle;
  for (int i = 0; i < kIdle; ++i) {
    idle.push_back(weir.client());
    idle.back().send(request_text("GET /health", "", ""));
    ASSERT_EQ(idle.back().read_reply("GET").status, 200);
  }
  for (const char* path : {"/health", "/v1/models", "/weir/status"}) {
    RawClient client = weir.client();
    client.send(request_text("GET " + std::string(path), "", ""));
    EXPECT_EQ(client.read_reply("GET").status, 200) << path;
  }
  EXPECT_EQ(ask(weir.port(), long_chat()).status, 200);
  gate.open();
  for (RawClient& client : streams) {
    EXPECT_TRUE(client.read_reply().is_whole);
  }
  for (RawClient& client : idle) {  // still usable
    client.send(request_text("GET /health", "", ""));
    EXPECT_EQ(client.read_reply("GET").status, 200);
  }
}

TEST(FieldCases, S50_ConnectionsThatSendNothingHoldUpNobody) {
  Weir weir;
  std::vector<RawClient> silent;
  for (int i = 0; i < 500; ++i) {
    silent.push_back(weir.client());
    ASSERT_TRUE(silent.back().is_connected());
  }
  EXPECT_EQ(ask(weir.port(), short_chat()).status, 200);
}

TEST(FieldCases, S50_OneConnectionTooManyIsToldSo) {
  Gate gate;
  Weir weir([](config::Config& config) { config.server.connections_max = 2; });
  weir.local().always([&](Talk& talk) {
    talk.start_stream();
    talk.chunk(event("a"));
    talk.wait(gate);
    talk.end_stream();
  });
  std::vector<RawClient> streams;
  for (int i = 0; i < 2; ++i) {
    streams.push_back(weir.client());
    streams.back().send(post(short_chat(kStream)));
    ASSERT_TRUE(streams.back().read_until(event("a")));
  }
  const Reply reply = ask(weir.port(), short_chat());
  EXPECT_EQ(reply.status, 503);
  EXPECT_EQ(header_of(reply, "X-Weir-Error"), "overloaded");
  EXPECT_NE(header_of(reply, "Retry-After"), "");
  gate.open();
  for (RawClient& client : streams) {
    EXPECT_TRUE(client.read_reply().is_whole);
  }
  // Idle ones give way, once their workers have let go of them.
  const auto deadline = fakes::patience();
  int status = 503;
  while (status == 503 && std::chrono::steady_clock::now() < deadline) {
    status = ask(weir.port(), short_chat(kStream)).status;
  }
  EXPECT_EQ(status, 200);
}

TEST(Limits, AReaderThatDoesNotReadIsLeftAfterTheSendTimeout) {
  Weir weir([](config::Config& config) { config.server.send_timeout = config::Seconds(0.3); });
  weir.local().next([](Talk& talk) {
    talk.start_stream();
    const std::string block(1 << 20, 'x');
    while (talk.chunk(block)) {
    }
  });
  RawClient client = weir.client();
  client.send(post(short_chat(kStream)));
  EXPECT_TRUE(weir.local().wait_for_close(0));
}

TEST(Limits, AHeadThatDoesNotComeIs408) {
  Weir weir([](config::Config& config) { config.server.header_timeout = config::Seconds(0.2); });
  RawClient client = weir.client();
  client.send("POST /v1/chat/completions HTTP/1.1\r\nHost: loc");
  EXPECT_EQ(client.read_reply().status, 408);
  EXPECT_NE(client.wait_for_close(), Got::kTimeout);
}

TEST(Limits, FewerOpenFilesThanConnectionsNeedAreSaid) {
  Weir weir([](config::Config& config) { config.server.connections_max = 4000000000; });
  EXPECT_TRUE(weir.wait_for_log("fewer open files"));
  Weir modest([](config::Config& config) { config.server.connections_max = 1; });
  EXPECT_TRUE(modest.wait_for_log("weir listens"));
  EXPECT_EQ(modest.log_text().find("fewer open files"), std::string::npos);
}

}  // namespace
}  // namespace weir::flow
