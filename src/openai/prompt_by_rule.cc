// Chats of models whose template is not known here: not the server's text, but one that has about
// as many tokens.

#include "prompt_templates.h"

namespace weir::openai {
namespace {

// OpenAI's published rule: three tokens a message beside its role and content, one more for a name,
// three for the answer's beginning. Any special token of o200k and cl100k serves as the mark.
constexpr std::string_view kMark = "<|endoftext|>";

void append_calls(JsonView calls, PromptDraft& prompt) {
  ToolCall call;
  for (ElementCursor at(calls); at.next();) {
    call.read(at.value(), prompt);
    prompt.text += call.name();
    if (call.arguments().is(JsonKind::kString)) {
      call.arguments().append_text(prompt.text);
    } else {
      prompt.text += call.arguments().raw();
    }
  }
}

void append_marked(JsonView message, PromptDraft& prompt) {
  prompt.text += kMark;
  message.member("role").append_text(prompt.text);
  prompt.text += kMark;
  if (const JsonView name = message.member("name"); name.is(JsonKind::kString)) {
    name.append_text(prompt.text);
    prompt.text += kMark;
  }
  prompt.text += joined_text(message.member("content"), "");
  append_calls(message.member("tool_calls"), prompt);
  prompt.text += kMark;
}

// What stands before a message's content in DeepSeek's templates.
std::string_view deepseek_mark(Role role) {
  switch (role) {
    case Role::kUser:
      return "<\uFF5CUser\uFF5C>";
    case Role::kAssistant:
      return "<\uFF5CAssistant\uFF5C>";
    case Role::kTool:
      return "<\uFF5Ctool\u2581output\u2581begin\uFF5C>";
    default:
      return "";
  }
}

std::string_view deepseek_end(Role role) {
  switch (role) {
    case Role::kAssistant:
      return "<\uFF5Cend\u2581of\u2581sentence\uFF5C>";
    case Role::kTool:
      return "<\uFF5Ctool\u2581output\u2581end\uFF5C>";
    default:
      return "";
  }
}

}  // namespace

void render_openai(JsonView messages, JsonView tools, PromptDraft& prompt) {
  prompt.text += tools.raw();
  for (ElementCursor at(messages); at.next();) {
    append_marked(at.value(), prompt);
  }
  prompt.text += kMark;
  prompt.text += "assistant";
  prompt.text += kMark;
  note_estimate(prompt, "the chat template is not known; counted by OpenAI's published rule");
}

void render_deepseek(JsonView messages, JsonView tools, PromptDraft& prompt) {
  prompt.text += tools.raw();
  for (ElementCursor at(messages); at.next();) {
    const JsonView message = at.value();
    const Role role = role_of(message);
    prompt.text += deepseek_mark(role);
    prompt.text += joined_text(message.member("content"), "");
    append_calls(message.member("tool_calls"), prompt);
    prompt.text += deepseek_end(role);
  }
  prompt.text += deepseek_mark(Role::kAssistant);
  note_estimate(prompt, "the chat template is not known");
}

}  // namespace weir::openai
