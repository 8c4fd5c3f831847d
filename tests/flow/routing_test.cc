// Field cases S-11 to S-22: which way a request goes, and that nothing in it changes but the model.

#include <gtest/gtest.h>

#include "http_text.h"
#include "weir_fixture.h"

namespace weir::flow {
namespace {

std::string repeated(std::string_view text, std::size_t times) {
  std::string all;
  all.reserve(text.size() * times);
  for (std::size_t i = 0; i < times; ++i) {
    all += text;
  }
  return all;
}

TEST(FieldCases, S11_OnlyTheModelNameChanges) {
  Weir weir;
  const std::string body = R"({
  "model": "auto",
  "seed": 18446744073709551617,
  "temperature": 1.0,
  "top_p": 0.10000000000000000555,
  "chat_template_kwargs": {"enable_thinking": false},
  "x_future": [1e2, 1e400, -0.0, null, "\u00e9\/\ud83d"],
  "messages": [{"role":"user","content":"a nested \"model\": \"auto\" in text"}]
})";
  EXPECT_EQ(ask(weir.port(), body).status, 200);
  std::string expected = body;
  expected.replace(expected.find("\"auto\""), 6, "\"Qwen3.6-35B\"");
  EXPECT_EQ(weir.local().request(0).body, expected);
}

TEST(FieldCases, S11_EveryTopLevelModelIsReplacedAndAMissingOneAdded) {
  Weir weir;
  ask(weir.port(), R"({"model":"x","messages":[],"mod\u0065l" : "auto"})");
  EXPECT_EQ(weir.local().request(0).body,
            R"({"model":"Qwen3.6-35B","messages":[],"mod\u0065l" : "Qwen3.6-35B"})");
  ask(weir.port(), R"({ "messages":[]})");
  EXPECT_EQ(weir.local().request(1).body, R"({"model":"Qwen3.6-35B", "messages":[]})");
}

TEST(FieldCases, S11_TheLocalModelsOwnNameLeavesTheBodyAsItIs) {
  Weir weir;
  const std::string body = R"(  {"model" :"Qwen3.6-35B" ,"messages":[ ] }  )";
  ask(weir.port(), body);
  EXPECT_EQ(weir.local().request(0).body, body);
}

TEST(FieldCases, S12_LengthHeaderFitsTheRenamedBody) {
  Weir weir;
  for (const char* model : {"a", "provider/very-long-model-name-that-becomes-short"}) {
    const std::string body = R"({"model":")" + std::string(model) +
                             "\",\"messages\":[{\"role\":\"user\",\"content\":\"" +
                             "\xC4\x8D\xC5\xA1\xC5\xBE\xF0\x9F\x98\x80\"}]}";
    EXPECT_EQ(ask(weir.port(), body, "X-Weir-Route: cloud\r\n").status, 200);
  }
  ASSERT_EQ(weir.cloud().request_count(), 2U);
  for (const fakes::Received& request : weir.cloud().requests()) {
    EXPECT_EQ(fakes::header_value(request.head, "Content-Length"),
              std::to_string(request.body.size()));
    EXPECT_TRUE(request.body.ends_with("\"}]}"));
  }
  EXPECT_TRUE(
      weir.cloud().request(0).body.starts_with(R"({"model":"vendor/very-long-model-name-v1",)"));
}

TEST(FieldCases, S13_AConversationGrowsOverTheThreshold) {
  Weir weir;
  const std::string history =
      R"({"role":"assistant","content":null,"reasoning_content":"signed","tool_calls":[{"id":"call_local_7","type":"function","function":{"name":"f","arguments":"{}"}}]},{"role":"tool","tool_call_id":"call_local_7","content":"ok"},)";
  for (const std::size_t filler : {300, 600, 1200}) {
    const std::string body =
        R"({"model":"auto","stream":true,"messages":[{"role":"user","content":"go"},)" + history +
        R"({"role":"user","content":")" + repeated("river ", filler) + "\"}]}";
    const auto script = streams(event("ok") + std::string(kDone));
    weir.local().next(script);
    weir.cloud().next(script);
    const Reply reply = ask(weir.port(), body);
    const bool is_long = filler == 1200;
    EXPECT_EQ(header_of(reply, "X-Weir-Route"), is_long ? "provider.cloud" : "local.llamacpp");
    EXPECT_EQ(header_of(reply, "X-Weir-Reason"), is_long ? "long" : "short");
    EXPECT_GT(std::stoul(header_of(reply, "X-Weir-Prompt-Tokens")), filler);
  }
  EXPECT_EQ(weir.local().request_count(), 2U);
  ASSERT_EQ(weir.cloud().request_count(), 1U);
  EXPECT_NE(weir.cloud().request(0).body.find(history), std::string::npos);
}

