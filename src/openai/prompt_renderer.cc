#include "weir/openai/prompt_renderer.h"

#include <cstdint>
#include <utility>

#include "interpreted_template.h"
#include "json_reader.h"
#include "weir/base/text.h"

namespace weir::openai {
namespace {

using base::Result;
using Time = std::chrono::system_clock::time_point;

// What llama-server takes when a model has no template.
constexpr std::string_view kChatMl =
    "{% for message in messages %}"
    "{{ '<|im_start|>' + message.role + '\\n' + message.content + '<|im_end|>\\n' }}"
    "{% endfor %}"
    "{% if add_generation_prompt %}{{ '<|im_start|>assistant\\n' }}{% endif %}";

struct KnownTemplate {
  std::uint64_t hash;
  ChatTemplate chat_template;
};

// FNV-1a of the templates that render_prompt was compared with, as llama.cpp 80fb11a has them
// (models/templates), without white space at the ends.
constexpr KnownTemplate kKnownTemplates[] = {
    {0xf07c510f47fbaca0, ChatTemplate::kQwen35},  // Qwen3.5-4B
    {0x2bfdb7aa9754484e, ChatTemplate::kQwen3},   // Qwen3-0.6B
    {0xe642ce246d7f2e3d, ChatTemplate::kQwen25},  // Qwen2.5-7B-Instruct
};

std::optional<ChatTemplate> known_template(std::string_view text) {
  std::uint64_t hash = 0xcbf29ce484222325;
  for (const char c : base::trim_ascii(text)) {
    hash = (hash ^ static_cast<std::uint8_t>(c)) * 0x100000001b3;
  }
  for (const KnownTemplate& known : kKnownTemplates) {
    if (known.hash == hash) {
      return known.chat_template;
    }
  }
  return std::nullopt;
}

// Whether the request has variables of its own that a known template may read.
bool has_own_variables(const ChatRequest& request) {
  for (MemberCursor at(JsonView(request.template_kwargs_json())); at.next();) {
    if (!at.key().equals("enable_thinking")) {
      return true;
    }
  }
  return false;
}

void note(PromptText& prompt, std::string why) {
  if (!prompt.is_estimate && !why.empty()) {
    prompt.is_estimate = true;
    prompt.why_estimate = std::move(why);
  }
}

Result<std::unique_ptr<const InterpretedTemplate>> interpreted(std::string text,
                                                               const TemplateSource& source) {
  auto made = InterpretedTemplate::make(text, source.bos, source.eos);
  if (!made) {
    return std::move(made).error();
  }
  return std::make_unique<const InterpretedTemplate>(*std::move(made));
}

}  // namespace

PromptRenderer::PromptRenderer() = default;
PromptRenderer::~PromptRenderer() = default;

Result<std::shared_ptr<const PromptRenderer>> PromptRenderer::make(const TemplateSource& source) {
  const bool has_text = !source.text.empty() && source.text != "chatml";
  const std::string text = has_text                    ? patched_template(source.text)
                           : !source.tool_text.empty() ? source.tool_text
                                                       : std::string(kChatMl);
  auto main = interpreted(text, source);
  if (!main) {
    return std::move(main).error();
  }
  std::shared_ptr<PromptRenderer> renderer(new PromptRenderer);
  renderer->main_ = *std::move(main);
  renderer->known_ = source.tool_text.empty() ? known_template(text) : std::nullopt;
  if (!source.tool_text.empty()) {
    if (auto with_tools = interpreted(source.tool_text, source)) {  // else the server does without
      renderer->with_tools_ = *std::move(with_tools);
    }
  }
  return std::shared_ptr<const PromptRenderer>(std::move(renderer));
}

PromptText PromptRenderer::render(const ChatRequest& request, const ServerRules& rules) const {
  return render(request, rules, std::chrono::system_clock::now());
}

PromptText PromptRenderer::render(const ChatRequest& request, const ServerRules& rules,
                                  Time now) const {
  if (known_ && !has_own_variables(request)) {
    PromptText prompt = render_prompt(request, *known_, rules);
    if (!prompt.is_estimate) {
      return prompt;
    }
  }
  return interpret(request, rules, now);
}

PromptText PromptRenderer::interpret(const ChatRequest& request, const ServerRules& rules,
                                     Time now) const {
  PromptText prompt;
  const auto read = read_server_request(request);
  Result<std::string> text = base::Error{base::ErrorCode::kBadRequest, ""};
  if (read) {
    const bool has_tools = !read->tools.is_null() && with_tools_ != nullptr;
    const InterpretedTemplate& chosen = has_tools ? *with_tools_ : *main_;
    text = chosen.render(*read, rules, now);
    note(prompt, std::string(chosen.why_uncertain(*read, rules)));
  }
  if (!text) {
    prompt = render_prompt(request, known_.value_or(ChatTemplate::kQwen3), rules);
    prompt.is_estimate = true;
    prompt.why_estimate = !read ? "llama-server would refuse this request: " + read.error().message
                          : text.error().code == base::ErrorCode::kOverloaded
                              ? "the chat template takes too long for this request"
                              : "llama-server would refuse this request: its chat template does";
    return prompt;
  }
  prompt.text = *std::move(text);
  add_media(request, prompt);
  return prompt;
}

}  // namespace weir::openai
