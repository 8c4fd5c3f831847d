// Field cases S-37 to S-41: whose key goes where, and who may ask.

#include <gtest/gtest.h>

#include "http_text.h"
#include "weir/config/load.h"
#include "weir_fixture.h"

namespace weir::flow {
namespace {

constexpr std::string_view kWrongKey = "wrong-key-canary-3";

void want_keys(config::Config& config) {
  config.server.keys = {{"one", base::Secret("another-client-key-0")},
                        {"two", base::Secret(std::string(kClientKey))}};
  local_of(config).api_key = base::Secret(std::string(kLocalKey));
}

// Every header that may carry a secret, each with a canary of its own.
const std::vector<std::pair<std::string, std::string>> kSecretHeaders{
    {"Authorization", "Bearer " + std::string(kClientKey)},
    {"x-API-key", "canary-x-api-key"},
    {"Api-Key", "canary-api-key"},
    {"X-Goog-Api-Key", "canary-goog"},
    {"Cookie", "session=canary-cookie"},
    {"Proxy-Authorization", "Basic canary-proxy"},
};

std::string secret_lines() {
  std::string lines;
  for (const auto& [name, value] : kSecretHeaders) {
    lines.append(name).append(": ").append(value).append("\r\n");
  }
  return lines;
}

void expect_no_secret_of_the_client(const ScriptedUpstream& upstream) {
  const std::string bytes = upstream.all_bytes();
  EXPECT_NE(upstream.request_count(), 0U);
  EXPECT_EQ(bytes.find("canary-"), bytes.find("canary-2"));  // only K_UP, and that at the cloud
  EXPECT_EQ(bytes.find(kClientKey), std::string::npos);
  for (const auto& [name, value] : kSecretHeaders) {
    EXPECT_EQ(bytes.find(value.substr(value.find("canary"))), std::string::npos) << name;
  }
}

TEST(FieldCases, S37_ThreePartiesThreeSecrets) {
  Weir weir(want_keys);
  const Reply local = ask(weir.port(), short_chat(), secret_lines());
  const Reply cloud = ask(weir.port(), long_chat(), secret_lines());
  EXPECT_EQ(local.status, 200);
  EXPECT_EQ(cloud.status, 200);
  EXPECT_EQ(fakes::header_lines(weir.cloud().request(0).head, "Authorization"),
            std::vector<std::string>{"Authorization: Bearer " + std::string(kCloudKey)});
  EXPECT_EQ(fakes::header_lines(weir.local().request(0).head, "Authorization"),
            std::vector<std::string>{"Authorization: Bearer " + std::string(kLocalKey)});
  expect_no_secret_of_the_client(weir.cloud());
  EXPECT_EQ(weir.local().all_bytes().find(kCloudKey), std::string::npos);
  EXPECT_EQ(weir.local().all_bytes().find(kClientKey), std::string::npos);
  EXPECT_EQ(weir.cloud().all_bytes().find(kLocalKey), std::string::npos);
  for (const Reply& reply : {local, cloud}) {
    EXPECT_EQ(reply.head.find("canary"), std::string::npos);
  }
}

TEST(FieldCases, S37_AlsoAfterAFallback) {
  Weir weir(want_keys);
  weir.local().next(answers(500, R"({"error":"broken"})"));
  EXPECT_EQ(ask(weir.port(), short_chat(), secret_lines()).status, 200);
  expect_no_secret_of_the_client(weir.cloud());
  EXPECT_EQ(weir.cloud().all_bytes().find(kLocalKey), std::string::npos);
  EXPECT_EQ(weir.local().all_bytes().find(kCloudKey), std::string::npos);
}

TEST(FieldCases, S37_ALocalServerWithoutAKeyGetsNone) {
  Weir weir;
  ask(weir.port(), short_chat(), secret_lines());
  EXPECT_EQ(fakes::header_lines(weir.local().request(0).head, "Authorization").size(), 0U);
  EXPECT_EQ(weir.local().all_bytes().find("canary"), std::string::npos);
}

TEST(FieldCases, S38_SecretsDoNotReachTheLog) {
  Weir weir(want_keys, {.log_level = "trace"});
  ask(weir.port(), short_chat(), secret_lines());
  ask(weir.port(), short_chat(), "Authorization: Bearer " + std::string(kWrongKey) + "\r\n");
  ask(weir.port(), short_chat(), "X-Api-Key: " + std::string(kWrongKey) + "\r\n");
  RawClient client = weir.client();
  client.send(request_text("POST /v1/v1/chat/completions?api_key=query-canary-4",
                           "Authorization: Bearer " + std::string(kClientKey) + "\r\n",
                           short_chat()));
  client.read_reply();
  weir.cloud().next(answers(401, R"({"error":"wrong key: )" + std::string(kCloudKey) + "\"}"));
  const Reply echoed =
      ask(weir.port(), long_chat(), "Authorization: Bearer " + std::string(kClientKey) + "\r\n");
  EXPECT_EQ(echoed.status, 401);
  RawClient status = weir.client();
  status.send(request_text("GET /weir/status",
                           "Authorization: Bearer " + std::string(kClientKey) + "\r\n", ""));
  EXPECT_EQ(status.read_reply("GET").body.find("canary"), std::string::npos);
  weir.end();
  const std::string log = weir.log_text();
  EXPECT_NE(log.find("status=401"), std::string::npos);
  for (const std::string_view secret :
       {kClientKey, kCloudKey, kLocalKey, kWrongKey, std::string_view("canary"),
        std::string_view("river"), std::string_view("ping")}) {
    EXPECT_EQ(log.find(secret), std::string::npos) << secret << "\n" << log;
  }
}

TEST(FieldCases, S39_EverySpellingOfAKeyIsTaken) {
  Weir weir(want_keys);
  const std::string key(kClientKey);
  for (const std::string& line :
       {"authorization: bearer " + key, "AUTHORIZATION:   Bearer   " + key + "  ",
        "Authorization: BEARER " + key, "x-api-key: " + key, "X-API-KEY:" + key}) {
    EXPECT_EQ(ask(weir.port(), short_chat(), line + "\r\n").status, 200) << line;
  }
  EXPECT_EQ(weir.local().request_count(), 5U);
}

TEST(Keys, TheLogNamesTheOneThatWasShown) {
  Weir weir(want_keys);
  EXPECT_EQ(
      ask(weir.port(), short_chat(), "X-Api-Key: " + std::string(kClientKey) + "\r\n").status, 200);
  EXPECT_TRUE(weir.wait_for_log(" key=two route="));
}

TEST(FieldCases, S39_AWrongKeyIsRefusedAndTheNextRequestNotMisread) {
  Weir weir(want_keys);
  const std::vector<std::string> wrong{"Authorization: " + std::string(kClientKey) + "\r\n",
                                       "",
                                       "Authorization: Bearer " + std::string(kWrongKey) + "\r\n",
                                       "Authorization: Bearer\r\n",
                                       "Authorization: Bearer \r\n",
                                       "X-Api-Key:\r\n"};
  for (const std::string& line : wrong) {
    RawClient client = weir.client();
    client.send(post(short_chat(), line));
    const Reply reply = client.read_reply();
    EXPECT_EQ(reply.status, 401) << line;
    EXPECT_EQ(header_of(reply, "WWW-Authenticate"), "Bearer");
    EXPECT_EQ(header_of(reply, "X-Weir-Error"), "unauthorized");
    EXPECT_NE(reply.body.find("Bearer"), std::string::npos) << reply.body;
    EXPECT_NE(reply.body.find("\"type\":\"authentication_error\""), std::string::npos);
    EXPECT_EQ(header_of(reply, "Connection"), "close");
    EXPECT_NE(client.wait_for_close(), fakes::Got::kTimeout);
  }
  EXPECT_EQ(weir.local().request_count() + weir.cloud().request_count(), 0U);
}

TEST(FieldCases, S39_WithoutKeysAnyKeyIsIgnored) {
  Weir weir;
  EXPECT_EQ(ask(weir.port(), short_chat(), "Authorization: Bearer whatever\r\n").status, 200);
  EXPECT_EQ(ask(weir.port(), short_chat()).status, 200);
}

TEST(FieldCases, S39_HealthNeedsNoKeyAndStatusDoes) {
  Weir weir(want_keys);
  for (const auto& [path, status] :
       {std::pair("/health", 200), std::pair("/v1/models", 401), std::pair("/weir/status", 401)}) {
    RawClient client = weir.client();
    client.send(request_text("GET " + std::string(path), "", ""));
    EXPECT_EQ(client.read_reply("GET").status, status) << path;
  }
}

TEST(FieldCases, S40_TheNameOfTheCloudNotTheNameOfTheProxy) {
  // cloud.test is reached through an HTTP proxy, which the scripted upstream plays as well.
  std::string connect;
  Weir weir([](config::Config& config) {
    want_keys(config);
    config::Upstream& cloud = cloud_of(config);
    cloud.proxy = "http://127.0.0.1:" + std::to_string(cloud.base_url.port);
    cloud.base_url = {true, "cloud.test", 443, "/api/v1"};
  });
  weir.cloud().next_connection([&](Talk& talk) {
    talk.read_head(connect);
    talk.send("HTTP/1.1 200 Connection established\r\n\r\n");
  });
  const Reply reply = ask(weir.port(), long_chat(),
                          "Authorization: Bearer " + std::string(kClientKey) +
                              "\r\nCF-Visitor: {\"scheme\":\"https\"}\r\n"
                              "CF-Connecting-IP: 203.0.113.1\r\n"
                              "X-Forwarded-Host: evil.example\r\nX-Forwarded-For: 203.0.113.1\r\n"
                              "Forwarded: for=203.0.113.1\r\nX-Real-IP: 203.0.113.1\r\n"
                              "True-Client-IP: 203.0.113.1\r\nVia: 1.1 tunnel\r\n"
                              "Referer: http://evil.example/\r\n"
                              "Connection: keep-alive, X-Hop\r\nX-Hop: 1\r\n");
  EXPECT_EQ(reply.status, 200);
  EXPECT_TRUE(connect.starts_with("CONNECT cloud.test:443 HTTP/1.1\r\n")) << connect;
  EXPECT_EQ(connect.find(kCloudKey), std::string::npos);
  const fakes::Received request = weir.cloud().request(0);
  EXPECT_EQ(fakes::first_line(request.head), "POST /api/v1/chat/completions HTTP/1.1");
  EXPECT_EQ(fakes::header_lines(request.head, "Host"),
            std::vector<std::string>{"Host: cloud.test"});
  EXPECT_EQ(weir.cloud().connection_of(0).tls_server_name, "cloud.test");
  EXPECT_EQ(request.head.find("evil"), std::string::npos);
  EXPECT_EQ(request.head.find("203.0.113"), std::string::npos);
  for (const char* name : {"CF-Visitor", "Via", "X-Hop", "Connection"}) {
    EXPECT_EQ(fakes::header_lines(request.head, name).size(), 0U) << name;
  }
}

TEST(FieldCases, S40_AForeignHostIsRefusedOnLoopbackWithoutKeys) {
  Weir weir;
  RawClient client = weir.client();
  const std::string body = short_chat();
  client.send("POST /v1/chat/completions HTTP/1.1\r\nHost: evil.example:8080\r\nContent-Length: " +
              std::to_string(body.size()) + "\r\n\r\n" + body);
  const Reply reply = client.read_reply();
  EXPECT_EQ(reply.status, 403);
  EXPECT_EQ(header_of(reply, "X-Weir-Error"), "forbidden_origin");
  EXPECT_EQ(weir.local().request_count(), 0U);
}

TEST(FieldCases, S41_AllowOriginStandsThereOnceOnEveryAnswer) {
  Weir weir([](config::Config& config) {
    config.server.allow_origins = {"app://notes"};
    config.server.body_bytes_max = 100000;
  });
  const std::string cors = "Access-Control-Allow-Origin: *\r\nAccess-Control-Allow-Origin:\r\n";
  const std::string origin = "Origin: app://notes\r\n";
  weir.local().next(answers(200, "{}", cors));
  weir.local().next([&](Talk& talk) {
    talk.start_stream(cors);
    talk.chunk(event("a"));
    talk.end_stream();
  });
  weir.local().next(answers(400, "{}", cors));
  const std::vector<std::string> once{"Access-Control-Allow-Origin: app://notes"};
  const auto expect_once = [&](const Reply& reply, int status) {
    EXPECT_EQ(reply.status, status);
    EXPECT_EQ(fakes::header_lines(reply.head, "Access-Control-Allow-Origin"), once) << status;
    EXPECT_EQ(header_of(reply, "Access-Control-Expose-Headers"), "*");  // X-Weir-Route, Retry-After
  };
  expect_once(ask(weir.port(), short_chat(), origin), 200);
  expect_once(ask(weir.port(), short_chat(kStream), origin), 200);
  expect_once(ask(weir.port(), short_chat(), origin), 400);
  expect_once(ask(weir.port(), "{", origin), 400);
  expect_once(ask(weir.port(), std::string(100001, ' '), origin), 413);
}

TEST(FieldCases, S41_AForeignPageIsRefused) {
  Weir weir;
  const Reply reply = ask(weir.port(), short_chat(), "Origin: https://evil.example\r\n");
  EXPECT_EQ(reply.status, 403);
  EXPECT_EQ(header_of(reply, "Access-Control-Allow-Origin"), "");
  EXPECT_EQ(weir.local().request_count(), 0U);
}

TEST(Tls, AnUnknownAuthorityIsRefused) {
  Weir weir([](config::Config& config) { cloud_of(config).ca_file.clear(); });
  const Reply reply = ask(weir.port(), long_chat());
  EXPECT_EQ(reply.status, 502);
  EXPECT_NE(reply.body.find("the certificate was refused"), std::string::npos) << reply.body;
  EXPECT_EQ(weir.cloud().all_bytes(), "");  // neither key nor prompt
}

TEST(Tls, ACertificateOfAnotherNameIsRefused) {
  std::string connect;
  Weir weir([](config::Config& config) {
    config::Upstream& cloud = cloud_of(config);
    cloud.proxy = "http://127.0.0.1:" + std::to_string(cloud.base_url.port);
    cloud.base_url = {true, "other.test", 443, "/v1"};
  });
  weir.cloud().next_connection([&](Talk& talk) {
    talk.read_head(connect);
    talk.send("HTTP/1.1 200 OK\r\n\r\n");
  });
  const Reply reply = ask(weir.port(), long_chat());
  EXPECT_EQ(reply.status, 502);
  EXPECT_NE(reply.body.find("the certificate was refused"), std::string::npos) << reply.body;
  EXPECT_EQ(weir.cloud().all_bytes(), connect);
}

}  // namespace
}  // namespace weir::flow
