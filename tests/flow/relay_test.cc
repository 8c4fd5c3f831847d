// The same request straight to an upstream and through weir: status, headers and body are compared
// byte for byte, and so is what the upstream saw.

#include <gtest/gtest.h>

#include <algorithm>

#include "http_text.h"
#include "weir/base/text.h"
#include "weir_fixture.h"

namespace weir::flow {
namespace {

using fakes::Gate;

constexpr std::string_view kEvents =
    "data: {\"a\":1}\n\n: ping\n\ndata: \xE4\xBD\xA0\r\n\r\ndata: [DONE]\n\n";

// How an upstream can frame the same body.
enum class Framing { kLength, kChunked, kTinyChunks, kUntilClose, kHttp10 };

fakes::Script answer_in(Framing framing, std::string type, std::string body) {
  return [=](Talk& talk) {
    const std::string fields = "Content-Type: " + type + "\r\nx-own: a%2Fb%20c\r\n";
    switch (framing) {
      case Framing::kLength:
        talk.answer(200, body, fields);
        return;
      case Framing::kChunked:
        talk.send("HTTP/1.1 200 OK\r\n" + fields + "Transfer-Encoding: chunked\r\n\r\n");
        talk.chunk(body);
        talk.end_stream();
        return;
      case Framing::kTinyChunks:
        talk.send("HTTP/1.1 200 OK\r\n" + fields + "Transfer-Encoding: chunked\r\n\r\n");
        for (const char c : body) {
          talk.send(std::string("1;ext=\"v\"\r\n") + c + "\r\n");
        }
        talk.send("0\r\nX-Trailer: gone\r\n\r\n");
        return;
      case Framing::kUntilClose:
        talk.send("HTTP/1.1 200 OK\r\n" + fields + "Connection: close\r\n\r\n");
        talk.send_bytewise(body);
        talk.close();
        return;
      case Framing::kHttp10:
        talk.send("HTTP/1.0 200 OK\r\n" + fields + "\r\n" + body);
        talk.close();
        return;
    }
  };
}

class Framed : public testing::TestWithParam<std::tuple<Framing, bool, bool>> {};

TEST_P(Framed, BodyIsTheSameStraightAndThrough) {
  const auto [framing, stream, to_cloud] = GetParam();
  Weir weir({}, {.cloud_is_plain = true});
  ScriptedUpstream& upstream = to_cloud ? weir.cloud() : weir.local();
  const std::string body = stream ? std::string(kEvents) : "{\"text\":\"\xC3\xA9\\u0000\"}\n";
  upstream.always(
      answer_in(framing, stream ? "text/event-stream; charset=utf-8" : "application/json", body));
  const std::string request = to_cloud ? long_chat() : short_chat();
  const Reply straight = ask(upstream.port(), request);
  const Reply through = ask(weir.port(), request);
  EXPECT_EQ(straight.body, body);
  EXPECT_EQ(through.body, straight.body);
  EXPECT_TRUE(through.is_whole);
  EXPECT_EQ(header_of(through, "Content-Type"), header_of(straight, "Content-Type"));
  EXPECT_EQ(header_of(through, "x-own"), "a%2Fb%20c");
  EXPECT_EQ(header_of(through, "Content-Length"), header_of(straight, "Content-Length"));
  EXPECT_EQ(header_of(through, "X-Trailer"), "");
  EXPECT_EQ(header_of(through, "X-Weir-Reason"), to_cloud ? "long" : "short");
}

INSTANTIATE_TEST_SUITE_P(Relay, Framed,
                         testing::Combine(testing::Values(Framing::kLength, Framing::kChunked,
                                                          Framing::kTinyChunks,
                                                          Framing::kUntilClose, Framing::kHttp10),
                                          testing::Bool(), testing::Bool()));

bool is_ours(const std::string& line) {
  return base::starts_with_ignoring_case(line, "X-Weir-") ||
         base::starts_with_ignoring_case(line, "X-Request-Id:");
}

TEST(Relay, ResponseHeaderLinesPassInOrderAndUndecoded) {
  Weir weir;
  const std::string kept =
      "Server: llama.cpp\r\n"
      "set-cookie: a=1; Path=/\r\n"
      "X-Percent: %0d%0aX-Evil: 1 %zz%\r\n"
      "set-cookie: b=2\r\n"
      "X-Empty:\r\n"
      "X-Blank:   \r\n"
      "x-LATIN: caf\xE9 \xE4\xBD\xA0\r\n"
      "X-Colon: a:b: c\r\n"
      "Date: Tue, 01 Dec 2026 00:00:00 GMT\r\n"
      "Content-Type: application/json\r\n";
  const std::string dropped =
      "Connection: keep-alive, X-Hop\r\nKeep-Alive: timeout=5\r\nX-Hop: 1\r\n"
      "Proxy-Authenticate: Basic\r\nX-Weir-Route: forged\r\n";
  weir.local().always(answers(200, "{}", dropped + kept));
  const Reply reply = ask(weir.port(), short_chat());
  std::vector<std::string> lines = fakes::all_header_lines(reply.head);
  EXPECT_EQ(fakes::header_lines(reply.head, "X-Weir-Route"),
            std::vector<std::string>{"X-Weir-Route: local.llamacpp"});
  std::erase_if(lines, [](const std::string& line) {
    return is_ours(line) || line.starts_with("Content-Length:");
  });
  EXPECT_EQ(lines, fakes::all_header_lines("HTTP/1.1 200 OK\r\n" + kept + "\r\n"));
}

TEST(Relay, RequestHeaderLinesPassInOrderAndUndecoded) {
  Weir weir;
  const std::string kept =
      "Accept: */*\r\n"
      "OpenAI-Beta: assistants=v2\r\n"
      "x-dup: 1\r\n"
      "X-Percent: %0d%0aX-Evil: 1 %zz%\r\n"
      "x-dup: 2\r\n"
      "X-Empty:\r\n"
      "X-Stainless-OS:   Linux  \r\n"
      "x-latin: caf\xE9\r\n"
      "anthropic-version: 2023-06-01\r\n"
      "User-Agent: OpenAI/Python 1.2.3\r\n"
      "X-Request-Id: r-1\r\n";
  const std::string dropped =
      "Connection: close, X-Hop\r\nX-Hop: 1\r\nTE: trailers\r\nUpgrade: h2c\r\n"
      "Accept-Encoding: gzip, br\r\nX-Weir-Anything: 1\r\nX-Conversation-Id: c\r\n";
  ask(weir.port(), short_chat(), dropped + kept);
  std::vector<std::string> lines = fakes::all_header_lines(weir.local().request(0).head);
  const std::string host = "Host: 127.0.0.1:" + std::to_string(weir.local().port());
  ASSERT_FALSE(lines.empty());
  EXPECT_EQ(lines.front(), host);
  std::vector<std::string> expected = fakes::all_header_lines("x\r\n" + kept + "\r\n");
  EXPECT_TRUE(std::equal(expected.begin(), expected.end(), lines.begin() + 1));
  std::vector<std::string> own(lines.begin() + 1 + static_cast<long>(expected.size()),
                               lines.end());
  ASSERT_FALSE(own.empty());
  EXPECT_TRUE(own.front().starts_with("Weir-Way: ")) << own.front();
  own.erase(own.begin());
  EXPECT_EQ(own, (std::vector<std::string>{
                     "Accept-Encoding: identity", "Content-Type: application/json",
                     "Content-Length: " + std::to_string(weir.local().request(0).body.size())}));
}

TEST(Relay, StatusAndReasonPhrasePass) {
  Weir weir;
  weir.local().next([](Talk& talk) {
    talk.send("HTTP/1.1 103 Early Hints\r\nLink: x\r\n\r\nHTTP/1.1 100 Continue\r\n\r\n");
    talk.send("HTTP/1.1 299 Own Words %41\r\nContent-Length: 0\r\n\r\n");
  });
  const Reply reply = ask(weir.port(), short_chat());
  EXPECT_EQ(fakes::first_line(reply.head), "HTTP/1.1 299 Own Words %41");
  EXPECT_TRUE(reply.is_whole);
}

TEST(Relay, AnswerWithoutABody) {
  Weir weir;
  weir.local().next([](Talk& talk) { talk.send("HTTP/1.1 204 No Content\r\nX-A: 1\r\n\r\n"); });
  RawClient client = weir.client();
  client.send(post(short_chat()) + post(short_chat()));
  const Reply reply = client.read_reply();
  EXPECT_EQ(reply.status, 204);
  EXPECT_EQ(header_of(reply, "Content-Length"), "");
  EXPECT_EQ(header_of(reply, "Transfer-Encoding"), "");
  EXPECT_EQ(client.read_reply().status, 200);  // the connection is in step
}

TEST(Relay, BareLineFeedsOfAnUpstreamAreUnderstood) {
  Weir weir;
  weir.local().next(
      [](Talk& talk) { talk.send("HTTP/1.1 200 OK\nContent-Length: 2\nX-A: 1\n\nok"); });
  const Reply reply = ask(weir.port(), short_chat());
  EXPECT_EQ(reply.body, "ok");
  EXPECT_EQ(header_of(reply, "X-A"), "1");
}

TEST(Relay, AnUpstreamsHeadInSingleBytes) {
  Weir weir;
  weir.local().next([](Talk& talk) {
    talk.send_bytewise("HTTP/1.1 200 OK\r\nContent-Length: 5\r\nX-A: 1\r\n\r\nhello");
  });
  EXPECT_EQ(ask(weir.port(), short_chat()).body, "hello");
}

TEST(Relay, ContradictoryLengthsAreNoAnswer) {
  Weir weir;
  weir.cloud().next([](Talk& talk) {
    talk.send("HTTP/1.1 200 OK\r\nContent-Length: 2\r\nContent-Length: 3\r\n\r\nabc");
    talk.wait_for_close();
  });
  EXPECT_EQ(ask(weir.port(), long_chat()).status, 502);
}

TEST(Relay, ConnectionsAreReusedOnBothSides) {
  Weir weir;
  RawClient client = weir.client();
  for (std::size_t i = 0; i < 5; ++i) {
    client.send(post(long_chat()));
    EXPECT_EQ(client.read_reply().status, 200);
    ASSERT_TRUE(weir.wait_for_log("info request", i + 1));
  }
  EXPECT_EQ(weir.cloud().connections().size(), 1U);
  EXPECT_FALSE(weir.cloud().request(0).reused);
  EXPECT_TRUE(weir.cloud().request(4).reused);
}

TEST(Relay, PipelinedRequestsAreAnsweredInOrder) {
  Weir weir;
  weir.local().always([](Talk& talk) { talk.answer(200, talk.request().body); });
  RawClient client = weir.client();
  std::string all;
  for (int i = 0; i < 5; ++i) {
    all += post(chat_body("n" + std::to_string(i)));
    all += request_text("GET /health", "", "");
  }
  client.send(all);
  for (int i = 0; i < 5; ++i) {
    EXPECT_NE(client.read_reply().body.find("\"n" + std::to_string(i) + "\""), std::string::npos);
    EXPECT_EQ(client.read_reply("GET").body, R"({"status":"ok"})");
  }
}

TEST(Relay, ARequestInSingleBytes) {
  Weir weir;
  RawClient client = weir.client();
  for (const char& c : post(short_chat())) {
    ASSERT_TRUE(client.send({&c, 1}));
  }
  EXPECT_EQ(client.read_reply().status, 200);
}

TEST(Http10, AChunkedAnswerEndsWithTheConnection) {
  Weir weir;
  weir.local().next(streams(std::string(kEvents)));
  RawClient client = weir.client();
  const std::string body = short_chat(kStream);
  client.send("POST /v1/chat/completions HTTP/1.0\r\nContent-Length: " +
              std::to_string(body.size()) + "\r\n\r\n" + body);
  const Reply reply = client.read_reply();
  EXPECT_EQ(header_of(reply, "Transfer-Encoding"), "");
  EXPECT_EQ(header_of(reply, "Connection"), "close");
  EXPECT_EQ(reply.body, kEvents);
  EXPECT_TRUE(reply.is_whole);
}

TEST(Http10, KeepAliveWhereAskedFor) {
  Weir weir;
  RawClient client = weir.client();
  for (int i = 0; i < 2; ++i) {
    client.send("GET /health HTTP/1.0\r\nConnection: keep-alive\r\n\r\n");
    EXPECT_EQ(client.read_reply("GET").status, 200) << i;
  }
  client.send("GET /health HTTP/1.0\r\n\r\n");
  EXPECT_EQ(client.read_reply("GET").status, 200);
  EXPECT_EQ(client.wait_for_close(), fakes::Got::kFin);
}

TEST(Methods, HeadHasNoBody) {
  Weir weir;
  for (const char* path : {"/health", "/v1/models", "/v1/chat/completions", "/nothing"}) {
    RawClient client = weir.client();
    client.send(request_text("HEAD " + std::string(path), "", "") +
                request_text("GET /health", "", ""));
    const Reply reply = client.read_reply("HEAD");
    EXPECT_GE(reply.status, 200) << path;
    const Reply next = client.read_reply("GET");  // out of step if the first had a body
    EXPECT_EQ(next.status, 200) << path;
    EXPECT_EQ(next.body, R"({"status":"ok"})") << path;
  }
}

TEST(FieldCases, S41_ThePreflightNeedsNeitherKeyNorUpstream) {
  Weir weir([](config::Config& config) {
    config.server.keys = {{"me", base::Secret(std::string(kClientKey))}};
    config.server.allow_origins = {"http://localhost:3000"};
  });
  RawClient client = weir.client();
  client.send(request_text("OPTIONS /v1/chat/completions",
                           "Origin: http://localhost:3000\r\n"
                           "Access-Control-Request-Method: POST\r\n"
                           "Access-Control-Request-Headers: authorization,x-stainless-os\r\n",
                           ""));
  const Reply reply = client.read_reply("OPTIONS");
  EXPECT_EQ(reply.status, 204);
  EXPECT_EQ(header_of(reply, "Access-Control-Allow-Origin"), "http://localhost:3000");
  EXPECT_EQ(header_of(reply, "Access-Control-Allow-Headers"), "authorization,x-stainless-os");
  EXPECT_NE(header_of(reply, "Access-Control-Allow-Methods").find("POST"), std::string::npos);
  EXPECT_EQ(weir.local().request_count(), 0U);
}

TEST(WeirHeaders, AreOnEveryAnswerOfAChat) {
  Weir weir;
  weir.local().next(streams(event("a")));
  const auto has_all = [](const Reply& reply) {
    return !header_of(reply, "X-Weir-Route").empty() &&
           !header_of(reply, "X-Weir-Reason").empty() &&
           !header_of(reply, "X-Weir-Prompt-Tokens").empty() &&
           !header_of(reply, "X-Request-Id").empty();
  };
  EXPECT_TRUE(has_all(ask(weir.port(), short_chat(kStream))));
  EXPECT_TRUE(has_all(ask(weir.port(), short_chat())));
  weir.local().next(answers(400, R"({"error":"own"})"));
  EXPECT_TRUE(has_all(ask(weir.port(), short_chat())));
  weir.cloud().next([](Talk& talk) { talk.close(); });
  const Reply broken = ask(weir.port(), long_chat());
  EXPECT_EQ(broken.status, 502);
  EXPECT_TRUE(has_all(broken));
}

TEST(WeirHeaders, TheRequestIdIsKept) {
  Weir weir;
  EXPECT_EQ(header_of(ask(weir.port(), short_chat(), "X-Request-Id: mine-7\r\n"), "X-Request-Id"),
            "mine-7");
  EXPECT_EQ(header_of(ask(weir.port(), "{", "X-Request-Id: mine-8\r\n"), "X-Request-Id"), "mine-8");
  EXPECT_TRUE(weir.wait_for_log("id=mine-8"));
}

}  // namespace
}  // namespace weir::flow
