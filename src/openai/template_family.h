#pragma once

// What llama-server knows of a chat template beyond its text: it tells families of templates by
// marks in them, and changes messages for some before it renders.

#include <optional>
#include <string>
#include <string_view>

#include "json_tree.h"
#include "server_request.h"

namespace weir::openai {

enum class TemplateFamily {
  kOther,  // what it must know of these it finds out by rendering (thinking_tags.h)
  kCohere2Moe,
  kDeepSeekV32,
  kDeepSeekV4,
  kFunctionaryV32,
  kGemma4,
  kGemma4Old,  // takes the results of tools inside the assistant's message
  kGigaChatV3,
  kGptOss,
  kKimiK2,
  kKimiK3,
  kLfm2,
  kLing3,
  kMiniCpm5,
  kMiniMaxM3,
  kMinistral3,
  kMuseGlimmer,
  kQwen3Coder,   // Qwen3-Coder's calls, no thinking
  kQwen3Thinks,  // the same calls in Qwen3.5 and others that think
  kUnreadable,   // the server has rules for it that are not known here
};

TemplateFamily template_family(std::string_view template_text);

// The template as the server takes it: two checks that refuse good messages are taken out.
std::string patched_template(std::string_view template_text);

// Whether the server trims all texts of messages before this template.
bool trims_texts(std::string_view template_text);

// Whether "developer" stays what it is.
bool knows_developer(std::string_view template_text);

// Changes what the family's template gets to see.
void adjust_messages(TemplateFamily family, Json& messages);

// Known for the families; nullopt for kOther.
std::optional<bool> thinks(TemplateFamily family);

// How a message that goes on is written. The text begins behind the messages before it.
struct ContinuedForm {
  std::string opening;
  std::string think_open;
  std::string think_close;
  bool has_thinking = true;     // else the reasoning is left out
  bool always_content = false;  // even when the reasoning goes on
};

// `rendered` is what stands before it, `generation_prompt` what the template opens an answer with.
// Not for kOther and kUnreadable.
ContinuedForm continued_form(TemplateFamily family, const ServerMessage& message,
                             std::string_view rendered, std::string_view generation_prompt);

// Whether `continued_form` needs the generation prompt.
bool opens_with_generation_prompt(TemplateFamily family);

}  // namespace weir::openai
