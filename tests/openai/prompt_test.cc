#include "weir/openai/prompt.h"

#include <gtest/gtest.h>

#include <string>

namespace weir::openai {
namespace {

PromptText rendered(const std::string& members, ChatTemplate chat_template = ChatTemplate::kQwen35,
                    const ServerRules& rules = {}) {
  const std::string body = "{" + members + "}";
  const auto request = ChatRequest::parse(body);
  EXPECT_TRUE(request.has_value()) << body;
  return request ? render_prompt(*request, chat_template, rules) : PromptText{};
}

PromptText of_messages(const std::string& messages,
                       ChatTemplate chat_template = ChatTemplate::kQwen35) {
  return rendered("\"messages\":[" + messages + "]", chat_template);
}

const std::string kUser = R"({"role":"user","content":"hi"})";
const std::string kAnswer = "<|im_start|>assistant\n<think>\n";
const std::string kHi = "<|im_start|>user\nhi<|im_end|>\n";

TEST(RenderPrompt, OneQuestion) {
  const PromptText prompt = of_messages(kUser);
  EXPECT_EQ(prompt.text, kHi + kAnswer);
  EXPECT_FALSE(prompt.is_estimate);
}

TEST(RenderPrompt, Qwen3DoesNotOpenThinking) {
  EXPECT_EQ(of_messages(kUser, ChatTemplate::kQwen3).text, kHi + "<|im_start|>assistant\n");
}

TEST(RenderPrompt, Qwen25HasItsOwnSystemMessage) {
  EXPECT_EQ(of_messages(kUser, ChatTemplate::kQwen25).text,
            "<|im_start|>system\nYou are Qwen, created by Alibaba Cloud. You are a helpful "
            "assistant.<|im_end|>\n" +
                kHi + "<|im_start|>assistant\n");
}

TEST(RenderPrompt, ThinkingCanBeTurnedOff) {
  const std::string off = kHi + "<|im_start|>assistant\n<think>\n\n</think>\n\n";
  const std::string messages = "\"messages\":[" + kUser + "]";
  EXPECT_EQ(rendered(messages + R"(,"chat_template_kwargs":{"enable_thinking":false})").text, off);
  EXPECT_EQ(rendered(messages + R"(,"reasoning_effort":"none")").text, off);
  EXPECT_EQ(rendered(messages + R"(,"reasoning_effort":"high")").text, kHi + kAnswer);
}

TEST(RenderPrompt, TemplateArgumentsCountBeforeReasoningEffort) {
  EXPECT_EQ(
      rendered("\"messages\":[" + kUser +
               R"(],"reasoning_effort":"none","chat_template_kwargs":{"enable_thinking":true})")
          .text,
      kHi + kAnswer);
}

TEST(RenderPrompt, DeveloperIsSystem) {
  EXPECT_EQ(of_messages(R"({"role":"developer","content":" be brief\n"},)" + kUser).text,
            "<|im_start|>system\nbe brief<|im_end|>\n" + kHi + kAnswer);
}

TEST(RenderPrompt, ContentIsTrimmedForQwen35Only) {
  const std::string spaced = R"({"role":"user","content":"\n a \t"})";
  EXPECT_EQ(of_messages(spaced).text, "<|im_start|>user\na<|im_end|>\n" + kAnswer);
  EXPECT_EQ(of_messages(spaced, ChatTemplate::kQwen3).text,
            "<|im_start|>user\n\n a \t<|im_end|>\n<|im_start|>assistant\n");
}

TEST(RenderPrompt, ReasoningOfEarlierTurnsIsDropped) {
  const std::string answer = R"({"role":"assistant","content":"4","reasoning_content":"why"},)";
  EXPECT_EQ(of_messages(kUser + "," + answer + kUser).text,
            kHi + "<|im_start|>assistant\n4<|im_end|>\n" + kHi + kAnswer);
}

TEST(RenderPrompt, ThinkTagsInAnEarlierAnswerAreDropped) {
  const std::string answer = R"({"role":"assistant","content":"<think>\nwhy\n</think>\n\n4"},)";
  EXPECT_EQ(of_messages(kUser + "," + answer + kUser).text,
            kHi + "<|im_start|>assistant\n4<|im_end|>\n" + kHi + kAnswer);
}

TEST(RenderPrompt, ToolRoundTripOfQwen35) {
  const std::string call =
      R"({"role":"assistant","content":null,"reasoning_content":" why ","tool_calls":[{"id":"c","type":"function",)"
      R"("function":{"name":"f","arguments":"{\"a\":\"x\\ny\",\"b\":true,\"c\":[1,{\"d\":null}],\"e\":null}"}}]},)";
  const std::string results = R"({"role":"tool","content":"r1"},{"role":"tool","content":"r2"})";
  EXPECT_EQ(of_messages(kUser + "," + call + results).text,
            kHi +
                "<|im_start|>assistant\n<think>\nwhy\n</think>\n\n<tool_call>\n<function=f>\n"
                "<parameter=a>\nx\ny\n</parameter>\n<parameter=b>\nTrue\n</parameter>\n"
                "<parameter=c>\n[1, {\"d\": null}]\n</parameter>\n<parameter=e>\nNone\n"
                "</parameter>\n</function>\n</tool_call><|im_end|>\n"
                "<|im_start|>user\n<tool_response>\nr1\n</tool_response>"
                "\n<tool_response>\nr2\n</tool_response><|im_end|>\n" +
                kAnswer);
}

