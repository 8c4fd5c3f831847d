#include "server_request.h"

#include <algorithm>
#include <exception>

#include "weir/openai/prompt.h"

namespace weir::openai {
namespace {

using base::Error;
using base::Result;

// Nobody gives a template more variables of its own.
constexpr std::size_t kVariablesMax = 256;

// Thrown by the readers below and caught in `read_server_request`, as the library throws as well.
struct Refused : std::exception {
  explicit Refused(const char* why) : why_(why) {}
  const char* what() const noexcept override { return why_; }
  const char* why_;
};

Json tree_of(std::string_view raw) {
  if (raw.empty()) {
    return nullptr;
  }
  std::optional<Json> tree = json_tree(raw);
  if (!tree) {
    throw Refused("half a surrogate pair, or a number out of range");
  }
  return *std::move(tree);
}

// The member as a string, which it must be when it is there.
std::string text_member(const Json& object, const char* key, const char* why) {
  const auto found = object.find(key);
  if (found == object.end()) {
    return "";
  }
  if (!found->is_string()) {
    throw Refused(why);
  }
  return found->get<std::string>();
}

// Where the server takes its default for a value of another type.
std::string text_or_nothing(const Json& value) {
  return value.is_string() ? value.get<std::string>() : "";
}

ServerMessage::Part read_part(const Json& part) {
  if (!part.is_object()) {
    throw Refused("a content part is no object");
  }
  const std::string type = text_member(part, "type", "a content part has no type");
  for (const char* media : {"image_url", "input_audio", "input_video", "video_url"}) {
    if (type == media) {
      return {true, std::string(kMediaMark)};
    }
  }
  if (type != "text") {
    throw Refused("a content part is neither text nor a picture or sound");
  }
  if (!part.contains("text")) {
    throw Refused("a text part has no text");
  }
  return {false, text_member(part, "text", "the text of a part is no string")};
}

void read_content(const Json& content, ServerMessage& message) {
  if (content.is_string()) {
    message.content = content.get<std::string>();
  } else if (content.is_array()) {
    for (const Json& part : content) {
      message.parts.push_back(read_part(part));
    }
  } else if (!content.is_null()) {
    throw Refused("content is neither text nor parts");
  }
}

ServerMessage::Call read_call(const Json& call) {
  constexpr const char* kLacks = "a tool call lacks its type, name or arguments";
  if (!call.is_object() || call.value("type", Json()) != "function" || !call.contains("function") ||
      !call["function"].is_object()) {
    throw Refused(kLacks);
  }
  const Json& function = call["function"];
  if (!function.contains("name") || !function.contains("arguments")) {
    throw Refused(kLacks);
  }
  const Json& arguments = function["arguments"];
  return {text_member(function, "name", kLacks),
          arguments.is_string() ? arguments.get<std::string>() : arguments.dump(),
          text_member(call, "id", "the id of a tool call is no string")};
}

ServerMessage read_message(const Json& json) {
  ServerMessage message;
  message.role = text_member(json, "role", "the role of a message is no string");
  const bool has_content = json.contains("content");
  const bool has_calls = json.contains("tool_calls");
  if (!json.contains("role")) {
    throw Refused("a message has no role");
  }
  if (!has_content && !(message.role == "assistant" && has_calls)) {
    throw Refused("a message has no content");
  }
  if (has_content) {
    read_content(json["content"], message);
  }
  if (has_calls && !json["tool_calls"].is_null()) {
    if (!json["tool_calls"].is_array()) {
      throw Refused("tool_calls is no array");
    }
    for (const Json& call : json["tool_calls"]) {
      message.calls.push_back(read_call(call));
    }
  }
  message.reasoning =
      text_member(json, "reasoning_content", "the reasoning_content of a message is no string");
  message.name = text_member(json, "name", "the name of a message is no string");
  message.tool_call_id =
      text_member(json, "tool_call_id", "the tool_call_id of a message is no string");
  return message;
}

// Name, description and parameters are all that is kept of a tool, in this order.
Json read_tool(const Json& tool) {
  constexpr const char* kLacks = "a tool lacks its type or name, or its description is no string";
  if (!tool.is_object() || tool.value("type", Json()) != "function" || !tool.contains("function") ||
      !tool["function"].is_object() || !tool["function"].contains("name")) {
    throw Refused(kLacks);
  }
  const Json& function = tool["function"];
  Json kept = Json::object();
  kept["name"] = text_member(function, "name", kLacks);
  kept["description"] = text_member(function, "description", kLacks);
  kept["parameters"] = function.value("parameters", Json::object());
  return {{"type", "function"}, {"function", std::move(kept)}};
}

Json read_tools(const Json& tools) {
  if (tools.is_null() || (tools.is_array() && tools.empty())) {
    return nullptr;
  }
  if (!tools.is_array()) {
    throw Refused("tools is no array");
  }
  Json kept = Json::array();
  for (const Json& tool : tools) {
    kept.push_back(read_tool(tool));
  }
  return kept;
}

void check_tool_choice(const Json& choice) {
  const bool is_known =
      !choice.is_string() || choice == "auto" || choice == "none" || choice == "required";
  if (!is_known) {
    throw Refused("tool_choice is none of auto, none and required");
  }
}

Json object_or_empty(const Json& value) {
  return value.is_object() ? value : Json::object();
}

// The schema that the answer must follow, wherever the request says it.
Json read_schema(const Json& json_schema, const Json& format) {
  Json schema = json_schema;
  const Json& body = object_or_empty(format);
  const std::string type = text_or_nothing(body.value("type", Json()));
  if (type == "json_object") {
    if (body.contains("schema") || schema.empty()) {
      schema = body.value("schema", Json());
      schema = schema.is_null() ? Json::object() : schema;
    }
  } else if (type == "json_schema") {
    schema = object_or_empty(body.value("json_schema", Json())).value("schema", Json());
    schema = schema.is_null() ? Json::object() : schema;
  } else if (!type.empty() && type != "text") {
    throw Refused("the type of response_format is not known");
  }
  if (schema.is_object() && schema.empty()) {
    schema["type"] = "object";
  }
  return schema;
}

Continue read_continue(const Json& wish) {
  if (wish == "content") {
    return Continue::kContent;
  }
  if (wish == "reasoning_content") {
    return Continue::kReasoning;
  }
  return wish.is_boolean() && wish.get<bool>() ? Continue::kUndecided : Continue::kNo;
}

// A last message of the assistant goes on by itself, any other one when the request says so.
void read_ending(const ChatRequest& request, ServerRequest& out) {
  const Json wanted = tree_of(request.add_generation_prompt_json());
  out.adds_generation_prompt = !wanted.is_boolean() || wanted.get<bool>();
  out.continues = read_continue(tree_of(request.continue_final_message_json()));
  const auto& messages = out.messages;
  const bool ends_with_assistant = !messages.empty() && messages.back().role == "assistant";
  if (out.continues == Continue::kNo && ends_with_assistant) {
    if (messages.size() >= 2 && messages[messages.size() - 2].role == "assistant") {
      throw Refused("two messages of the assistant are at the end");
    }
    out.continues = Continue::kUndecided;
    out.adds_generation_prompt = false;
  }
  if (out.continues == Continue::kNo) {
    return;
  }
  if (out.adds_generation_prompt) {
    throw Refused("continue_final_message goes with add_generation_prompt false only");
  }
  if (ends_with_assistant && !messages.back().calls.empty()) {
    throw Refused("the last message is a tool call without a result");
  }
}

// The server keeps them sorted by name.
void read_variables(const ChatRequest& request, ServerRequest& out) {
  const Json wanted = tree_of(request.template_kwargs_json());
  if (!wanted.is_null() && !wanted.is_object()) {
    throw Refused("chat_template_kwargs is no object");
  }
  if (wanted.size() > kVariablesMax) {
    throw Refused("chat_template_kwargs has more members than are looked at");
  }
  out.variables["preserve_reasoning"] = true;  // the server's default
  for (const auto& [name, value] : wanted.items()) {
    out.variables[name] = value;
  }
  if (out.variables.contains("enable_thinking") && out.variables["enable_thinking"].is_string()) {
    throw Refused("enable_thinking is a string");
  }
  const std::string effort = text_or_nothing(tree_of(request.reasoning_effort_json()));
  if (effort == "none") {
    out.turns_thinking_off = true;
    out.variables.erase("reasoning_effort");
  } else if (!effort.empty()) {
    out.variables["reasoning_effort"] = effort;
  }
}

ServerRequest read(const ChatRequest& request) {
  ServerRequest out;
  for (const Json& message : tree_of(request.messages_json())) {
    out.messages.push_back(read_message(message));
  }
  out.tools = read_tools(tree_of(request.tools_json()));
  check_tool_choice(tree_of(request.tool_choice_json()));
  out.schema =
      read_schema(tree_of(request.json_schema_json()), tree_of(request.response_format_json()));
  read_ending(request, out);
  read_variables(request, out);
  return out;
}

}  // namespace

bool ServerMessage::has_media() const {
  return std::any_of(parts.begin(), parts.end(), [](const Part& part) { return part.is_media; });
}

bool ServerMessage::is_empty() const {
  return content.empty() && parts.empty() && calls.empty() && reasoning.empty() && name.empty() &&
         tool_call_id.empty();
}

std::string ServerMessage::whole_text() const {
  std::string text = content;
  for (const Part& part : parts) {
    if (!part.is_media) {
      text += text.empty() ? "" : "\n\n";
      text += part.text;
    }
  }
  return text;
}

Result<ServerRequest> read_server_request(const ChatRequest& request) {
  try {
    return read(request);
  } catch (const Refused& refused) {
    return Error{base::ErrorCode::kBadRequest, refused.what()};
  } catch (const nlohmann::json::exception&) {
    return Error{base::ErrorCode::kBadRequest, "a member has a type that the server refuses"};
  }
}

}  // namespace weir::openai
