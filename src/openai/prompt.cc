#include "weir/openai/prompt.h"

#include "prompt_templates.h"

namespace weir::openai {

namespace {

void render_qwen(const ChatRequest& request, ChatTemplate chat_template, PromptDraft& prompt) {
  const bool is_qwen35 = chat_template == ChatTemplate::kQwen35;
  if (!is_qwen35) {
    prompt.rules.parts = TextParts::kLines;  // the older templates take strings only
  }
  const PromptPlan plan = plan_prompt(request, is_qwen35, prompt);
  if (is_qwen35) {
    render_qwen35(plan, prompt);
  } else if (chat_template == ChatTemplate::kQwen3) {
    render_qwen3(plan, prompt);
  } else {
    render_qwen25(plan, prompt);
  }
}

}  // namespace

PromptText render_prompt(const ChatRequest& request, ChatTemplate chat_template,
                         const ServerRules& rules) {
  PromptDraft prompt;
  if (request.images() + request.audios() + request.files() == 0) {  // else most of it is base64
    prompt.text.reserve(request.messages_json().size() + request.tools_json().size() + 2048);
  }
  prompt.rules = rules;
  const JsonView messages(request.messages_json());
  const JsonView tools(request.tools_json());
  switch (chat_template) {
    case ChatTemplate::kOpenAi:
      render_openai(messages, tools, prompt);
      break;
    case ChatTemplate::kDeepSeek:
      render_deepseek(messages, tools, prompt);
      break;
    default:
      render_qwen(request, chat_template, prompt);
      break;
  }
  add_media(request, prompt);
  return static_cast<PromptText&&>(prompt);
}

}  // namespace weir::openai