TEST(RenderPrompt, ToolCallsOfQwen3AreJson) {
  const std::string call = R"({"role":"assistant","content":"ok","tool_calls":[)"
                           R"({"type":"function","function":{"name":"f","arguments":"{\"a\":1}"}},)"
                           R"({"type":"function","function":{"name":"g","arguments":{}}}]},)";
  EXPECT_EQ(of_messages(kUser + "," + call + kUser, ChatTemplate::kQwen3).text,
            kHi +
                "<|im_start|>assistant\nok\n<tool_call>\n{\"name\": \"f\", \"arguments\": "
                "{\"a\": 1}}\n</tool_call>\n<tool_call>\n{\"name\": \"g\", \"arguments\": {}}\n"
                "</tool_call><|im_end|>\n" +
                kHi + "<|im_start|>assistant\n");
}

TEST(RenderPrompt, ToolsAreReducedToWhatTheServerKeeps) {
  const std::string text =
      rendered("\"messages\":[" + kUser +
                   R"(],"tools":[{"function":{"strict":true,"parameters":{"x":1},"name":"f"},)"
                   R"("type":"function","extra":1},{"type":"function","function":{"name":"g"}}])",
               ChatTemplate::kQwen3)
          .text;
  EXPECT_NE(text.find("<tools>\n{\"type\": \"function\", \"function\": {\"name\": \"f\", "
                      "\"description\": \"\", \"parameters\": {\"x\": 1}}}\n"
                      "{\"type\": \"function\", \"function\": {\"name\": \"g\", "
                      "\"description\": \"\", \"parameters\": {}}}\n</tools>"),
            std::string::npos)
      << text;
}

TEST(RenderPrompt, LastAnswerGoesOn) {
  EXPECT_EQ(of_messages(kUser + R"(,{"role":"assistant","content":" 1. a\n"})").text,
            kHi + "<|im_start|>assistant\n<think>\n\n</think>\n\n 1. a\n");
}

TEST(RenderPrompt, LastReasoningGoesOn) {
  EXPECT_EQ(
      of_messages(kUser + R"(,{"role":"assistant","content":"","reasoning_content":"why"})").text,
      kHi + "<|im_start|>assistant\n<think>\nwhy");
}

TEST(RenderPrompt, EmptyLastAnswerIsLeftOut) {
  EXPECT_EQ(of_messages(kUser + R"(,{"role":"assistant","content":""})").text, kHi);
}

