#include "weir/openai/chat_request.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <string>

namespace weir::openai {
namespace {

using base::ErrorCode;

ChatRequest parsed(std::string_view body) {
  auto request = ChatRequest::parse(body);
  EXPECT_TRUE(request.has_value()) << (request ? "" : request.error().message);
  return *std::move(request);
}

base::Error refused(std::string_view body) {
  const auto request = ChatRequest::parse(body);
  EXPECT_FALSE(request.has_value()) << body;
  return request ? base::Error{} : request.error();
}

std::string renamed(std::string_view body, std::string_view json_model) {
  std::string out;
  for (const std::string_view slice : parsed(body).with_model(json_model)) {
    out += slice;
  }
  return out;
}

// Case S-11.
constexpr std::string_view kStrangeBody = R"({
  "model": "auto",
  "seed": 18446744073709551617,
  "temperature": 1.0,
  "top_p": 0.10000000000000000555,
  "chat_template_kwargs": {"enable_thinking": false},
  "x_future": [1e2, null, 1e400],
  "messages": [{"role":"user","content":"a nested \"model\": \"auto\" in text", "model": "auto"}]
})";

TEST(ChatRequest, RenamingChangesOnlyTheFirstModel) {
  std::string expected(kStrangeBody);
  expected.replace(expected.find("\"auto\""), 6, "\"gpt-4o-mini\"");
  EXPECT_EQ(renamed(kStrangeBody, "\"gpt-4o-mini\""), expected);
}

TEST(ChatRequest, RenamingLeavesMultiByteTextAlone) {
  EXPECT_EQ(
      renamed(R"({"messages":[{"role":"user","content":"čšž😀"}],"model":"a"})",
              "\"vendor/very-long-model-name-v1\""),
      R"({"messages":[{"role":"user","content":"čšž😀"}],"model":"vendor/very-long-model-name-v1"})");
}

TEST(ChatRequest, RenamingReplacesEveryTopLevelModel) {
  EXPECT_EQ(renamed(R"({"model":"a","messages":[],"mod\u0065l" : null})", "\"b\""),
            R"({"model":"b","messages":[],"mod\u0065l" : "b"})");
}

TEST(ChatRequest, RenamingAddsAMissingModelFirst) {
  EXPECT_EQ(renamed("\n{ \"messages\":[]}", "\"b\""), "\n{\"model\":\"b\", \"messages\":[]}");
}

TEST(ChatRequest, RenamingKeepsAByteOrderMark) {
  EXPECT_EQ(renamed("\xEF\xBB\xBF{\"messages\":[]}", "\"b\""),
            "\xEF\xBB\xBF{\"model\":\"b\",\"messages\":[]}");
}

TEST(ChatRequest, RenamingCopiesNothing) {
  const std::string body = R"({"model":"a","messages":[]})";
  const auto slices = parsed(body).with_model("\"b\"");
  ASSERT_EQ(slices.size(), 3U);
  EXPECT_EQ(slices[0].data(), body.data());
}

TEST(ChatRequest, LastModelCounts) {
  EXPECT_EQ(parsed(R"({"model":"a","messages":[],"model":"b"})").model(), "b");
}

TEST(ChatRequest, ModelIsDecoded) {
  EXPECT_EQ(parsed(R"({"model":"\u0061\/b","messages":[]})").model(), "a/b");
}

TEST(ChatRequest, MissingAndNullModelAreNone) {
  EXPECT_FALSE(parsed(R"({"messages":[]})").model().has_value());
  EXPECT_FALSE(parsed(R"({"messages":[],"model":null})").model().has_value());
  EXPECT_EQ(parsed(R"({"messages":[],"model":""})").model(), "");
}

TEST(ChatRequest, NestedModelIsNotTheModel) {
  EXPECT_FALSE(
      parsed(R"({"messages":[{"model":"x"}],"metadata":{"model":"y"}})").model().has_value());
}

TEST(ChatRequest, SeventeenModelsAreRefused) {
  std::string body = "{\"messages\":[]";
  for (int i = 0; i < 16; ++i) {
    body += ",\"model\":\"a\"";
  }
  EXPECT_EQ(parsed(body + "}").model(), "a");
  EXPECT_EQ(refused(body + ",\"model\":\"a\"}").code, ErrorCode::kBadRequest);
}

TEST(ChatRequest, ReadsStream) {
  EXPECT_TRUE(parsed(R"({"messages":[],"stream":true})").stream());
  EXPECT_FALSE(parsed(R"({"messages":[],"stream":false})").stream());
  EXPECT_FALSE(parsed(R"({"messages":[],"stream":null})").stream());
  EXPECT_FALSE(parsed(R"({"messages":[]})").stream());
}

TEST(ChatRequest, PrefersMaxCompletionTokens) {
  EXPECT_EQ(parsed(R"({"messages":[],"max_completion_tokens":7,"max_tokens":9})").output_tokens(),
            7U);
  EXPECT_EQ(
      parsed(R"({"messages":[],"max_completion_tokens":null,"max_tokens":9})").output_tokens(), 9U);
}

