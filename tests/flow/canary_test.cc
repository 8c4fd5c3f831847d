// A log at its most talkative level, in both formats, after everything that clients and upstreams
// may do: no key, no prompt, no answer is in it, nor in any page.

#include <gtest/gtest.h>

#include "weir_fixture.h"

namespace weir::flow {
namespace {

// Whatever must not turn up has this word in it.
constexpr std::string_view kCanary = "canary";
const std::string kPrompt = "prompt-canary-6";
const std::string kAnswer = "answer-canary-7";
const std::string kHeaderValue = "header-canary-8";
const std::string kWrongKey = "wrong-key-canary-3";

class Canary : public testing::TestWithParam<config::LogFormat> {
 protected:
  Canary() : weir_(configure, {.log_level = "trace"}) {}

  static void configure(config::Config& config) {
    config.log.format = GetParam();
    config.server.keys = {{"laptop", base::Secret(std::string(kClientKey))}};
    config.server.body_bytes_max = 100000;
    local_of(config).api_key = base::Secret(std::string(kLocalKey));
    local_of(config).headers = {{"X-Own", kHeaderValue}};
    local_of(config).timeout = config::Seconds(0.2);
  }

  static std::string key_line(std::string_view key = kClientKey) {
    return "Authorization: Bearer " + std::string(key) + "\r\n";
  }

  // Whatever comes of it: these tests look at what is written down.
  void say(std::string_view bytes) {
    RawClient client = weir_.client();
    client.send(bytes);
    client.half_close();
    client.read_to_end();
  }
  Reply chat(const std::string& body, const std::string& lines = key_line()) {
    return ask(weir_.port(), body, lines);
  }
  std::string prompt(std::string_view members = "") const { return chat_body(kPrompt, members); }
  std::string long_prompt() const { return chat_body(std::string(20000, 'x') + " " + kPrompt); }

  void good_requests() {
    weir_.local().next(answers(200, kAnswer, "X-Echo: " + std::string(kLocalKey) + "\r\n"));
    chat(prompt());
    weir_.local().next(streams(event(kAnswer) + std::string(kDone)));
    chat(prompt(kStream));
    weir_.cloud().next(answers(200, kAnswer));
    chat(long_prompt());
    chat(prompt(R"("tools":[{"type":"function","function":{"name":"prompt-canary-6"}}],)"));
    chat(prompt(),
         key_line() + "Cookie: " + kHeaderValue + "\r\nX-Other: " + kHeaderValue + "\r\n");
  }

  void refused_requests() {
    for (const std::string& line : {key_line(kWrongKey), "x-api-key: " + kWrongKey + "\r\n",
                                    "Authorization: " + kWrongKey + "\r\n",
                                    "Authorization: Basic " + kWrongKey + "\r\n", std::string()}) {
      chat(prompt(), line);
    }
    chat("{\"messages\":\"" + kPrompt);
    chat("{\"messages\":\"" + kPrompt + "\"}");
    chat(R"({"messages":[{"role":")" + kPrompt + R"(","content":[{"type":")" + kPrompt + "\"}]}]}");
    chat("\xFF" + kPrompt);
    chat(prompt(), key_line() + "X-Weir-Route: " + kPrompt + "\r\n");
    chat(prompt(), key_line() + "Origin: https://" + kHeaderValue + "\r\n");
    chat(prompt() + std::string(100000, ' '));
    chat(prompt(), key_line() + "X-Big: " + std::string(20000, 'x') + kHeaderValue + "\r\n");
    chat(prompt(), key_line() + "Content-Encoding: " + kHeaderValue + "\r\n");
  }

  void odd_http() {
    say("POST /v1/chat/completions?api_key=" + kWrongKey + " HTTP/1.1\r\nHost: 127.0.0.1\r\n" +
        key_line() + "Content-Length: 2\r\n\r\n{}");
    say("POST /v1/v1/chat/completions?api_key=" + kWrongKey + " HTTP/1.1\r\nHost: 127.0.0.1\r\n" +
        key_line() + "Content-Length: 2\r\n\r\n{}");
    say("GET /v1/nothing?key=" + kWrongKey + " HTTP/1.1\r\nHost: 127.0.0.1\r\n" + key_line() +
        "\r\n");
    say("POST /v1/chat/completions HTTP/1.1\r\nHost: " + kHeaderValue + "\r\n\r\n");
    say("POST /v1/chat/completions HTTP/1.1\r\nHost: 127.0.0.1\r\n" + kHeaderValue +
        " : x\r\n\r\n");
    say("POST /v1/chat/completions HTTP/1.1\r\nHost: 127.0.0.1\r\n" + key_line() +
        "Transfer-Encoding: chunked\r\n\r\n" + kPrompt + "\r\n");
    say(kHeaderValue + "\r\n\r\n");
    say("\x16\x03\x01" + kHeaderValue);
  }