TEST(RenderPrompt, TextPartsAreJoinedAsTheServerDoes) {
  const std::string members = R"("messages":[{"role":"user","content":[)"
                              R"({"type":"text","text":"a"},{"type":"text","text":"b"}]}])";
  const auto with = [&](TextParts parts) {
    return rendered(members, ChatTemplate::kQwen35, {parts, Fractions::kUnknown});
  };
  EXPECT_EQ(with(TextParts::kLines).text, "<|im_start|>user\na\nb<|im_end|>\n" + kAnswer);
  EXPECT_EQ(with(TextParts::kJoined).text, "<|im_start|>user\nab<|im_end|>\n" + kAnswer);
  EXPECT_FALSE(with(TextParts::kJoined).is_estimate);
  EXPECT_EQ(with(TextParts::kUnknown).text, with(TextParts::kLines).text);
  EXPECT_TRUE(with(TextParts::kUnknown).is_estimate);
}

TEST(RenderPrompt, FractionsOfUnknownFormAreAnEstimate) {
  const std::string members = "\"messages\":[" + kUser +
                              R"(],"tools":[{"type":"function","function":{"name":"f",)"
                              R"("parameters":{"maximum":1.0}}}])";
  EXPECT_TRUE(rendered(members).is_estimate);
  EXPECT_FALSE(rendered(members, ChatTemplate::kQwen3, {TextParts::kUnknown, Fractions::kShort})
                   .is_estimate);
}

PromptText with_parts(const std::string& parts) {
  return of_messages(R"({"role":"user","content":[)" + parts + "]}");
}

const std::string kPicture =
    R"({"type":"image_url","image_url":{"url":"data:image\/png;base64,QUJD","detail":"low"}})";
const std::string kWhat = R"({"type":"text","text":"what is this"})";

TEST(RenderPrompt, PicturesAreMarkedAndNotRendered) {
  const std::string mark(kMediaMark);
  const PromptText prompt = with_parts(kWhat + "," + kPicture + "," + kWhat + "," + kWhat);
  EXPECT_EQ(prompt.text, "<|im_start|>user\nwhat is this" + mark +
                             "what is this\nwhat is this<|im_end|>\n" + kAnswer);
  EXPECT_FALSE(prompt.is_estimate) << prompt.why_estimate;
  ASSERT_EQ(prompt.media.size(), 1U);
  EXPECT_EQ(prompt.media[0].kind, MediaPart::Kind::kPicture);
  EXPECT_EQ(prompt.media[0].source, R"(data:image\/png;base64,QUJD)");
  EXPECT_EQ(prompt.media[0].detail, "low");
}

// As llama-server joins: the text behind the empty one gets a line feed.
TEST(RenderPrompt, AnEmptyTextBehindAPictureIsAText) {
  const PromptText prompt = with_parts(kPicture + R"(,{"type":"text","text":""},)" + kWhat);
  EXPECT_EQ(prompt.text, "<|im_start|>user\n" + std::string(kMediaMark) +
                             "\nwhat is this<|im_end|>\n" + kAnswer);
}

TEST(RenderPrompt, PiecesAreTheTextsBetweenTheMedia) {
  const PromptText prompt = with_parts(kPicture + "," + kPicture + "," + kWhat);
  EXPECT_EQ(text_pieces(prompt),
            (std::vector<std::string_view>{"<|im_start|>user\n", "",
                                           "what is this<|im_end|>\n<|im_start|>assistant\n"
                                           "<think>\n"}));
  EXPECT_EQ(text_pieces(with_parts(kWhat)).size(), 1U);
}

TEST(RenderPrompt, PartsThatTheServerRefusesAreMediaWithoutAMark) {
  const PromptText prompt = with_parts(
      kWhat + R"(,{"type":"file","file":{"file_data":"data:text/plain;base64,QUJD"}})"
              R"(,{"type":"input_audio","input_audio":{"data":"UklGRg==","format":"wav"}})"
              R"(,{"type":"image_url","image_url":"https:\/\/example.com"})");
  EXPECT_TRUE(prompt.is_estimate);
  ASSERT_EQ(prompt.media.size(), 3U);
  EXPECT_EQ(prompt.media[0].kind, MediaPart::Kind::kFile);
  EXPECT_EQ(prompt.media[1].kind, MediaPart::Kind::kSound);
  EXPECT_EQ(prompt.media[1].source, "UklGRg==");
  EXPECT_EQ(prompt.media[2].source, R"(https:\/\/example.com)");
  EXPECT_EQ(text_pieces(prompt).size(), 3U);
}

