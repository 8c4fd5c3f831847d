#pragma once

// The tags around the thinking in a template of no known family. llama-server finds them by
// rendering made-up conversations and comparing; a message that goes on is written with them, and a
// template without them is told that thinking is off.

#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "json_tree.h"

namespace weir::openai {

struct ThinkingTags {
  bool thinks = false;
  std::string open;   // with the white space behind it
  std::string close;  // with the white space around it
};

// One rendering; nullopt where the template refuses.
struct Trial {
  Json messages;
  Json tools;  // an array, or null
  bool adds_generation_prompt = false;
  bool enables_thinking = true;
};
using TrialRendering = std::function<std::optional<std::string>(const Trial&)>;

// Takes up to eight renderings. `has_tool_calls` as the template's capabilities say.
ThinkingTags find_thinking_tags(std::string_view template_text, bool has_tool_calls,
                                const TrialRendering& render);

}  // namespace weir::openai
