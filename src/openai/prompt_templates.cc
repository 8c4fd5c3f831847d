#include "prompt_templates.h"

namespace weir::openai {
namespace {

// The server takes a tool apart and puts it together again from these three.
void append_tool(JsonView tool, PromptDraft& prompt) {
  const JsonView function = tool.member("function");
  const JsonView name = function.member("name");
  const JsonView description = function.member("description");
  const JsonView parameters = function.member("parameters");
  if (!tool.member("type").equals("function") || !name.is(JsonKind::kString) ||
      !(description.is_absent() || description.is(JsonKind::kString))) {
    note_estimate(prompt, "a tool lacks its type or name, or its description is no string");
  }
  prompt.text += "\n{\"type\": \"function\", \"function\": {\"name\": ";
  append_json(prompt, name.is_absent() ? JsonView("\"\"") : name);
  prompt.text += ", \"description\": ";
  append_json(prompt, description.is_absent() ? JsonView("\"\"") : description);
  prompt.text += ", \"parameters\": ";
  append_json(prompt, parameters.is_absent() ? JsonView("{}") : parameters);
  prompt.text += "}}";
}

}  // namespace

void append_tools(const PromptPlan& plan, PromptDraft& prompt) {
  for (ElementCursor at(plan.tools); at.next();) {
    append_tool(at.value(), prompt);
  }
}

void append_ending(const PromptPlan& plan, bool thinks, bool opens, PromptDraft& prompt) {
  if (plan.ending == Ending::kNothing) {
    return;
  }
  const std::string content = joined_text(plan.continued.member("content"), "\n\n");
  const std::string reasoning = joined_text(plan.continued.member("reasoning_content"), "");
  prompt.text += "<|im_start|>assistant\n";
  if (plan.ending == Ending::kAnswer) {
    prompt.text += !thinks          ? ""
                   : !plan.thinking ? "<think>\n\n</think>\n\n"
                   : opens          ? "<think>\n"
                                    : "";
    return;
  }
  if (thinks) {
    prompt.text += "<think>\n" + reasoning;
    prompt.text += plan.ending == Ending::kContent ? "\n</think>\n\n" : "";
  }
  prompt.text += plan.ending == Ending::kContent ? content : "";
}

}  // namespace weir::openai
