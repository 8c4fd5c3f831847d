// Every wrong thing gets a clear error and the daemon goes on; what is only unusual works. Also
// field cases S-52 and S-53.

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "http_text.h"
#include "silent_address.h"
#include "weir_fixture.h"

namespace weir::flow {
namespace {

using fakes::Got;
using nlohmann::json;

// An error of weir's own, in the shape that the SDKs read.
void expect_error(const Reply& reply, int status, const std::string& code) {
  EXPECT_EQ(reply.status, status);
  EXPECT_EQ(header_of(reply, "Content-Type"), "application/json");
  EXPECT_EQ(header_of(reply, "X-Weir-Error"), code);
  const json body = json::parse(reply.body, nullptr, false);
  ASSERT_TRUE(body.is_object()) << reply.body;
  ASSERT_TRUE(body.contains("error"));
  const json& error = body["error"];
  EXPECT_TRUE(error["message"].is_string() && !error["message"].get<std::string>().empty());
  EXPECT_TRUE(error["type"].is_string());
  EXPECT_TRUE(error["param"].is_null());
  EXPECT_EQ(error["code"], code);
}

TEST(FieldCases, S52_TheModelListNeverWaits) {
  Weir weir([](config::Config& config) { cloud_of(config).base_url.host = "no-such-host.invalid"; },
            {.local_runs = false});
  for (const char* path : {"/v1/models", "/models", "/v1/models/"}) {
    RawClient client = weir.client();
    client.send(request_text("GET " + std::string(path), "", ""));
    const Reply reply = client.read_reply("GET");
    EXPECT_EQ(reply.status, 200) << path;
    const json list = json::parse(reply.body);
    EXPECT_EQ(list["object"], "list");
    std::vector<std::string> ids;
    for (const json& model : list["data"]) {
      ids.push_back(model["id"]);
      EXPECT_EQ(model["object"], "model");
      EXPECT_TRUE(model["created"].is_number_integer());
      EXPECT_TRUE(model["owned_by"].is_string());
    }
    for (const char* id : {"auto", "Qwen3.6-35B", "a", "long_context"}) {
      EXPECT_NE(std::find(ids.begin(), ids.end(), id), ids.end()) << id;
    }
  }
  EXPECT_EQ(weir.cloud().connections().size(), 0U);
}

// One that takes the connection and says nothing, and one that does not even take it.
TEST(FieldCases, S52_SilentUpstreamsDoNotHoldUpTheModelList) {
  const auto mute = os::listen_on("127.0.0.1", 0);
  ASSERT_TRUE(mute);
  const fakes::SilentAddress silent;
  const std::uint16_t mute_port = os::local_address(*mute).port();
  for (const auto& [local, cloud] :
       {std::pair(mute_port, silent.port()), std::pair(silent.port(), mute_port)}) {
    Weir weir([&](config::Config& config) {
      local_of(config).base_url.port = local;
      cloud_of(config).base_url.port = cloud;
      for (config::Upstream& upstream : config.upstreams) {
        upstream.connect_timeout = config::Seconds(600);
        upstream.timeout = config::Seconds(600);
      }
    });
    for (const char* path : {"/v1/models", "/models"}) {
      RawClient client = weir.client();
      client.send(request_text("GET " + std::string(path), "", ""));
      const Reply reply = client.read_reply("GET");
      EXPECT_EQ(reply.status, 200) << path;
      EXPECT_NE(reply.body.find("\"id\":\"auto\""), std::string::npos) << reply.body;
    }
  }
}

struct BadBody {
  std::string body;
  std::string code;
};

TEST(FieldCases, S53_BadBodiesAre400InTheShapeOfTheLibraries) {
  Weir weir;
  const std::vector<BadBody> all{
      {"", "bad_json"},
      {"{", "bad_json"},
      {"not json", "bad_json"},
      {"{}x", "bad_json"},
      {"{\"messages\":[],}", "bad_json"},
      {"[]", "bad_request"},
      {"\"x\"", "bad_request"},
      {"null", "bad_request"},
      {"17", "bad_request"},
      {"{}", "bad_request"},
      {R"({"model":5})", "bad_request"},
      {R"({"model":5,"messages":[]})", "bad_request"},
      {R"({"messages":"hi"})", "bad_request"},
      {R"({"messages":{}})", "bad_request"},
      {R"({"messages":null})", "bad_request"},
      {R"({"messages":[null]})", "bad_request"},
      {R"({"messages":["hi"]})", "bad_request"},
      {R"({"input":"hi"})", "bad_request"},
      {R"({"messages":[],"stream":"true"})", "bad_request"},
      {R"({"messages":[],"stream":1})", "bad_request"},
  };
  RawClient client = weir.client();  // the same connection for all: it stays in step
  for (const BadBody& bad : all) {
    client.send(request_text("POST /v1/chat/completions",
                             bad.body.empty() ? "Content-Length: 0\r\n" : "", bad.body));
    SCOPED_TRACE(bad.body);
    expect_error(client.read_reply(), 400, bad.code);
  }
  EXPECT_EQ(weir.local().request_count() + weir.cloud().request_count(), 0U);
}

TEST(FieldCases, S53_InputInPlaceOfMessagesIsNamed) {
  Weir weir;
  const Reply reply = ask(weir.port(), R"({"input":"hi"})");
  EXPECT_NE(reply.body.find("input"), std::string::npos) << reply.body;
  EXPECT_NE(reply.body.find("messages"), std::string::npos) << reply.body;
}

TEST(FieldCases, S53_UnusualMembersAreTheUpstreamsBusiness) {
  Weir weir;
  for (const char* body :
       {R"({"messages":[],"tools":{}})", R"({"messages":[],"stream":null})",
        R"({"messages":[],"max_tokens":"many"})", R"({"messages":[{}],"model":null})",
        R"({"messages":[{"role":5,"content":{"a":[]}}]})", "\xEF\xBB\xBF{\"messages\":[]}",
        R"({"messages":[],"temperature":1e999,"timeout":-1})"}) {
    EXPECT_EQ(ask(weir.port(), body).status, 200) << body;
  }
  EXPECT_EQ(weir.local().request_count(), 7U);
}

TEST(FieldCases, S53_AWrongMethodNamesTheRightOne) {
  Weir weir;
  for (const char* method : {"GET", "PUT", "DELETE", "PATCH", "TRACE", "FOO"}) {
    RawClient client = weir.client();
    client.send(request_text(std::string(method) + " /v1/chat/completions", "", ""));
    const Reply reply = client.read_reply();
    expect_error(reply, 405, "method_not_allowed");
    EXPECT_EQ(header_of(reply, "Allow"), "POST") << method;
  }
  RawClient client = weir.client();
  client.send(request_text("POST /health", "", "{}"));
  const Reply reply = client.read_reply();
  expect_error(reply, 405, "method_not_allowed");
  EXPECT_EQ(header_of(reply, "Allow"), "GET");
}

TEST(BadInput, AnUnknownPathNamesTheNearest) {
  Weir weir;
  RawClient client = weir.client();
  client.send(request_text("GET /v1/modles", "", ""));
  const Reply reply = client.read_reply("GET");
  expect_error(reply, 404, "not_found");
  EXPECT_NE(reply.body.find("did you mean /v1/models"), std::string::npos) << reply.body;
}

TEST(BadInput, OddPathsAreOnlyUnknown) {
  Weir weir;
  for (const char* path : {"/%2e%2e/", "/v1/%63hat/completions", "/\xFF\xFE", "/a\"b<c>", "*",
                           "/.*", "/v1/chat/completions%00", "/../etc/passwd", "/(((((", "//"}) {
    RawClient client = weir.client();
    client.send(request_text("GET " + std::string(path), "", ""));
    EXPECT_EQ(client.read_reply("GET").status, 404) << path;
  }
}

// Each is a whole request that must not be understood; what follows it must not be answered.
TEST(BadInput, WhatCouldBeReadInTwoWaysIsRefused) {
  Weir weir;
  const std::string line = "POST /v1/chat/completions HTTP/1.1\r\n";
  const std::string smuggled = "GET /health HTTP/1.1\r\nHost: localhost\r\n\r\n";
  const std::vector<std::string> heads{
      line + "Content-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
      line + "Transfer-Encoding: chunked\r\nContent-Length: 3\r\n\r\n0\r\n\r\n",
      line + "Content-Length: 2\r\nContent-Length: 3\r\n\r\n{}",
      line + "Content-Length: 2\r\nContent-Length: 2\r\n\r\n{}",
      line + "Content-Length: 2, 2\r\n\r\n{}",
      line + "Content-Length: +2\r\n\r\n{}",
      line + "Content-Length: -2\r\n\r\n{}",
      line + "Content-Length: 0x2\r\n\r\n{}",
      line + "Content-Length: 99999999999999999999\r\n\r\n{}",
      line + "Content-Length:\r\n\r\n",
      line + "Transfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n",
      line + "Transfer-Encoding: xchunked\r\n\r\n0\r\n\r\n",
      line + "Transfer-Encoding: chunked\r\nTransfer-Encoding: identity\r\n\r\n0\r\n\r\n",
      line + "Transfer-Encoding : chunked\r\n\r\n0\r\n\r\n",
      line + " Transfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
      line + "X-Fold: a\r\n b\r\nContent-Length: 2\r\n\r\n{}",
      line + "X-Nul: a" + std::string(1, '\0') + "b\r\n\r\n",
      line + "X-Cr: a\rb\r\n\r\n",
      line + "X-No-Colon\r\n\r\n",
      line + ": no name\r\n\r\n",
      line + "X-Bare: lf\nContent-Length: 2\r\n\r\n{}",
      "POST /v1/chat/completions HTTP/1.1\nHost: localhost\n\n",
      "POST  /v1/chat/completions HTTP/1.1\r\n\r\n",
      "POST /v1/chat/completions HTTP/2.0\r\n\r\n",
      "POST /v1/chat/completions HTTP/0.9\r\n\r\n",
      "POST /v1/chat completions HTTP/1.1\r\n\r\n",
      "POST /v1/chat/completions\r\n\r\n",
      "\x16\x03\x01\x02\x00\x01\x00\x01\xFC\x03\x03\r\n\r\n",
      "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
  };
  for (const std::string& head : heads) {
    RawClient client = weir.client();
    client.send(head + smuggled);
    SCOPED_TRACE(head);
    expect_error(client.read_reply(), 400, "bad_request");
    EXPECT_NE(client.wait_for_close(), Got::kTimeout);
    EXPECT_EQ(client.received(), "");
  }
  EXPECT_EQ(weir.local().request_count() + weir.cloud().request_count(), 0U);
  EXPECT_EQ(ask(weir.port(), short_chat()).status, 200);
}

TEST(BadInput, TooMuchHeaderIs431) {
  Weir weir;
  const std::string line = "POST /v1/chat/completions HTTP/1.1\r\nHost: localhost\r\n";
  std::string many = line;
  for (int i = 0; i < 200; ++i) {
    many += "X-" + std::to_string(i) + ": 1\r\n";
  }
  for (const std::string& head :
       {line + "X-Long: " + std::string(100 << 10, 'x') + "\r\n\r\n",
        line + "X-Long: " + std::string(20000, 'x') + "\r\n\r\n", many + "\r\n",
        "GET /" + std::string(3000, 'x') + " HTTP/1.1\r\nHost: localhost\r\n\r\n",
        std::string(200 << 10, 'x')}) {
    RawClient client = weir.client();
    client.send(head);
    expect_error(client.read_reply(), 431, "header_too_large");
    EXPECT_NE(client.wait_for_close(), Got::kTimeout);
  }
}

TEST(BadInput, APackedBodyIs415) {
  Weir weir;
  expect_error(ask(weir.port(), short_chat(), "Content-Encoding: gzip\r\n"), 415,
               "unsupported_encoding");
  EXPECT_EQ(ask(weir.port(), short_chat(), "Content-Encoding: identity\r\n").status, 200);
}

TEST(BadInput, AClientThatLeavesInTheMiddleOfItsRequest) {
  Weir weir;
  const std::string whole = post(short_chat());
  for (std::size_t bytes = 1; bytes < whole.size(); bytes += 20) {
    RawClient leaves = weir.client();
    leaves.send(whole.substr(0, bytes));
    bytes % 40 == 1 ? leaves.leave() : leaves.reset();
  }
  EXPECT_EQ(ask(weir.port(), short_chat()).status, 200);
  EXPECT_EQ(weir.local().request_count(), 1U);
}

}  // namespace
}  // namespace weir::flow
