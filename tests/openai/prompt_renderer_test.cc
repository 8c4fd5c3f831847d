#include "weir/openai/prompt_renderer.h"

#include <gtest/gtest.h>

#include <string>

namespace weir::openai {
namespace {

// Every message in one line, then where an answer begins. Made for these tests.
const std::string kPlain =
    "{{ bos_token }}{% for m in messages %}({{ m.role }}) {{ m.content }}\n{% endfor %}"
    "{% if add_generation_prompt %}(assistant) {% endif %}";

// Shows thoughts, and takes contents in parts.
const std::string kThinking =
    "{% for m in messages %}({{ m.role }}) "
    "{% if m.reasoning_content %}<think>{{ m.reasoning_content }}</think>{% endif %}"
    "{% if m.content is string %}{{ m.content }}{% else %}"
    "{% for part in m.content %}{{ part.text }}{% endfor %}{% endif %};{% endfor %}"
    "{% if add_generation_prompt %}(assistant) {% if enable_thinking %}<think>{% endif %}"
    "{% endif %}";

struct Prompt {
  std::string chat_template;
  std::string members;
  ServerRules rules = {};
  std::string tool_template = "";

  PromptText text() const {
    const auto renderer = PromptRenderer::make({chat_template, tool_template, "<s>", "</s>"});
    EXPECT_TRUE(renderer.has_value()) << renderer.error().message;
    const std::string body = "{" + members + "}";
    const auto request = ChatRequest::parse(body);
    EXPECT_TRUE(request.has_value()) << body;
    return (*renderer)->render(*request, rules);
  }
};

const std::string kUser = R"({"role":"user","content":"hi"})";
const std::string kHello = "\"messages\":[" + kUser + "]";

std::string messages(const std::string& list, const std::string& more = "") {
  return "\"messages\":[" + list + "]" + more;
}

TEST(PromptRenderer, RendersTheTemplateOfTheModel) {
  const PromptText prompt = Prompt{kPlain, kHello}.text();
  EXPECT_EQ(prompt.text, "<s>(user) hi\n(assistant) ");
  EXPECT_FALSE(prompt.is_estimate) << prompt.why_estimate;
}

TEST(PromptRenderer, ADoubledBosIsTakenAway) {
  ServerRules rules;
  rules.adds_bos = true;
  EXPECT_EQ((Prompt{kPlain, kHello, rules}.text().text), "(user) hi\n(assistant) ");
}

TEST(PromptRenderer, WithoutATemplateItIsChatMl) {
  const std::string chatml = "<|im_start|>user\nhi<|im_end|>\n<|im_start|>assistant\n";
  EXPECT_EQ((Prompt{"", kHello}.text().text), chatml);
  EXPECT_EQ((Prompt{"chatml", kHello}.text().text), chatml);
}

TEST(PromptRenderer, ATemplateForToolsServesRequestsThatHaveThem) {
  const std::string tools = R"(,"tools":[{"type":"function","function":{"name":"f"}}])";
  EXPECT_EQ((Prompt{"plain", kHello, {}, "tools"}.text().text), "plain");
  EXPECT_EQ((Prompt{"plain", kHello + tools, {}, "tools"}.text().text), "tools");
}

TEST(PromptRenderer, DeveloperIsSystemToMostTemplates) {
  const std::string developer = messages(R"({"role":"developer","content":"d"},)" + kUser);
  EXPECT_TRUE((Prompt{kPlain, developer}.text().text.starts_with("<s>(system) d\n")));
  EXPECT_TRUE((Prompt{"{# <|channel|> #}" + kPlain, developer}.text().text.starts_with(
      "<s>(developer) d\n")));
}

TEST(PromptRenderer, ASystemMessageJoinsTheNextWhereNoneIsKnown) {
  const std::string no_system =
      "{% for m in messages %}{% if m.role != 'system' %}[{{ m.content }}]{% endif %}{% endfor %}";
  EXPECT_EQ(
      (Prompt{no_system, messages(R"({"role":"system","content":"s"},)" + kUser)}.text().text),
      "[s\nhi]");
}

TEST(PromptRenderer, PartsAreJoinedForTemplatesThatTakeText) {
  const std::string parts = messages(
      R"({"role":"user","content":[{"type":"text","text":"a"},{"type":"text","text":"b"}]})");
  EXPECT_EQ((Prompt{kPlain, parts}.text().text), "<s>(user) a\nb\n(assistant) ");
}

TEST(PromptRenderer, PartsStayPartsForTemplatesThatTakeThem) {
  const std::string parts = messages(
      R"({"role":"user","content":[{"type":"text","text":"a"},{"type":"text","text":"b"}]})");
  ServerRules rules;
  rules.parts = TextParts::kJoined;
  const PromptText prompt = Prompt{kThinking, parts, rules}.text();
  EXPECT_TRUE(prompt.text.starts_with("(user) ab;")) << prompt.text;
  EXPECT_FALSE(prompt.is_estimate) << prompt.why_estimate;
}

TEST(PromptRenderer, ThinkingIsOnWhereTheTemplateKnowsIt) {
  EXPECT_EQ((Prompt{kThinking, kHello}.text().text), "(user) hi;(assistant) <think>");
  const std::string off = R"(,"chat_template_kwargs":{"enable_thinking":false})";
  EXPECT_EQ((Prompt{kThinking, kHello + off}.text().text), "(user) hi;(assistant) ");
  EXPECT_EQ((Prompt{"{{ enable_thinking }}", kHello}.text().text), "False");
}

TEST(PromptRenderer, ALastAnswerGoesOnWithItsThought) {
  const std::string last = R"(,{"role":"assistant","content":"so","reasoning_content":"hm"})";
  EXPECT_EQ((Prompt{kThinking, messages(kUser + last)}.text().text),
            "(user) hi;(assistant) <think>hm</think>so");
  EXPECT_EQ(
      (Prompt{kThinking, messages(kUser + last, R"(,"continue_final_message":"reasoning_content",)"
                                                R"("add_generation_prompt":false)")}
           .text()
           .text),
      "(user) hi;(assistant) <think>hm");
}

TEST(PromptRenderer, ArgumentsAreObjectsWhereTheTemplateTakesThem) {
  const std::string call =
      R"(,{"role":"assistant","tool_calls":[{"type":"function","function":{"name":"f","arguments":)";
  const std::string as_object =
      "{% for m in messages %}{% for c in m.tool_calls or [] %}{{ c.function.name }}"
      "{% for k, v in c.function.arguments.items() %}<{{ k }}={{ v }}>{% endfor %}{% endfor %}"
      "{% endfor %}";
  EXPECT_EQ(
      (Prompt{as_object, messages(kUser + call + R"("{\"a\": 1}"}}]},)" + kUser)}.text().text),
      "f<a=1>");
  const PromptText refused =
      Prompt{as_object, messages(kUser + call + R"("no json"}}]},)" + kUser)}.text();
  EXPECT_TRUE(refused.is_estimate);
}

TEST(PromptRenderer, WhatTheServerAddsToTheVariables) {
  const std::string shows = "{{ preserve_thinking }} {{ clear_thinking }} {{ reasoning_strength }}";
  EXPECT_EQ((Prompt{shows, kHello + R"(,"reasoning_effort":"low")"}.text().text), "True False low");
  EXPECT_EQ((Prompt{shows, kHello + R"(,"chat_template_kwargs":{"preserve_reasoning":false})"}
                 .text()
                 .text),
            "False True ");
}

TEST(PromptRenderer, TheTextsOfTokensAreTheServersOwn) {
  EXPECT_EQ((Prompt{kPlain, kHello + R"(,"chat_template_kwargs":{"bos_token":"x"})"}.text().text),
            "<s>(user) hi\n(assistant) ");
}

TEST(PromptRenderer, ARefusalIsAnEstimateThatSaysSo) {
  const PromptText raised = Prompt{"{{ raise_exception('secret') }}", kHello}.text();
  EXPECT_TRUE(raised.is_estimate);
  EXPECT_EQ(raised.why_estimate, "llama-server would refuse this request: its chat template does");
  EXPECT_NE(raised.text.find("hi"), std::string::npos);
  const PromptText malformed = Prompt{kPlain, messages(R"({"role":"user"})")}.text();
  EXPECT_TRUE(malformed.is_estimate);
  EXPECT_EQ(malformed.why_estimate,
            "llama-server would refuse this request: a message has no content");
}

TEST(PromptRenderer, AnAnswerBegunMustFitItsFormatWhereNothingStandsBeforeIt) {
  const std::string bare = "{% for m in messages %}[{{ m.content }}]{% endfor %}";
  const auto estimate = [&](const std::string& chat_template, const std::string& begun) {
    return Prompt{chat_template,
                  messages(kUser + R"(,{"role":"assistant","content":")" + begun + "\"}",
                           R"(,"response_format":{"type":"json_object"})")}
        .text()
        .is_estimate;
  };
  EXPECT_TRUE(estimate(bare, "no"));
  EXPECT_FALSE(estimate(bare, "null"));
  EXPECT_FALSE(estimate(bare, "{"));
  EXPECT_FALSE(estimate(kPlain, "no"));
}