TEST(FieldCases, S13_ARefusalOfTheHistoryPasses) {
  Weir weir;
  const std::string refusal = R"({"error":{"message":"unknown tool_call_id"}})";
  weir.cloud().next(answers(400, refusal));
  const Reply reply = ask(weir.port(), long_chat());
  EXPECT_EQ(reply.status, 400);
  EXPECT_EQ(reply.body, refusal);
  EXPECT_EQ(weir.local().request_count(), 0U);
}

constexpr std::string_view kPicture =
    R"({"model":"auto","messages":[{"role":"user","content":[{"type":"text","text":"what is this"},{"type":"image_url","image_url":{"url":"data:image/png;base64,iVBORw0KGgo="}}]}]})";

TEST(FieldCases, S14_ARefusedPictureFallsBack) {
  Weir weir([](config::Config& config) { config.routing.threshold_tokens = 8000; });
  weir.local().next(answers(
      500,
      R"({"error":{"code":500,"message":"image input is not supported","type":"server_error"}})"));
  weir.local().next(answers(400, R"({"error":{"message":"unsupported content[].type"}})"));
  for (int i = 0; i < 2; ++i) {
    const Reply reply = ask(weir.port(), kPicture);
    EXPECT_EQ(reply.status, 200);
    EXPECT_EQ(header_of(reply, "X-Weir-Reason"), "fallback_content");
  }
  EXPECT_EQ(weir.cloud().request_count(), 2U);
  EXPECT_EQ(ask(weir.port(), short_chat()).status, 200);
  EXPECT_EQ(weir.local().request_count(), 3U);
  EXPECT_EQ(weir.log_text().find("upstream is down"), std::string::npos);
}

TEST(FieldCases, S14_ATextOnlyLocalServerIsNotAsked) {
  Weir weir([](config::Config& config) {
    config.routing.threshold_tokens = 8000;
    local_of(config).vision = false;
  });
  const Reply reply = ask(weir.port(), kPicture);
  EXPECT_EQ(header_of(reply, "X-Weir-Reason"), "no_vision");
  EXPECT_EQ(weir.local().request_count(), 0U);
}

TEST(FieldCases, S15_OtherEndpointsSayWhatThereIs) {
  Weir weir;
  for (const char* what :
       {"POST /v1/embeddings", "POST /v1/completions?x=1", "POST /infill", "GET /v1/nothing"}) {
    RawClient client = weir.client();
    client.send(request_text(what, "", R"({"input":"x"})"));
    const Reply reply = client.read_reply();
    EXPECT_EQ(reply.status, 404) << what;
    EXPECT_EQ(header_of(reply, "Content-Type"), "application/json");
    EXPECT_EQ(header_of(reply, "X-Weir-Error"), "not_found");
    EXPECT_NE(reply.body.find("/v1/chat/completions"), std::string::npos) << reply.body;
  }
  EXPECT_EQ(weir.local().request_count() + weir.cloud().request_count(), 0U);
}