TEST(RenderPrompt, AMarkOfTheClientIsAnEstimateBesideAPicture) {
  const std::string mark = R"({"type":"text","text":"\ufdd0weir-media\ufdd0"})";
  EXPECT_TRUE(with_parts(mark + "," + kPicture).is_estimate);
  EXPECT_FALSE(with_parts(mark).is_estimate);
  EXPECT_EQ(text_pieces(with_parts(mark)).size(), 1U);
}

TEST(RenderPrompt, TextThatLooksSpecialStays) {
  EXPECT_EQ(of_messages(R"({"role":"user","content":"<|im_end|> \u003cthink>"})").text,
            "<|im_start|>user\n<|im_end|> <think><|im_end|>\n" + kAnswer);
}

TEST(RenderPrompt, WhatTheServerRefusesIsAnEstimate) {
  for (const std::string& messages : {
           std::string(),
           R"({"role":"system","content":"only"})" + std::string(),
           kUser + R"(,{"role":"system","content":"late"},)" + kUser,
           kUser + R"(,{"role":"weird","content":"x"},)" + kUser,
           R"({"content":"no role"},)" + kUser,
           R"({"role":"user"},)" + kUser,
           R"({"role":"user","content":5},)" + kUser,
           R"({"role":"user","content":[{"type":"file","file":{}}]},)" + kUser,
           kUser + R"(,{"role":"assistant","content":"x","reasoning_content":null},)" + kUser,
           kUser + R"(,{"role":"assistant","content":"","tool_calls":[{"type":"function",)" +
               R"("function":{"name":"f","arguments":""}}]},)" + kUser,
       }) {
    const PromptText prompt = of_messages(messages);
    EXPECT_TRUE(prompt.is_estimate) << messages;
    EXPECT_FALSE(prompt.why_estimate.empty()) << messages;
  }
}

// Three marks a message, one more for a name, two around the answer's role.
TEST(RenderPrompt, OpenAiIsCountedByItsRule) {
  const PromptText prompt =
      of_messages(R"({"role":"system","content":"be kind"},{"role":"user","name":"eve","content":[)"
                  R"({"type":"text","text":"a"},{"type":"text","text":"b"}]})",
                  ChatTemplate::kOpenAi);
  const std::string mark = "<|endoftext|>";
  EXPECT_EQ(prompt.text, mark + "system" + mark + "be kind" + mark + mark + "user" + mark + "eve" +
                             mark + "ab" + mark + mark + "assistant" + mark);
  EXPECT_TRUE(prompt.is_estimate);
}

TEST(RenderPrompt, DeepSeekIsCountedByItsMarks) {
  const PromptText prompt = of_messages(R"({"role":"system","content":"be kind"},)" + kUser +
                                            R"(,{"role":"assistant","content":"yes"},)" + kUser,
                                        ChatTemplate::kDeepSeek);
  EXPECT_EQ(prompt.text,
            "be kind<\uFF5CUser\uFF5C>hi<\uFF5CAssistant\uFF5C>yes"
            "<\uFF5Cend\u2581of\u2581sentence\uFF5C><\uFF5CUser\uFF5C>hi<\uFF5CAssistant\uFF5C>");
  EXPECT_TRUE(prompt.is_estimate);
}

TEST(RenderPrompt, OddTypesNeverFail) {
  for (const char* members :
       {R"("messages":[{"role":["x"],"content":{"a":1},"tool_calls":"x"}],"tools":"x")",
        R"("messages":[{"role":"assistant","content":[5,null,[],{"type":"text","text":1}],)"
        R"("tool_calls":[null,5,{"function":7},{"function":{"name":[],"arguments":[1]}}]},{}],)"
        R"("tools":[null,{},{"function":{"name":1}}],"chat_template_kwargs":[1])"}) {
    for (const auto chat_template :
         {ChatTemplate::kQwen35, ChatTemplate::kQwen3, ChatTemplate::kQwen25, ChatTemplate::kOpenAi,
          ChatTemplate::kDeepSeek}) {
      EXPECT_TRUE(rendered(members, chat_template).is_estimate);
    }
  }
}

}  // namespace
}  // namespace weir::openai
