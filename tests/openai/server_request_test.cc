#include "server_request.h"

#include <gtest/gtest.h>

#include <string>

namespace weir::openai {
namespace {

base::Result<ServerRequest> read(const std::string& members) {
  const std::string body = "{" + members + "}";
  const auto request = ChatRequest::parse(body);
  EXPECT_TRUE(request.has_value()) << body;
  return read_server_request(*request);
}

std::string refusal(const std::string& members) {
  const auto request = read(members);
  return request ? "" : request.error().message;
}

std::string with_message(const std::string& message, const std::string& more = "") {
  return "\"messages\":[" + message + "]" + more;
}

const std::string kUser = R"({"role":"user","content":"hi"})";

TEST(ServerRequest, ReadsAMessageWithAllItCanHave) {
  const auto request = read(with_message(
      R"({"role":"assistant","content":null,"reasoning_content":"r","name":"n","tool_calls":[
        {"type":"function","id":"i","function":{"name":"f","arguments":{"b":1,"a":40.0}}},
        {"type":"function","function":{"name":"g","arguments":"{ }"}}]},
      {"role":"tool","tool_call_id":"i","content":[{"type":"text","text":"x"},{"type":"text","text":"y"}]})"));
  ASSERT_TRUE(request.has_value());
  const ServerMessage& first = request->messages[0];
  EXPECT_EQ(first.content, "");
  EXPECT_EQ(first.reasoning, "r");
  EXPECT_EQ(first.name, "n");
  EXPECT_EQ(first.calls[0].arguments, R"({"b":1,"a":40.0})");
  EXPECT_EQ(first.calls[0].id, "i");
  EXPECT_EQ(first.calls[1].arguments, "{ }");
  EXPECT_EQ(request->messages[1].whole_text(), "x\n\ny");
  EXPECT_EQ(request->messages[1].tool_call_id, "i");
}

TEST(ServerRequest, RefusesMessagesAsTheServerDoes) {
  EXPECT_EQ(refusal(with_message(R"({"content":"x"})")), "a message has no role");
  EXPECT_EQ(refusal(with_message(R"({"role":"user"})")), "a message has no content");
  EXPECT_EQ(refusal(with_message(R"({"role":"user","content":5})")),
            "content is neither text nor parts");
  EXPECT_EQ(refusal(with_message(R"({"role":"user","content":[{"type":"text"}]})")),
            "a text part has no text");
  EXPECT_EQ(refusal(with_message(R"({"role":"user","content":"x","name":null})")),
            "the name of a message is no string");
  EXPECT_EQ(refusal(with_message(R"({"role":"user","content":"\ud800"})")),
            "half a surrogate pair, or a number out of range");
}

TEST(ServerRequest, KeepsThreeThingsOfATool) {
  const auto request = read(with_message(
      kUser,
      R"(,"tools":[{"type":"function","function":{"strict":true,"parameters":{"x":1},"name":"f"}}])"));
  ASSERT_TRUE(request.has_value());
  EXPECT_EQ(
      request->tools.dump(),
      R"([{"type":"function","function":{"name":"f","description":"","parameters":{"x":1}}}])");
  EXPECT_TRUE(read(with_message(kUser, R"(,"tools":[])"))->tools.is_null());
  EXPECT_EQ(refusal(with_message(kUser, R"(,"tools":{})")), "tools is no array");
  EXPECT_NE(refusal(with_message(kUser, R"(,"tools":[{"type":"function","function":{}}])")), "");
}

TEST(ServerRequest, ALastAssistantGoesOn) {
  const std::string last = kUser + R"(,{"role":"assistant","content":"a"})";
  EXPECT_EQ(read(with_message(last))->continues, Continue::kUndecided);
  EXPECT_FALSE(read(with_message(last))->adds_generation_prompt);
  EXPECT_EQ(read(with_message(kUser))->continues, Continue::kNo);
  EXPECT_EQ(refusal(with_message(last + R"(,{"role":"assistant","content":"b"})")),
            "two messages of the assistant are at the end");
}

TEST(ServerRequest, AnyMessageGoesOnWhenAsked) {
  const std::string wish = R"(,"continue_final_message":"content")";
  EXPECT_NE(refusal(with_message(kUser, wish)), "");
  EXPECT_EQ(read(with_message(kUser, wish + R"(,"add_generation_prompt":false)"))->continues,
            Continue::kContent);
}

TEST(ServerRequest, VariablesAreThoseOfTheRequestOverTheServersOwn) {
  EXPECT_EQ(read(with_message(kUser))->variables.dump(), R"({"preserve_reasoning":true})");
  const auto request = read(with_message(
      kUser,
      R"(,"chat_template_kwargs":{"preserve_reasoning":false,"x":[1]},"reasoning_effort":"low")"));
  EXPECT_EQ(request->variables.dump(),
            R"({"preserve_reasoning":false,"x":[1],"reasoning_effort":"low"})");
  EXPECT_FALSE(request->turns_thinking_off);
  EXPECT_TRUE(read(with_message(kUser, R"(,"reasoning_effort":"none")"))->turns_thinking_off);
  EXPECT_EQ(refusal(with_message(kUser, R"(,"chat_template_kwargs":{"enable_thinking":"no"})")),
            "enable_thinking is a string");
}

TEST(ServerRequest, VariablesHaveALimit) {
  std::string kwargs;
  for (int i = 0; i < 257; ++i) {
    kwargs += (i == 0 ? "\"v" : ",\"v") + std::to_string(i) + "\":1";
  }
  EXPECT_NE(refusal(with_message(kUser, ",\"chat_template_kwargs\":{" + kwargs + "}")), "");
}

TEST(ServerRequest, TheSchemaOfTheAnswerComesInThreeForms) {
  const auto schema = [](const std::string& more) {
    return read(with_message(kUser, more))->schema.dump();
  };
  EXPECT_EQ(schema(""), "null");
  EXPECT_EQ(schema(R"(,"response_format":{"type":"text"})"), "null");
  EXPECT_EQ(schema(R"(,"response_format":{"type":"json_object"})"), R"({"type":"object"})");
  EXPECT_EQ(schema(R"(,"response_format":{"type":"json_schema","json_schema":{"schema":{"a":1}}})"),
            R"({"a":1})");
  EXPECT_EQ(schema(R"(,"json_schema":{"b":2})"), R"({"b":2})");
  EXPECT_EQ(refusal(with_message(kUser, R"(,"response_format":{"type":"xml"})")),
            "the type of response_format is not known");
}

}  // namespace
}  // namespace weir::openai