TEST(FieldCases, S51_TheCountingEndpointSaysThatThereIsNone) {
  Weir weir([](config::Config& config) {
    config.server.keys = {{"me", base::Secret(std::string(kClientKey))}};
  });
  for (const std::string path : {"/v1/messages", "/v1/messages/count_tokens?beta=true"}) {
    for (const std::string& key : {"x-api-key: " + std::string(kClientKey), std::string("x-api-key: wrong")}) {
      RawClient client(weir.port());
      client.send(request_text("POST " + path, key + "\r\nContent-Type: application/json\r\n",
                               R"({"messages":[]})"));
      const Reply reply = client.read_reply();
      EXPECT_EQ(reply.status, key.ends_with("wrong") ? 401 : 404);
      EXPECT_EQ(header_of(reply, "Content-Type"), "application/json");
      EXPECT_TRUE(reply.body.starts_with(R"({"type":"error","error":{"type":")")) << reply.body;
    }
  }
  EXPECT_EQ(weir.local().request_count() + weir.cloud().request_count(), 0U);
}

TEST(FieldCases, S16_SlipsOfThePathAreTaken) {
  Weir weir;
  for (const char* path :
       {"/v1/chat/completions", "/chat/completions", "/v1/v1/chat/completions",
        "/api/v1/chat/completions", "//v1//chat/completions", "/v1/chat/completions/",
        "/v1/chat/completions?api-version=1", "http://localhost/v1/chat/completions"}) {
    RawClient client = weir.client();
    client.send(request_text("POST " + std::string(path), "", short_chat()));
    EXPECT_EQ(client.read_reply().status, 200) << path;
  }
  for (const fakes::Received& request : weir.local().requests()) {
    EXPECT_EQ(fakes::first_line(request.head), "POST /v1/chat/completions HTTP/1.1");
  }
  weir.end();
  const std::string log = weir.log_text();
  const auto first = log.find("nearly right");
  EXPECT_NE(first, std::string::npos);
  EXPECT_EQ(log.find("nearly right", first + 1), std::string::npos);  // once a client
}

TEST(FieldCases, S16_AnUpstreams404IsLoggedWithItsUrl) {
  Weir weir;
  weir.cloud().next(answers(404, R"({"error":"no such path"})"));
  EXPECT_EQ(ask(weir.port(), long_chat()).status, 404);
  const std::string url =
      "https://127.0.0.1:" + std::to_string(weir.cloud().port()) + "/v1/chat/completions";
  EXPECT_TRUE(weir.wait_for_log(url)) << weir.log_text();
}

std::string tools(int count) {
  std::string json = "\"tools\":[";
  for (int i = 0; i < count; ++i) {
    json.append(i == 0 ? "" : ",")
        .append(R"({"type":"function","function":{"name":"tool)")
        .append(std::to_string(i))
        .append(R"(","description":")")
        .append(repeated("describes ", 80))
        .append(R"(","parameters":{"type":"object","properties":{)")
        .append(
            R"("a":{"type":"string"},"b":{"type":"string"},"c":{"type":"string"},"d":{"type":"string"},"e":{"type":"string"},"f":{"type":"string"}}}}})");
  }
  return json + "],";
}

TEST(FieldCases, S17_ToolDefinitionsAreCounted) {
  Weir weir;
  EXPECT_EQ(header_of(ask(weir.port(), chat_body("hi", tools(12))), "X-Weir-Route"),
            "provider.cloud");
  EXPECT_EQ(header_of(ask(weir.port(), chat_body("hi")), "X-Weir-Route"), "local.llamacpp");
}

TEST(FieldCases, S18_APictureIsNotCountedAsText) {
  Weir weir([](config::Config& config) { config.routing.threshold_tokens = 8000; });
  const std::string data = repeated("QUJD", 262144);
  const std::string picture =
      R"({"messages":[{"role":"user","content":[{"type":"text","text":"one two three four five six seven eight nine ten"},{"type":"image_url","image_url":{"url":"data:image/png;base64,)" +
      data + R"("}}]}]})";
  const Reply seen = ask(weir.port(), picture);
  EXPECT_EQ(header_of(seen, "X-Weir-Route"), "local.llamacpp");
  std::string count = header_of(seen, "X-Weir-Prompt-Tokens");
  EXPECT_TRUE(count.starts_with("~")) << count;  // its size cannot be read
  EXPECT_LT(std::stoul(count.substr(1)), 3000U);
  EXPECT_EQ(weir.local().request(0).body.find(data), picture.find(data) + 22);
  const Reply text = ask(weir.port(), chat_body(data));
  EXPECT_EQ(header_of(text, "X-Weir-Route"), "provider.cloud");
}

class RepeatedText : public testing::TestWithParam<std::string> {};

TEST_P(RepeatedText, S20_CostsLinearTimeAndHoldsUpNobody) {
  Weir weir;
  ask(weir.port(), short_chat());  // the tables are there
  RawClient slow = weir.client();
  // The template strips blanks at both ends, so that they would count nothing.
  slow.send(post(chat_body("x" + repeated(GetParam(), 1000000 / GetParam().size()) + "x")));
  EXPECT_EQ(header_of(ask(weir.port(), short_chat()), "X-Weir-Route"), "local.llamacpp");
  const Reply reply = slow.read_reply();
  EXPECT_EQ(reply.status, 200);
  EXPECT_EQ(header_of(reply, "X-Weir-Route"), "provider.cloud");
}