  void faults_of_upstreams() {
    const std::string error =
        R"({"error":{"message":"refused: )" + kPrompt + std::string(kLocalKey) + "\"}}";
    for (const int status : {400, 401, 403, 404, 429, 500, 502, 503}) {
      weir_.local().next(answers(status, error));
      weir_.cloud().next(answers(status, error));
      chat(prompt());
    }
    const std::string kinds[] = {
        R"({"error":{"type":"exceed_context_size_error","message":")" + kPrompt + "\"}}",
        R"({"error":{"type":"unavailable_error","code":503,"message":")" + kPrompt + "\"}}"};
    weir_.local().next(answers(400, kinds[0]));
    chat(prompt());
    weir_.local().next(answers(503, kinds[1]));
    chat(prompt());
    weir_.local().next(streams("data: " + kinds[0] + "\n\n"));
    chat(prompt(kStream));
    const std::string broken[] = {kAnswer + "\r\n\r\n", "HTTP/1.1 500 " + kAnswer + "\r\n\r\n",
                                  "HTTP/1.1 200 OK\r\nContent-Length: 1, " + kAnswer + "\r\n\r\n",
                                  "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n"
                                  "Transfer-Encoding: chunked\r\n\r\n" +
                                      kAnswer + "\r\n"};
    for (const std::string& bytes : broken) {
      weir_.local().next([bytes](Talk& talk) {
        talk.send(bytes);
        talk.close();
      });
      chat(prompt());
    }
    weir_.local().next([](Talk& talk) {
      talk.start_stream();
      talk.chunk("data: {\"choices\":[{\"delta\":{\"content\":\"" + kAnswer);
      talk.close();
    });
    chat(prompt(kStream));
    weir_.local().next([](Talk& talk) { talk.wait_for_close(); });  // until `timeout`
    chat(prompt());
  }

  void reloads() {
    static_cast<void>(weir_.reload_faulty("config.toml:1:1: provider.cloud.api_key: of no use"));
    const std::string another = "another-key-canary-9";
    ASSERT_TRUE(weir_.reload([&](config::Config& config) {
      cloud_of(config).api_key = base::Secret(another);
      local_of(config).headers = {{"X-Own", another + "-too"}};
    }));
    weir_.cloud().next(answers(401, "wrong: " + another));
    chat(long_prompt());
  }

  std::string page(std::string_view path) {
    RawClient client = weir_.client();
    client.send(request_text("GET " + std::string(path), key_line(), ""));
    return client.read_reply("GET").body;
  }

  Weir weir_;
};

TEST_P(Canary, S38_IsInNoLineAndOnNoPage) {
  good_requests();
  refused_requests();
  odd_http();
  faults_of_upstreams();
  reloads();
  for (const std::string_view path : {"/weir/status", "/metrics", "/v1/models", "/health"}) {
    EXPECT_EQ(page(path).find(kCanary), std::string::npos) << page(path);
  }
  weir_.end();
  const std::string log = weir_.log_text();
  const auto lines = std::count(log.begin(), log.end(), '\n');
  EXPECT_GT(lines, 50) << log;  // something was said
  for (auto at = log.find(kCanary); at != std::string::npos; at = log.find(kCanary, at + 1)) {
    const auto begin = log.rfind('\n', at) + 1;
    ADD_FAILURE() << log.substr(begin, log.find('\n', at) - begin);
  }
  EXPECT_EQ(log.find("\"role\""), std::string::npos);
  EXPECT_EQ(log.find(std::string(1000, 'x')), std::string::npos);
}

INSTANTIATE_TEST_SUITE_P(Formats, Canary,
                         testing::Values(config::LogFormat::kText, config::LogFormat::kJson),
                         [](const auto& instance) {
                           return instance.param == config::LogFormat::kJson ? "Json" : "Text";
                         });

// What a client calls its model is logged, but not as long as it likes.
TEST(ModelName, IsCutInTheLog) {
  Weir weir;
  ask(weir.port(),
      R"({"model":")" + std::string(127, 'm') + "\xE4\xBD\xA0" + std::string(100000, 'n') +
          R"(","messages":[]})",
      "X-Weir-Route: cloud\r\n");
  ASSERT_TRUE(weir.wait_for_log("model=" + std::string(127, 'm') + " "));
}

}  // namespace
}  // namespace weir::flow
