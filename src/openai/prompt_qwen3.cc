// Qwen3 and Qwen2.5: the same frame, but Qwen2.5 knows no thinking and has a system message of its
// own.

#include "prompt_templates.h"

namespace weir::openai {
namespace {

constexpr std::string_view kQwen25System =
    "You are Qwen, created by Alibaba Cloud. You are a helpful assistant.";
constexpr std::string_view kToolsBefore =
    "# Tools\n\nYou may call one or more functions to assist with the user query.\n\nYou are "
    "provided with function signatures within <tools></tools> XML tags:\n<tools>";
constexpr std::string_view kToolsBehind =
    "\n</tools>\n\nFor each function call, return a json object with function name and arguments "
    "within <tool_call></tool_call> XML tags:\n<tool_call>\n{\"name\": <function-name>, "
    "\"arguments\": <args-json-object>}\n</tool_call>";

void append_turn(std::string_view role, std::string_view content, PromptDraft& prompt) {
  prompt.text += "<|im_start|>";
  prompt.text += role;
  prompt.text += "\n";
  prompt.text += content;
  prompt.text += "<|im_end|>\n";
}

void append_call(const ToolCall& call, bool text_as_it_is, PromptDraft& prompt) {
  prompt.text += "<tool_call>\n{\"name\": \"";
  prompt.text += call.name();
  prompt.text += "\", \"arguments\": ";
  if (text_as_it_is && call.arguments().is(JsonKind::kString)) {
    call.arguments().append_text(prompt.text);
  } else {
    append_json(prompt, call.arguments());
  }
  prompt.text += "}\n</tool_call>";
}

void append_tool_result(const MessageWalk& walk, PromptDraft& prompt) {
  if (walk.previous_role() != Role::kTool) {
    prompt.text += "<|im_start|>user";
  }
  prompt.text += "\n<tool_response>\n";
  prompt.text += walk.message().content();
  prompt.text += "\n</tool_response>";
  if (walk.next_role() != Role::kTool) {
    prompt.text += "<|im_end|>\n";
  }
}

// The system turn, which opens the prompt when there are tools or a text for it. `absent` is said
// when the first message is no system message.
void append_opening(const PromptPlan& plan, std::string_view absent, PromptDraft& prompt) {
  PromptDraft unheard;  // the walk over the messages notes it all
  unheard.rules = prompt.rules;
  MessageWalk walk(plan, unheard);
  const bool has_system = walk.next() && walk.message().role() == Role::kSystem;
  const std::string_view system = has_system ? walk.message().content() : absent;
  const bool has_text = has_system || !absent.empty();
  if (plan.tools.is_absent()) {
    if (has_text) {
      append_turn("system", system, prompt);
    }
    return;
  }
  prompt.text += "<|im_start|>system\n";
  prompt.text += system;
  prompt.text += has_text ? "\n\n" : "";
  prompt.text += kToolsBefore;
  append_tools(plan, prompt);
  prompt.text += kToolsBehind;
  prompt.text += "<|im_end|>\n";
}

void append_thinking_assistant(const PromptPlan& plan, const MessageWalk& walk,
                               PromptDraft& prompt) {
  std::string_view content = walk.message().content();
  std::string_view reasoning = walk.message().reasoning();
  if (reasoning.empty()) {
    const SplitThinking split = split_thinking(content);
    reasoning = split.reasoning;
    content = split.content;
  }
  prompt.text += "<|im_start|>assistant\n";
  const bool is_new = plan.last_query && walk.index() > *plan.last_query;
  if (is_new && (walk.is_last() || !reasoning.empty())) {
    prompt.text += "<think>\n";
    prompt.text += without_newlines_around(reasoning);
    prompt.text += "\n</think>\n\n";
    prompt.text += without_newlines_before(content);
  } else {
    prompt.text += content;
  }
  ToolCall call;
  bool needs_line = !content.empty();
  for (ElementCursor at(walk.message().tool_calls()); at.next(); needs_line = true) {
    call.read(at.value(), prompt);
    prompt.text += needs_line ? "\n" : "";
    append_call(call, true, prompt);
  }
  prompt.text += "<|im_end|>\n";
}

void append_plain_assistant(const MessageWalk& walk, PromptDraft& prompt) {
  const ChatMessage& message = walk.message();
  if (message.tool_calls().is_absent()) {
    append_turn("assistant", message.content(), prompt);
    return;
  }
  prompt.text += "<|im_start|>assistant";
  if (!message.content().empty()) {
    prompt.text += "\n";
    prompt.text += message.content();
  }
  ToolCall call;
  for (ElementCursor at(message.tool_calls()); at.next();) {
    call.read(at.value(), prompt);
    prompt.text += "\n";
    append_call(call, false, prompt);
  }
  prompt.text += "<|im_end|>\n";
}

void append_messages(const PromptPlan& plan, bool thinks, PromptDraft& prompt) {
  for (MessageWalk walk(plan, prompt); walk.next();) {
    const Role role = walk.message().role();
    if (role == Role::kAssistant && thinks) {
      append_thinking_assistant(plan, walk, prompt);
    } else if (role == Role::kAssistant) {
      append_plain_assistant(walk, prompt);
    } else if (role == Role::kTool) {
      append_tool_result(walk, prompt);
    } else if (role == Role::kUser || (role == Role::kSystem && !walk.is_first())) {
      append_turn(role_name(role), walk.message().content(), prompt);
    }  // the templates leave out every other role
  }
}

}  // namespace

void render_qwen3(const PromptPlan& plan, PromptDraft& prompt) {
  append_opening(plan, "", prompt);
  append_messages(plan, true, prompt);
  append_ending(plan, true, false, prompt);
}

void render_qwen25(const PromptPlan& plan, PromptDraft& prompt) {
  append_opening(plan, kQwen25System, prompt);
  append_messages(plan, false, prompt);
  append_ending(plan, false, false, prompt);
}

}  // namespace weir::openai
