#pragma once

// Renders prompts by a model's own chat template, as llama-server would: what it does to a request
// first, the template itself, and what it adds behind it.

#include <chrono>
#include <memory>
#include <optional>

#include "weir/base/result.h"
#include "weir/openai/chat_request.h"
#include "weir/openai/prompt.h"

namespace weir::openai {

class InterpretedTemplate;

// Immutable; any number of threads may render at the same time.
class PromptRenderer {
 public:
  // Parses the template, finds out what it can do and how it marks thinking: some twenty renderings
  // of short conversations. The published templates of Qwen2.5, Qwen3 and Qwen3.5 are known by
  // heart (ChatTemplate), which is faster; the others are interpreted. Errors: kBadConfig when
  // `source.text` is no template that llama.cpp could load.
  static base::Result<std::shared_ptr<const PromptRenderer>> make(const TemplateSource& source);

  ~PromptRenderer();
  PromptRenderer(const PromptRenderer&) = delete;
  PromptRenderer& operator=(const PromptRenderer&) = delete;

  // Never fails: where the server would refuse the request, or a limit is hit, the text is a rough
  // one and the result says that it is an estimate. `now` is the date for templates that print it.
  PromptText render(const ChatRequest& request, const ServerRules& rules = {}) const;
  PromptText render(const ChatRequest& request, const ServerRules& rules,
                    std::chrono::system_clock::time_point now) const;

  // The template that is known by heart, if this is one.
  const std::optional<ChatTemplate>& known() const { return known_; }

 private:
  PromptRenderer();
  PromptText interpret(const ChatRequest& request, const ServerRules& rules,
                       std::chrono::system_clock::time_point now) const;

  std::optional<ChatTemplate> known_;
  std::unique_ptr<const InterpretedTemplate> main_;
  std::unique_ptr<const InterpretedTemplate> with_tools_;  // null when there is only one
};

}  // namespace weir::openai
