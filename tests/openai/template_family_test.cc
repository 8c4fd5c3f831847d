#include "template_family.h"

#include <gtest/gtest.h>

namespace weir::openai {
namespace {

Json adjusted(TemplateFamily family, const char* text) {
  Json messages = Json::parse(text);
  adjust_messages(family, messages);
  return messages;
}

TEST(TemplateFamily, GoesByMarks) {
  EXPECT_EQ(template_family("{{ messages }}"), TemplateFamily::kOther);
  EXPECT_EQ(template_family("<|channel|>"), TemplateFamily::kGptOss);
  EXPECT_EQ(template_family("<tool_call><function=<parameter="), TemplateFamily::kQwen3Coder);
  EXPECT_EQ(template_family("<tool_call><function=<parameter=<think>"),
            TemplateFamily::kQwen3Thinks);
  EXPECT_EQ(template_family("dsml_token DSML function_calls tool_calls"),
            TemplateFamily::kDeepSeekV32);
  EXPECT_EQ(template_family("dsml_token DSML tool_calls"), TemplateFamily::kDeepSeekV4);
}

TEST(TemplateFamily, AnAbsentMarkDecides) {
  const std::string text = "[SYSTEM_PROMPT][TOOL_CALLS][ARGS]";
  EXPECT_EQ(template_family(text), TemplateFamily::kMinistral3);
  EXPECT_EQ(template_family(text + "[CALL_ID]"), TemplateFamily::kOther);
}

TEST(PatchedTemplate, TakesAKnownCheckOut) {
  const std::string check =
      "{%- if \"<|channel|>analysis<|message|>\" in message.content or "
      "\"<|channel|>final<|message|>\" in message.content %}";
  EXPECT_EQ(patched_template("a" + check + "b" + check), "a{%- if false %}b{%- if false %}");
  EXPECT_EQ(patched_template("nothing of it"), "nothing of it");
}

TEST(AdjustMessages, GptOssCallsTheReasoningThinking) {
  const Json messages = adjusted(TemplateFamily::kGptOss,
                                 R"([{"role":"assistant","content":"c","reasoning_content":"r"},
      {"role":"assistant","content":"c","reasoning_content":"r","tool_calls":[{}]}])");
  EXPECT_EQ(messages[0]["thinking"], "r");
  EXPECT_EQ(messages[0]["content"], "c");
  EXPECT_FALSE(messages[1].contains("content"));
}

TEST(AdjustMessages, MinistralTakesThinkingAsAPart) {
  const Json messages = adjusted(
      TemplateFamily::kMinistral3,
      R"([{"role":"assistant","content":"c","reasoning_content":"r"},{"role":"user","content":"u"}])");
  EXPECT_EQ(messages[0]["content"].dump(),
            R"([{"type":"thinking","thinking":"r"},{"type":"text","text":"c"}])");
  EXPECT_FALSE(messages[0].contains("reasoning_content"));
  EXPECT_EQ(messages[1]["content"], "u");
}

TEST(AdjustMessages, TheOldGemma4TakesCallsResultsAndAnswerInOne) {
  const Json messages = adjusted(TemplateFamily::kGemma4Old,
                                 R"([{"role":"assistant","content":"","tool_calls":[
        {"function":{"name":"f","arguments":{}}}],"reasoning_content":"r"},
      {"role":"tool","content":"{\"a\":1}"},{"role":"tool","content":"no json","tool_call_id":"i"},
      {"role":"assistant","content":"done"},{"role":"user","content":"u"}])");
  ASSERT_EQ(messages.size(), 2U);
  EXPECT_EQ(messages[0]["tool_responses"].dump(),
            R"([{"name":"f","response":{"a":1}},{"name":"i","response":"no json"}])");
  EXPECT_EQ(messages[0]["content"], "done");
  EXPECT_EQ(messages[0]["reasoning_content"], "r");
}

TEST(AdjustMessages, DeepSeekV4SortsResultsByTheirCalls) {
  const Json messages =
      adjusted(TemplateFamily::kDeepSeekV4,
               R"([{"role":"assistant","tool_calls":[{"id":"a"},{"id":"b"},{"id":"c"}]},
      {"role":"tool","tool_call_id":"c"},{"role":"user"},{"role":"tool","tool_call_id":"a"},
      {"role":"tool","tool_call_id":"b"}])");
  EXPECT_EQ(messages[1]["tool_call_id"], "a");
  EXPECT_EQ(messages[2]["role"], "user");
  EXPECT_EQ(messages[3]["tool_call_id"], "b");
  EXPECT_EQ(messages[4]["tool_call_id"], "c");
}

TEST(ContinuedForm, DeepSeekV4WithoutAThoughtClosesThinking) {
  ServerMessage message;
  EXPECT_FALSE(continued_form(TemplateFamily::kDeepSeekV4, message, "", "").has_thinking);
  message.reasoning = "r";
  EXPECT_EQ(continued_form(TemplateFamily::kDeepSeekV4, message, "", "").think_open, "<think>");
}

TEST(ContinuedForm, Gemma4OpensATurnBehindAClosedOne) {
  const ServerMessage message;
  EXPECT_EQ(continued_form(TemplateFamily::kGemma4, message, "x<turn|>\n", "").opening,
            "<|turn>model\n");
  EXPECT_EQ(continued_form(TemplateFamily::kGemma4, message, "x", "").opening, "");
}

}  // namespace
}  // namespace weir::openai
