#pragma once

// One chat template that is interpreted, and what llama-server knows of it.

#include <chrono>
#include <optional>
#include <string>
#include <vector>

#include "json_tree.h"
#include "server_request.h"
#include "template_family.h"
#include "thinking_tags.h"
#include "weir/base/result.h"
#include "weir/jinja/capabilities.h"
#include "weir/jinja/template.h"
#include "weir/openai/prompt.h"

namespace weir::openai {

class InterpretedTemplate {
 public:
  // Errors: kBadConfig when it cannot be parsed.
  static base::Result<InterpretedTemplate> make(const std::string& text, std::string bos,
                                                std::string eos);

  // The whole prompt. Errors: kBadRequest where the server refuses, kOverloaded at a limit.
  base::Result<std::string> render(const ServerRequest& request, const ServerRules& rules,
                                   std::chrono::system_clock::time_point now) const;

  // Why another version of the server may render this request differently; "" when none would.
  std::string_view why_uncertain(const ServerRequest& request, const ServerRules& rules) const;

 private:
  // The variables of one request's renderings, and what it is rendered with.
  struct Rendering;

  InterpretedTemplate(jinja::Template parsed, std::string bos, std::string eos);

  void find_thinking();
  bool takes_parts(const ServerRules& rules) const;
  Json messages_of(const ServerRequest& request, const ServerRules& rules) const;
  Rendering prepare(const ServerRequest& request, const ServerRules& rules,
                    std::chrono::system_clock::time_point now) const;
  base::Result<std::string> render_once(Rendering& rendering, bool adds_generation_prompt) const;
  base::Result<std::string> generation_prompt(Rendering& rendering) const;
  base::Result<std::string> continued(const ServerRequest& request, Rendering& rendering,
                                      std::string rendered) const;

  base::Result<std::string> goes_on_with_nothing(Rendering& rendering, std::string rendered) const;

  jinja::Template template_;
  std::string bos_;
  std::string eos_;
  jinja::Capabilities can_;
  TemplateFamily family_;
  bool thinks_ = false;
  ThinkingTags tags_;  // of TemplateFamily::kOther
};

}  // namespace weir::openai
