// Qwen3.5 and 3.6.

#include "prompt_templates.h"

namespace weir::openai {
namespace {

constexpr std::string_view kToolsBefore =
    "# Tools\n\nYou have access to the following functions:\n\n<tools>";
constexpr std::string_view kToolsBehind =
    "\n</tools>\n\nIf you choose to call a function ONLY reply in the following format with NO "
    "suffix:\n\n<tool_call>\n<function=example_function_name>\n<parameter=example_parameter_1>\n"
    "value_1\n</parameter>\n<parameter=example_parameter_2>\nThis is the value for the second "
    "parameter\nthat can span\nmultiple lines\n</parameter>\n</function>\n</tool_call>\n\n"
    "<IMPORTANT>\nReminder:\n- Function calls MUST follow the specified format: an inner "
    "<function=...></function> block must be nested within <tool_call></tool_call> XML tags\n"
    "- Required parameters MUST be specified\n- You may provide optional reasoning for your "
    "function call in natural language BEFORE the function call, but NOT after\n- If there is no "
    "function call available, answer the question like normal with your current knowledge and do "
    "not tell the user about function calls\n</IMPORTANT>";

// Strings stand as they are, true, false and null as Python writes them.
void append_argument(PromptDraft& prompt, JsonView value) {
  switch (value.kind()) {
    case JsonKind::kString:
      value.append_text(prompt.text);
      return;
    case JsonKind::kBool:
      prompt.text += value.is_true() ? "True" : "False";
      return;
    case JsonKind::kNull:
      prompt.text += "None";
      return;
    default:
      append_json(prompt, value);
  }
}

void append_arguments(JsonView arguments, PromptDraft& prompt) {
  if (!arguments.is(JsonKind::kObject) && !arguments.is(JsonKind::kNull)) {
    note_estimate(prompt, "the arguments of a tool call are no object");
    append_argument(prompt, arguments);
  }
  for (MemberCursor at(arguments); at.next();) {
    prompt.text += "<parameter=";
    at.key().append_text(prompt.text);
    prompt.text += ">\n";
    append_argument(prompt, at.value());
    prompt.text += "\n</parameter>\n";
  }
}

void append_calls(JsonView calls, bool has_content, PromptDraft& prompt) {
  ToolCall call;
  std::string_view before = has_content ? "\n\n" : "";
  for (ElementCursor at(calls); at.next();) {
    call.read(at.value(), prompt);
    prompt.text += before;
    prompt.text += "<tool_call>\n<function=";
    prompt.text += call.name();
    prompt.text += ">\n";
    append_arguments(call.arguments(), prompt);
    prompt.text += "</function>\n</tool_call>";
    before = "\n";
  }
}

void append_assistant(const PromptPlan& plan, const MessageWalk& walk, std::string_view content,
                      PromptDraft& prompt) {
  std::string_view reasoning = walk.message().reasoning();
  if (reasoning.empty()) {
    const SplitThinking split = split_thinking(content);
    reasoning = split.reasoning;
    content = split.content;
  }
  prompt.text += "<|im_start|>assistant\n";
  if (!plan.last_query || walk.index() > *plan.last_query) {
    prompt.text += "<think>\n";
    prompt.text += trimmed(reasoning);
    prompt.text += "\n</think>\n\n";
  }
  prompt.text += content;
  append_calls(walk.message().tool_calls(), !trimmed(content).empty(), prompt);
  prompt.text += "<|im_end|>\n";
}

// Results that follow each other share one turn of the user.
void append_tool_result(const MessageWalk& walk, std::string_view content, PromptDraft& prompt) {
  if (!walk.is_first() && walk.previous_role() != Role::kTool) {
    prompt.text += "<|im_start|>user";
  }
  prompt.text += "\n<tool_response>\n";
  prompt.text += content;
  prompt.text += "\n</tool_response>";
  if (walk.next_role() != Role::kTool) {
    prompt.text += "<|im_end|>\n";
  }
}

void append_turn(std::string_view role, std::string_view content, PromptDraft& prompt) {
  prompt.text += "<|im_start|>";
  prompt.text += role;
  prompt.text += "\n";
  prompt.text += content;
  prompt.text += "<|im_end|>\n";
}

// The tools come first, and the system message behind them in the same turn.
void append_system(const PromptPlan& plan, const MessageWalk& walk, std::string_view content,
                   PromptDraft& prompt) {
  if (!walk.is_first()) {
    note_estimate(prompt, "a system message is not at the beginning");
  }
  if (!walk.is_first() || plan.tools.is_absent()) {
    append_turn("system", content, prompt);
    return;
  }
  if (!content.empty()) {
    prompt.text += "\n\n";
    prompt.text += content;
  }
  prompt.text += "<|im_end|>\n";
}

void append_message(const PromptPlan& plan, const MessageWalk& walk, PromptDraft& prompt) {
  const std::string_view content = trimmed(walk.message().content());
  const Role role = walk.message().role();
  if (walk.is_first() && role != Role::kSystem && !plan.tools.is_absent()) {
    prompt.text += "<|im_end|>\n";
  }
  switch (role) {
    case Role::kSystem:
      append_system(plan, walk, content, prompt);
      return;
    case Role::kAssistant:
      append_assistant(plan, walk, content, prompt);
      return;
    case Role::kTool:
      append_tool_result(walk, content, prompt);
      return;
    case Role::kUser:
      append_turn("user", content, prompt);
      return;
    default:
      note_estimate(prompt, "a message has an unknown role");
      append_turn("user", content, prompt);
  }
}

}  // namespace

void render_qwen35(const PromptPlan& plan, PromptDraft& prompt) {
  if (!plan.last_query) {
    note_estimate(prompt, "there is no message of a user");
  }
  if (!plan.tools.is_absent()) {
    prompt.text += "<|im_start|>system\n";
    prompt.text += kToolsBefore;
    append_tools(plan, prompt);
    prompt.text += kToolsBehind;
  }
  if (!plan.tools.is_absent() && plan.message_count == 0) {
    prompt.text += "<|im_end|>\n";
  }
  for (MessageWalk walk(plan, prompt); walk.next();) {
    append_message(plan, walk, prompt);
  }
  append_ending(plan, true, true, prompt);
}

}  // namespace weir::openai
