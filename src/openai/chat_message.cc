#include "chat_message.h"

#include "json_writer.h"

namespace weir::openai {
namespace {

struct RoleName {
  std::string_view name;
  Role role;
};

constexpr RoleName kRoles[] = {{"system", Role::kSystem},
                               {"user", Role::kUser},
                               {"assistant", Role::kAssistant},
                               {"tool", Role::kTool},
                               {"developer", Role::kSystem}};  // the server renames it

// An element of a content array.
struct Part {
  enum class Kind { kText, kMedia, kOther };
  Kind kind = Kind::kOther;
  JsonView text;
};

Part read_part(JsonView part) {
  JsonView type;
  JsonView text;
  for (MemberCursor at(part); at.next();) {
    if (at.key().equals("type")) {
      type = at.value();
    } else if (at.key().equals("text")) {
      text = at.value();
    }
  }
  if (type.equals("text") && text.is(JsonKind::kString)) {
    return {Part::Kind::kText, text};
  }
  for (const char* media : {"image_url", "input_audio", "input_video", "video_url"}) {
    if (type.equals(media)) {
      return {Part::Kind::kMedia, {}};
    }
  }
  return {};
}

}  // namespace

Role role_named(JsonView role) {
  for (const RoleName& known : kRoles) {
    if (role.equals(known.name)) {
      return known.role;
    }
  }
  return role.is(JsonKind::kString) ? Role::kOther : Role::kNone;
}

Role role_of(JsonView message) {
  return role_named(message.member("role"));
}

std::string_view role_name(Role role) {
  for (const RoleName& known : kRoles) {
    if (role == known.role) {
      return known.name;
    }
  }
  return "";
}

void note_estimate(PromptDraft& prompt, std::string_view why) {
  if (!prompt.is_estimate) {
    prompt.is_estimate = true;
    prompt.why_estimate = why;
  }
}

void append_json(PromptDraft& prompt, JsonView value) {
  const Fractions form = prompt.rules.fractions;
  if (!append_tojson(prompt.text, value, form) && form == Fractions::kUnknown) {
    note_estimate(prompt,
                  "a number with a fraction: versions of llama-server write it differently");
  }
}

void ChatMessage::read(JsonView message, PromptDraft& prompt) {
  JsonView role;
  JsonView content;
  JsonView reasoning;
  JsonView calls;
  for (MemberCursor at(message); at.next();) {
    if (at.key().equals("role")) {
      role = at.value();
    } else if (at.key().equals("content")) {
      content = at.value();
    } else if (at.key().equals("reasoning_content")) {
      reasoning = at.value();
    } else if (at.key().equals("tool_calls")) {
      calls = at.value();
    }
  }
  role_ = role_named(role);
  if (role_ == Role::kNone) {
    note_estimate(prompt, "a message has no role");
  }
  if (content.is_absent() && (role_ != Role::kAssistant || calls.is_absent())) {
    note_estimate(prompt, "a message has no content");
  }
  if (!reasoning.is_absent() && !reasoning.is(JsonKind::kString)) {
    note_estimate(prompt, "reasoning_content is no string");
  }
  reasoning_ = reasoning.text(reasoning_storage_);
  read_content(content, prompt);
  read_tool_calls(calls, prompt);
}

void ChatMessage::read_content(JsonView content, PromptDraft& prompt) {
  content_ = content.text(content_storage_);
  if (content.is(JsonKind::kArray)) {
    read_parts(content, prompt);
  } else if (!content.is(JsonKind::kString) && !content.is(JsonKind::kNull) &&
             !content.is_absent()) {
    note_estimate(prompt, "content is neither text nor parts");
  }
}

// Parts are joined by a line feed, but not beside a picture; where the template takes parts itself
// (kJoined) this holds only for messages that have pictures.
void ChatMessage::read_parts(JsonView parts, PromptDraft& prompt) {
  const TextParts joining = prompt.rules.parts;
  bool has_media = false;
  std::size_t texts = 0;
  for (ElementCursor at(parts); at.next();) {
    const Part part = read_part(at.value());
    has_media = has_media || part.kind == Part::Kind::kMedia;
    texts += part.kind == Part::Kind::kText ? 1 : 0;
  }
  if (joining == TextParts::kUnknown && texts > 1 && !has_media) {
    note_estimate(prompt, "several text parts: versions of llama-server join them differently");
  }
  const bool by_line = joining != TextParts::kJoined || has_media;
  bool is_first = true;  // of the text so far, or behind a picture; the server joins so, too
  content_storage_.clear();
  for (ElementCursor at(parts); at.next();) {
    const Part part = read_part(at.value());
    if (part.kind == Part::Kind::kOther) {
      note_estimate(prompt, "a content part is neither text nor a picture or sound");
      continue;
    }
    if (part.kind == Part::Kind::kText && by_line && !is_first) {
      content_storage_ += '\n';
    }
    if (part.kind == Part::Kind::kMedia) {
      content_storage_ += kMediaMark;
    }
    part.text.append_text(content_storage_);
    is_first = part.kind == Part::Kind::kMedia || content_storage_.empty();
  }
  content_ = content_storage_;
}

void ChatMessage::read_tool_calls(JsonView calls, PromptDraft& prompt) {
  const bool has_calls = calls.is(JsonKind::kArray) && !calls.is_empty_container();
  tool_calls_ = has_calls ? calls : JsonView();
  if (!calls.is(JsonKind::kArray) && !calls.is(JsonKind::kNull) && !calls.is_absent()) {
    note_estimate(prompt, "tool_calls is no array");
  }
}

void ToolCall::read(JsonView call, PromptDraft& prompt) {
  const JsonView function = call.member("function");
  const JsonView name = function.member("name");
  name_ = name.text(name_storage_);
  arguments_ = function.member("arguments");
  if (!call.member("type").equals("function") || !name.is(JsonKind::kString) ||
      arguments_.is_absent()) {
    note_estimate(prompt, "a tool call lacks its type, name or arguments");
  }
  if (!arguments_.is(JsonKind::kString)) {
    return;
  }
  const auto parsed = read_json(arguments_.text(arguments_storage_), "arguments");
  if (parsed) {
    arguments_ = *parsed;
  } else {
    note_estimate(prompt, "the arguments of a tool call are no JSON");
  }
}

std::string joined_text(JsonView content, std::string_view delimiter) {
  std::string text;
  content.append_text(text);
  for (ElementCursor at(content); at.next();) {
    const Part part = read_part(at.value());
    if (part.kind == Part::Kind::kText) {
      text += text.empty() ? "" : delimiter;
      part.text.append_text(text);
    }
  }
  return text;
}

}  // namespace weir::openai