TEST(ChatRequest, UnusableOutputTokensAreNone) {
  for (const char* value : {"null", "-1", "\"5\"", "[1]", "1e400"}) {
    const std::string body = "{\"messages\":[],\"max_tokens\":" + std::string(value) + "}";
    EXPECT_FALSE(parsed(body).output_tokens().has_value()) << value;
  }
}

TEST(ChatRequest, ReadsTheTimeout) {
  EXPECT_EQ(parsed(R"({"messages":[],"timeout":2.5})").timeout_seconds(), 2.5);
  EXPECT_FALSE(parsed(R"({"messages":[],"timeout":"soon"})").timeout_seconds().has_value());
}

TEST(ChatRequest, CountsContentParts) {
  const std::string body = R"({"messages":[{"role":"user","content":[
    {"type":"text","text":"what is this"},
    {"type":"image_url","image_url":{"url":"data:image/png;base64,iVBORw0KGgo="}},
    {"type":"image_url","image_url":{"url":"data:image/png;base64,iVBORw0KGgo="}},
    {"type":"input_audio","input_audio":{}}, {"type":"file","file":{}}, null, 5, "image_url"]}]})";
  const ChatRequest request = parsed(body);
  EXPECT_EQ(request.images(), 2U);
  EXPECT_EQ(request.audios(), 1U);
  EXPECT_EQ(request.files(), 1U);
}

TEST(ChatRequest, ToleratesWhatItNeedNotUnderstand) {
  for (const char* body :
       {R"({"messages":[{"role":5,"content":{"a":1}}],"tools":{},"temperature":"hot"})",
        R"({"messages":[{}]})", R"({"messages":[],"tools":"x","chat_template_kwargs":7})"}) {
    EXPECT_TRUE(ChatRequest::parse(body).has_value()) << body;
  }
}

TEST(ChatRequest, HalfASurrogatePairPasses) {
  EXPECT_TRUE(
      ChatRequest::parse(R"({"model":"m","messages":[{"role":"user","content":"cut \ud83d"}]})")
          .has_value());
  EXPECT_TRUE(
      ChatRequest::parse(R"({"model":"m","messages":[{"role":"user","content":"cut \udc00"}]})")
          .has_value());
}

TEST(ChatRequest, InvalidUtf8IsBadJsonAndNamesTheByte) {
  const base::Error error = refused("{\"messages\":[{\"role\":\"user\",\"content\":\"a\xFF\"}]}");
  EXPECT_EQ(error.code, ErrorCode::kBadJson);
  EXPECT_NE(error.message.find("at byte 40"), std::string::npos) << error.message;
}

TEST(ChatRequest, DeepNestingIsRefusedInEveryForm) {
  const std::string open(100000, '[');
  const std::string close(100000, ']');
  std::string objects;
  for (int i = 0; i < 100000; ++i) {
    objects += "{\"a\":";
  }
  const std::string tail(100000, '}');
  EXPECT_EQ(refused("{\"messages\":[],\"x\":" + open + close + "}").code, ErrorCode::kBadJson);
  EXPECT_EQ(refused("{\"messages\":[],\"x\":" + objects + "1" + tail + "}").code,
            ErrorCode::kBadJson);
  EXPECT_EQ(refused("{\"messages\":[],\"x\":" + open).code, ErrorCode::kBadJson);
}

TEST(ChatRequest, WhatIsNoJsonIsBadJson) {
  for (const char* body : {"", "{", "{\"messages\":[]", "messages"}) {
    EXPECT_EQ(refused(body).code, ErrorCode::kBadJson) << body;
  }
}

TEST(ChatRequest, RefusalsNameTheField) {
  const struct {
    const char* body;
    const char* word;
  } kCases[] = {{"[]", "object"},
                {"\"x\"", "object"},
                {"{}", "\"messages\" is missing"},
                {R"({"model":5})", "\"model\""},
                {R"({"messages":"hi"})", "\"messages\" must be an array"},
                {R"({"messages":null})", "\"messages\" must be an array"},
                {R"({"messages":[{},null]})", "\"messages[1]\""},
                {R"({"messages":[],"stream":"true"})", "\"stream\""},
                {R"({"messages":[],"stream":1})", "\"stream\""},
                {R"({"input":"hi"})", "Responses"}};
  for (const auto& [body, word] : kCases) {
    const base::Error error = refused(body);
    EXPECT_EQ(error.code, ErrorCode::kBadRequest) << body;
    EXPECT_NE(error.message.find(word), std::string::npos) << body << "\n" << error.message;
  }
}

TEST(JsonQuoted, EscapesWhatMustBe) {
  EXPECT_EQ(nlohmann::json::parse(json_quoted("a\"\\\n\x01é")), "a\"\\\n\x01é");
  EXPECT_EQ(json_quoted("\xFF"), "\"\uFFFD\"");
}

}  // namespace
}  // namespace weir::openai