TEST(PromptRenderer, AFractionIsUncertainWhereTheServerIsUnknown) {
  const std::string tools =
      R"(,"tools":[{"type":"function","function":{"name":"f","parameters":{"x":40.0}}}])";
  const std::string prints = "{{ tools | tojson }}";
  EXPECT_TRUE((Prompt{prints, kHello + tools}.text().is_estimate));
  ServerRules rules;
  rules.fractions = Fractions::kExact;
  const PromptText exact = Prompt{prints, kHello + tools, rules}.text();
  EXPECT_FALSE(exact.is_estimate);
  EXPECT_NE(exact.text.find("40.0"), std::string::npos);
}

TEST(PromptRenderer, APictureLeavesAMark) {
  const PromptText prompt =
      Prompt{
          kPlain,
          messages(R"({"role":"user","content":[{"type":"text","text":"a"},{"type":"image_url"},)"
                   R"({"type":"text","text":"b"}]})")}
          .text();
  EXPECT_EQ(prompt.text, "<s>(user) a" + std::string(kMediaMark) + "b\n(assistant) ");
  EXPECT_EQ(prompt.media.size(), 1U);
  EXPECT_FALSE(prompt.is_estimate) << prompt.why_estimate;
}

TEST(PromptRenderer, AnEndlessTemplateIsStopped) {
  const PromptText prompt =
      Prompt{"{% for a in range(99999) %}{% for b in range(99999) %}{% endfor %}{% endfor %}",
             kHello}
          .text();
  EXPECT_TRUE(prompt.is_estimate);
  EXPECT_EQ(prompt.why_estimate, "the chat template takes too long for this request");
}

TEST(PromptRenderer, WhatIsNoTemplateIsRefused) {
  EXPECT_FALSE(PromptRenderer::make({"{% if %}", "", "", ""}).has_value());
  EXPECT_TRUE(PromptRenderer::make({"x", "{% if %}", "", ""}).has_value());
}

}  // namespace
}  // namespace weir::openai
