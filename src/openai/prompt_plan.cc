#include "prompt_plan.h"

#include <algorithm>

namespace weir::openai {
namespace {

constexpr std::string_view kThinkOpen = "<think>";
constexpr std::string_view kThinkClose = "</think>";

// What can be seen of a message without decoding it.
struct Glance {
  Role role = Role::kNone;
  bool begins_plainly = false;  // its content cannot begin with a tag
};

Glance glance_at(JsonView message) {
  JsonView role;
  JsonView content;
  for (MemberCursor at(message); at.next();) {
    if (at.key().equals("role")) {
      role = at.value();
    } else if (at.key().equals("content")) {
      content = at.value();
    }
  }
  if (!content.is(JsonKind::kString)) {
    return {role_named(role), false};
  }
  const char first = content.raw()[content.raw().find_first_not_of(' ', 1)];
  return {role_named(role), first != '<' && first != '\\'};
}

// Whether a message of a user is a tool's result in disguise. `trims` as in plan_prompt.
bool is_tool_result(JsonView message, bool trims, const PromptDraft& prompt) {
  ChatMessage read;
  PromptDraft unheard;  // the walk that renders notes it all
  unheard.rules = prompt.rules;
  read.read(message, unheard);
  const std::string_view text = trims ? trimmed(read.content()) : read.content();
  return text.starts_with("<tool_response>") && text.ends_with("</tool_response>");
}

// "enable_thinking" of chat_template_kwargs counts before reasoning_effort, as in the server.
bool thinks(const ChatRequest& request, PromptDraft& prompt) {
  const JsonView wanted = JsonView(request.template_kwargs_json()).member("enable_thinking");
  if (wanted.is(JsonKind::kString)) {
    note_estimate(prompt, "enable_thinking is a string");
  }
  return wanted.is_absent() ? !JsonView(request.reasoning_effort_json()).equals("none")
                            : wanted.raw() != "false";
}

JsonView tools_of(const ChatRequest& request, PromptDraft& prompt) {
  const JsonView tools(request.tools_json());
  if (tools.is(JsonKind::kArray)) {
    return tools.is_empty_container() ? JsonView() : tools;
  }
  if (!tools.is_absent() && !tools.is(JsonKind::kNull)) {
    note_estimate(prompt, "tools is no array");
  }
  return {};
}

void note_overrides(const ChatRequest& request, PromptDraft& prompt) {
  for (MemberCursor at(JsonView(request.template_kwargs_json())); at.next();) {
    for (const char* name : {"messages", "tools", "add_generation_prompt"}) {
      if (at.key().equals(name)) {
        note_estimate(prompt, "chat_template_kwargs replaces a part of the prompt");
      }
    }
  }
}

// Whether the request itself asks to go on with its last message.
bool asks_to_continue(JsonView wish) {
  return wish.is_true() || wish.equals("content") || wish.equals("reasoning_content");
}

bool is_empty(JsonView message, std::string_view name) {
  const JsonView value = message.member(name);
  return value.is(JsonKind::kArray) ? value.is_empty_container() : joined_text(value, "").empty();
}

// An assistant's message that says nothing at all is left out, and nothing comes in its place.
Ending ending_of_continued(JsonView last, JsonView wish) {
  const bool says_nothing = is_empty(last, "content");
  const bool thinks_nothing = is_empty(last, "reasoning_content");
  if (says_nothing && thinks_nothing && is_empty(last, "name") && is_empty(last, "tool_call_id")) {
    return Ending::kNothing;
  }
  if (wish.equals("content")) {
    return Ending::kContent;
  }
  const bool only_thought = says_nothing && !thinks_nothing;
  return only_thought || wish.equals("reasoning_content") ? Ending::kReasoning : Ending::kContent;
}

// What the end of `messages` looks like.
struct Tail {
  JsonView last;
  Role last_role = Role::kNone;
  Role role_before = Role::kNone;
  std::optional<std::size_t> query_before;  // the last query but for the last message
};

// A last message of the assistant goes on by itself, any other one when the request says so.
void plan_ending(const ChatRequest& request, const Tail& tail, PromptPlan& plan,
                 PromptDraft& prompt) {
  const JsonView wish(request.continue_final_message_json());
  const bool wants_answer = request.add_generation_prompt_json() != "false";
  const bool is_assistant = tail.last_role == Role::kAssistant;
  plan.ending = wants_answer ? Ending::kAnswer : Ending::kNothing;
  if (asks_to_continue(wish) && wants_answer) {
    note_estimate(prompt, "continue_final_message goes with add_generation_prompt false only");
  }
  if (tail.last.is_absent() || (!is_assistant && !asks_to_continue(wish))) {
    return;
  }
  if (!asks_to_continue(wish) && tail.role_before == Role::kAssistant) {
    note_estimate(prompt, "two messages of the assistant are at the end");
  }
  ChatMessage continued;
  continued.read(tail.last, prompt);
  if (is_assistant && !continued.tool_calls().is_absent()) {
    note_estimate(prompt, "the last message is a tool call without a result");
    return;
  }
  plan.continued = tail.last;
  plan.ending = ending_of_continued(tail.last, wish);
  plan.last_query = tail.query_before;
  --plan.message_count;
}

}  // namespace

PromptPlan plan_prompt(const ChatRequest& request, bool trims, PromptDraft& prompt) {
  PromptPlan plan;
  plan.messages = JsonView(request.messages_json());
  plan.tools = tools_of(request, prompt);
  plan.thinking = thinks(request, prompt);
  note_overrides(request, prompt);
  Tail tail;
  for (ElementCursor at(plan.messages); at.next(); ++plan.message_count) {
    tail.query_before = plan.last_query;
    tail.role_before = tail.last_role;
    tail.last = at.value();
    const Glance glance = glance_at(at.value());
    tail.last_role = glance.role;
    if (tail.last_role == Role::kUser &&
        (glance.begins_plainly || !is_tool_result(at.value(), trims, prompt))) {
      plan.last_query = plan.message_count;
    }
  }
  plan_ending(request, tail, plan, prompt);
  return plan;
}

MessageWalk::MessageWalk(const PromptPlan& plan, PromptDraft& prompt)
    : plan_(plan), prompt_(prompt), ahead_(plan.messages) {
  ahead_.next();
  next_view_ = ahead_.value();
}

bool MessageWalk::next() {
  if (taken_ == plan_.message_count) {
    return false;
  }
  previous_ = message_.role();
  message_.read(next_view_, prompt_);
  index_ = taken_++;
  ahead_.next();
  next_view_ = ahead_.value();
  return true;
}

std::string_view trimmed(std::string_view text) {
  constexpr std::string_view kSpace = " \t\n\v\f\r";
  const std::size_t first = text.find_first_not_of(kSpace);
  return first == std::string_view::npos
             ? std::string_view()
             : text.substr(first, text.find_last_not_of(kSpace) - first + 1);
}

std::string_view without_newlines_before(std::string_view text) {
  text.remove_prefix(std::min(text.find_first_not_of('\n'), text.size()));
  return text;
}

std::string_view without_newlines_around(std::string_view text) {
  text = without_newlines_before(text);
  return text.substr(0, text.find_last_not_of('\n') + 1);
}

SplitThinking split_thinking(std::string_view content) {
  const std::size_t close = content.find(kThinkClose);
  if (close == std::string_view::npos) {
    return {false, {}, content};
  }
  std::string_view before = content.substr(0, close);
  before = before.substr(0, before.find_last_not_of('\n') + 1);
  if (const std::size_t open = before.rfind(kThinkOpen); open != std::string_view::npos) {
    before.remove_prefix(open + kThinkOpen.size());
  }
  const std::string_view behind = content.substr(content.rfind(kThinkClose) + kThinkClose.size());
  return {true, without_newlines_before(before), without_newlines_before(behind)};
}

}  // namespace weir::openai
