// How the families' templates write a message of the assistant that goes on.

#include <iterator>

#include "template_family.h"

namespace weir::openai {
namespace {

struct FamilyForm {
  TemplateFamily family;
  const char* opening;
  const char* think_open;
  const char* think_close;
};

constexpr FamilyForm kForms[] = {
    {TemplateFamily::kCohere2Moe, "<|START_OF_TURN_TOKEN|><|CHATBOT_TOKEN|>", "<|START_THINKING|>",
     "<|END_THINKING|><|START_TEXT|>"},
    {TemplateFamily::kDeepSeekV32, "<｜Assistant｜>", "<think>", "</think>"},
    {TemplateFamily::kDeepSeekV4, "<｜Assistant｜>", "<think>", "</think>"},
    {TemplateFamily::kGptOss, "<|start|>assistant", "<|channel|>analysis<|message|>",
     "<|end|><|start|>assistant<|channel|>final<|message|>"},
    {TemplateFamily::kKimiK2, "<|im_assistant|>assistant<|im_middle|>", "<think>", "</think>"},
    {TemplateFamily::kKimiK3, "<|open|>message role=\"assistant\"<|sep|>", "<|open|>think<|sep|>",
     "<|close|>think<|sep|><|open|>response<|sep|>"},
    {TemplateFamily::kLfm2, "<|im_start|>assistant\n", "<think>", "</think>"},
    {TemplateFamily::kLing3, "<role>ASSISTANT</role>\n", "<think>", "</think>"},
    {TemplateFamily::kMiniCpm5, "<|im_start|>assistant\n", "<think>\n", "\n</think>\n\n"},
    {TemplateFamily::kMinistral3, "", "[THINK]", "[/THINK]"},
    {TemplateFamily::kMuseGlimmer, "<|start|>assistant", " to=self<|message|>",
     "<|eom|><|start|>assistant to=user<|message|>"},
    {TemplateFamily::kQwen3Thinks, "<|im_start|>assistant\n", "<think>\n", "\n</think>\n\n"},
};

ContinuedForm without_thinking(const char* opening, bool always_content) {
  return {opening, "", "", false, always_content};
}

}  // namespace

ContinuedForm continued_form(TemplateFamily family, const ServerMessage& message,
                             std::string_view rendered, std::string_view generation_prompt) {
  if (family == TemplateFamily::kDeepSeekV4 && message.reasoning.empty()) {
    return without_thinking("<｜Assistant｜></think>", false);
  }
  for (const FamilyForm& known : kForms) {
    if (known.family == family) {
      return {known.opening, known.think_open, known.think_close, true, false};
    }
  }
  switch (family) {
    case TemplateFamily::kFunctionaryV32:
      return without_thinking("<|start_header_id|>assistant<|end_header_id|>\n\n>>>all\n", true);
    case TemplateFamily::kGigaChatV3:
      return without_thinking("assistant<|role_sep|>\n", true);
    case TemplateFamily::kQwen3Coder:
      return without_thinking("<|im_start|>assistant\n", false);
    case TemplateFamily::kMiniMaxM3:
      return {std::string(generation_prompt), "<mm:think>", "</mm:think>", true, false};
    case TemplateFamily::kGemma4:
    case TemplateFamily::kGemma4Old:
      return {rendered.ends_with("<turn|>\n") ? "<|turn>model\n" : "", "<|channel>thought\n",
              "<channel|>", true, false};
    default:
      return {};
  }
}

}  // namespace weir::openai
