#include "weir/openai/prompt.h"

#include "prompt_templates.h"

namespace weir::openai {

PromptText render_prompt(const ChatRequest& request, ChatTemplate chat_template,
                         const ServerRules& rules) {
  PromptDraft prompt;
  prompt.images = request.images();
  prompt.audios = request.audios();
  prompt.files = request.files();
  prompt.text.reserve(request.messages_json().size() + request.tools_json().size() + 2048);
  prompt.rules = rules;
  const bool is_qwen35 = chat_template == ChatTemplate::kQwen35;
  if (!is_qwen35) {
    prompt.rules.parts = TextParts::kLines;  // the older templates take strings only
  }
  const PromptPlan plan = plan_prompt(request, is_qwen35, prompt);
  switch (chat_template) {
    case ChatTemplate::kQwen35:
      render_qwen35(plan, prompt);
      break;
    case ChatTemplate::kQwen3:
      render_qwen3(plan, prompt);
      break;
    case ChatTemplate::kQwen25:
      render_qwen25(plan, prompt);
      break;
  }
  if (prompt.images + prompt.audios + prompt.files > 0) {
    note_estimate(prompt, "there are parts that are no text");
  }
  return static_cast<PromptText&&>(prompt);
}

}  // namespace weir::openai
