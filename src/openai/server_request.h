#pragma once

// A chat request as llama-server holds it before it looks at its template.

#include <string>
#include <utility>
#include <vector>

#include "json_tree.h"
#include "weir/base/result.h"
#include "weir/openai/chat_request.h"

namespace weir::openai {

struct ServerMessage {
  struct Part {
    bool is_media = false;
    std::string text;
  };
  struct Call {
    std::string name;
    std::string arguments;  // JSON as text
    std::string id;
  };

  std::string role;
  std::string content;
  std::vector<Part> parts;
  std::vector<Call> calls;
  std::string reasoning;
  std::string name;
  std::string tool_call_id;

  bool has_media() const;
  bool is_empty() const;  // says nothing at all, whatever its role
  // The content, or all text parts with blank lines between them.
  std::string whole_text() const;
};

enum class Continue {
  kNo,
  kUndecided,  // as the message itself shows
  kContent,
  kReasoning,
};

struct ServerRequest {
  std::vector<ServerMessage> messages;
  Json tools;  // an array that is not empty, or null
  // The variables of chat_template_kwargs and reasoning_effort, with the server's own defaults.
  Json variables = Json::object();
  bool adds_generation_prompt = true;
  Continue continues = Continue::kNo;
  bool turns_thinking_off = false;
  Json schema;  // of the answer, or null
};

// Errors: kBadRequest where the server refuses the request, in one line without a word of it.
base::Result<ServerRequest> read_server_request(const ChatRequest& request);

}  // namespace weir::openai
