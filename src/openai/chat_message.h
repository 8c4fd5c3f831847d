#pragma once

// One element of `messages`, as llama-server takes it before its template sees it.

#include <string>
#include <string_view>

#include "json_reader.h"
#include "weir/openai/prompt.h"

namespace weir::openai {

enum class Role { kNone, kSystem, kUser, kAssistant, kTool, kOther };

Role role_of(JsonView message);
Role role_named(JsonView role);  // kNone when it is no string
std::string_view role_name(Role role);

// A prompt that is being written.
struct PromptDraft : PromptText {
  ServerRules rules;
};

// Appends a value as JSON.
void append_json(PromptDraft& prompt, JsonView value);

// Notes the first reason why the count may differ from the server's.
void note_estimate(PromptDraft& prompt, std::string_view why);

// A message and the memory for its decoded texts. `read` may be called again and again.
class ChatMessage {
 public:
  // What the server would refuse is noted in `prompt` and read as well as it goes.
  void read(JsonView message, PromptDraft& prompt);

  Role role() const { return role_; }
  std::string_view content() const { return content_; }      // "" for null
  std::string_view reasoning() const { return reasoning_; }  // "" when there is none
  JsonView tool_calls() const { return tool_calls_; }  // an array that is not empty, or absent

 private:
  void read_content(JsonView content, PromptDraft& prompt);
  void read_parts(JsonView parts, PromptDraft& prompt);
  void read_tool_calls(JsonView calls, PromptDraft& prompt);

  Role role_ = Role::kNone;
  std::string_view content_;
  std::string_view reasoning_;
  JsonView tool_calls_;
  std::string content_storage_;
  std::string reasoning_storage_;
};

// One call of an assistant: name and arguments, a checked JSON value. Borrows the message's text.
class ToolCall {
 public:
  void read(JsonView call, PromptDraft& prompt);
  std::string_view name() const { return name_; }
  JsonView arguments() const { return arguments_; }  // their text when they are no JSON

 private:
  std::string_view name_;
  JsonView arguments_;
  std::string name_storage_;
  std::string arguments_storage_;
};

// The text of a content and of its text parts.
std::string joined_text(JsonView content, std::string_view delimiter);

}  // namespace weir::openai
