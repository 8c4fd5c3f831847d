#pragma once

// The chat templates, one function each: they append to `prompt.text` what the model's template
// renders, and note where it would refuse.

#include "prompt_plan.h"
#include "weir/openai/prompt.h"

namespace weir::openai {

void render_qwen35(const PromptPlan& plan, PromptDraft& prompt);
void render_qwen3(const PromptPlan& plan, PromptDraft& prompt);
void render_qwen25(const PromptPlan& plan, PromptDraft& prompt);

// The same for models without a known template (ChatTemplate::kOpenAi, kDeepSeek).
void render_openai(JsonView messages, JsonView tools, PromptDraft& prompt);
void render_deepseek(JsonView messages, JsonView tools, PromptDraft& prompt);

// What the first three have in common.

// A line feed and one line of JSON for each tool.
void append_tools(const PromptPlan& plan, PromptDraft& prompt);

// The end of the prompt: the opening of an answer, or the message that goes on. `thinks` says
// whether the template knows think tags, `opens` whether an answer begins with one.
void append_ending(const PromptPlan& plan, bool thinks, bool opens, PromptDraft& prompt);

}  // namespace weir::openai