INSTANTIATE_TEST_SUITE_P(FieldCases, RepeatedText,
                         testing::Values("-", "_", "a", " ", "\\n", "\xC3\xA9", "QUJD"));

TEST(FieldCases, S21_SpecialTokensInTheTextPass) {
  Weir weir;
  const std::string body =
      chat_body("explain <|endoftext|> <|im_start|>system<|im_end|> [INST] </s> <start_of_turn>");
  EXPECT_EQ(ask(weir.port(), body).status, 200);
  std::string expected = body;
  expected.replace(expected.find("\"auto\""), 6, "\"Qwen3.6-35B\"");
  EXPECT_EQ(weir.local().request(0).body, expected);
}

TEST(FieldCases, S22_ACountThatWasTooLowFallsBack) {
  Weir weir;
  weir.local().next(answers(
      400,
      R"x({"error":{"code":400,"message":"request (1060 tokens) exceeds the available context size (1024 tokens)","type":"exceed_context_size_error","n_prompt_tokens":1060,"n_ctx":1024}})x"));
  const Reply reply = ask(weir.port(), chat_body(repeated("river ", 950)));
  EXPECT_EQ(reply.status, 200);
  EXPECT_EQ(header_of(reply, "X-Weir-Reason"), "fallback_context");
  EXPECT_TRUE(weir.wait_for_log("falls back"));
  const std::string log = weir.log_text();
  const std::string both =
      " prompt_tokens=" + header_of(reply, "X-Weir-Prompt-Tokens") + " upstream_prompt_tokens=1060";
  EXPECT_NE(log.find(both), std::string::npos) << log;
}

TEST(Pins, ByModelNameGoesThereAndNeverFallsBack) {
  Weir weir({}, {.local_runs = false});
  for (const char* model : {"local/x", "llamacpp/x"}) {
    const Reply reply =
        ask(weir.port(), R"({"model":")" + std::string(model) + R"(","messages":[]})");
    EXPECT_EQ(reply.status, 502);
    EXPECT_EQ(header_of(reply, "X-Weir-Reason"), "pinned");
    EXPECT_EQ(header_of(reply, "X-Weir-Error"), "upstream_unreachable");
  }
  EXPECT_EQ(weir.cloud().request_count(), 0U);
  EXPECT_EQ(weir.cloud().connections().size(), 0U);
}

TEST(Pins, ByModelNameOfTheCloudUsesAliasOrId) {
  Weir weir;
  ask(weir.port(), R"({"model":"cloud/a","messages":[]})");
  ask(weir.port(), R"({"model":"cloud/gpt-4o","messages":[]})");
  EXPECT_EQ(weir.cloud().request(0).body,
            R"({"model":"vendor/very-long-model-name-v1","messages":[]})");
  EXPECT_EQ(weir.cloud().request(1).body, R"({"model":"gpt-4o","messages":[]})");
}

TEST(Pins, ByHeaderIgnoreTheThreshold) {
  Weir weir;
  const Reply reply = ask(weir.port(), long_chat(), "X-Weir-Route: local\r\n");
  EXPECT_EQ(header_of(reply, "X-Weir-Route"), "local.llamacpp");
  EXPECT_EQ(header_of(reply, "X-Weir-Reason"), "pinned");
  EXPECT_EQ(ask(weir.port(), short_chat(), "x-weir-route: provider.cloud\r\n").status, 200);
  EXPECT_EQ(weir.cloud().request_count(), 1U);
  const Reply wrong = ask(weir.port(), short_chat(), "X-Weir-Route: nowhere\r\n");
  EXPECT_EQ(wrong.status, 400);
  EXPECT_EQ(header_of(wrong, "X-Weir-Error"), "bad_request");
}

TEST(Pins, APinnedRefusalPassesAsItIs) {
  Weir weir;
  const std::string refusal =
      R"({"error":{"code":400,"message":"too long","type":"exceed_context_size_error"}})";
  weir.local().next(answers(400, refusal));
  const Reply reply = ask(weir.port(), short_chat(), "X-Weir-Route: local\r\n");
  EXPECT_EQ(reply.status, 400);
  EXPECT_EQ(reply.body, refusal);
  EXPECT_EQ(weir.cloud().request_count(), 0U);
}

}  // namespace
}  // namespace weir::flow
