#include "template_family.h"

#include <array>
#include <cstddef>

namespace weir::openai {
namespace {

// A family has all of `marks` in its text, and not `absent`.
struct FamilyMark {
  TemplateFamily family;
  std::array<std::string_view, 3> marks;
  std::string_view absent;
};

// In the server's order; the first that fits counts.
constexpr FamilyMark kFamilyMarks[] = {
    {TemplateFamily::kMinistral3, {"[SYSTEM_PROMPT]", "[TOOL_CALLS]", "[ARGS]"}, "[CALL_ID]"},
    {TemplateFamily::kUnreadable, {"chat_format=llm-jp-harmony-v1"}, ""},
    {TemplateFamily::kGptOss, {"<|channel|>"}, ""},
    {TemplateFamily::kMuseGlimmer, {"<atem:function_calls>", "<|eom|>"}, ""},
    {TemplateFamily::kFunctionaryV32, {">>>all", ">>>${recipient}"}, ""},
    {TemplateFamily::kKimiK2, {"<|tool_calls_section_begin|>", "<|tool_call_begin|>"}, ""},
    {TemplateFamily::kKimiK3, {"<|open|>", "<|close|>", "<|end_of_msg|>"}, ""},
    {TemplateFamily::kLing3, {"<role>ASSISTANT</role>", "<arg_key>"}, ""},
    {TemplateFamily::kCohere2Moe, {"<|START_TEXT|>", "<|START_ACTION|>"}, ""},
    {TemplateFamily::kLfm2, {"<|tool_list_start|>", "<|tool_list_end|>"}, ""},
    {TemplateFamily::kLfm2, {"List of tools: ["}, "<|tool_list_start|>"},
    {TemplateFamily::kGigaChatV3, {"<|role_sep|>", "<|message_sep|>"}, "<|function_call|>"},
    {TemplateFamily::kMiniMaxM3, {"]<]minimax[>[", "<tool_call>", "<invoke name="}, ""},
    {TemplateFamily::kDeepSeekV32, {"dsml_token", "DSML", "function_calls"}, ""},
    {TemplateFamily::kDeepSeekV4, {"dsml_token", "DSML", "tool_calls"}, ""},
    {TemplateFamily::kGemma4, {"'<|tool_call>call:'", "{#- OpenAI Chat Completions:"}, ""},
    {TemplateFamily::kGemma4Old, {"'<|tool_call>call:'"}, ""},
    {TemplateFamily::kUnreadable, {"[source_lang_code]", "[target_lang_code]"}, ""},
    {TemplateFamily::kMiniCpm5,
     {"Tool usage guidelines:", "<function name=\"", "<param name=\""},
     ""},
    {TemplateFamily::kQwen3Coder,
     {"<tool_call>", "<function=", "<parameter="},
     "'<tool_call><function=' ~ tool_call.name ~ '>'"},
};

bool has(std::string_view text, std::string_view mark) {
  return text.find(mark) != std::string_view::npos;
}

bool fits(const FamilyMark& known, std::string_view text) {
  for (const std::string_view mark : known.marks) {
    if (!has(text, mark)) {
      return false;
    }
  }
  return known.absent.empty() || !has(text, known.absent);
}

// A condition that the server makes false where it finds the mark and the hint.
struct Patch {
  std::string_view mark;
  std::string_view hint;
  std::string_view condition;
};

constexpr Patch kPatches[] = {
    {"<|channel|>", "in message.content or",
     "{%- if \"<|channel|>analysis<|message|>\" in message.content or "
     "\"<|channel|>final<|message|>\" in message.content %}"},
    {"[TOOL_CALLS]", "if (message['content'] is none or",
     "{%- if (message['content'] is none or message['content'] == '' or "
     "message['content']|length == 0) and (message['tool_calls'] is not defined or "
     "message['tool_calls'] is none or message['tool_calls']|length == 0) %}"},
};

}  // namespace

TemplateFamily template_family(std::string_view template_text) {
  for (const FamilyMark& known : kFamilyMarks) {
    if (fits(known, template_text)) {
      const bool thinks = has(template_text, "<think>");
      return known.family == TemplateFamily::kQwen3Coder && thinks ? TemplateFamily::kQwen3Thinks
                                                                   : known.family;
    }
  }
  return TemplateFamily::kOther;
}

std::string patched_template(std::string_view template_text) {
  std::string text(template_text);
  for (const Patch& patch : kPatches) {
    if (!has(text, patch.mark) || !has(text, patch.hint)) {
      continue;
    }
    constexpr std::string_view kFalse = "{%- if false %}";
    for (std::size_t at = text.find(patch.condition); at != std::string::npos;
         at = text.find(patch.condition, at + kFalse.size())) {
      text.replace(at, patch.condition.size(), kFalse);
    }
  }
  return text;
}

bool trims_texts(std::string_view template_text) {
  return has(template_text, "You have access to the following functions in JSONSchema format");
}

bool knows_developer(std::string_view template_text) {
  return has(template_text, "<|channel|>");
}

std::optional<bool> thinks(TemplateFamily family) {
  switch (family) {
    case TemplateFamily::kOther:
      return std::nullopt;
    case TemplateFamily::kFunctionaryV32:
    case TemplateFamily::kGigaChatV3:
    case TemplateFamily::kQwen3Coder:
    case TemplateFamily::kUnreadable:
      return false;
    default:
      return true;
  }
}

bool opens_with_generation_prompt(TemplateFamily family) {
  return family == TemplateFamily::kOther || family == TemplateFamily::kMiniMaxM3;
}

}  // namespace weir::openai
