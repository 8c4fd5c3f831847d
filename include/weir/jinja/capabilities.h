#pragma once

// What a template can do, found out as llama.cpp finds it out: it renders a few made-up
// conversations and looks which of their values the template touched. llama-server shows the result
// in /props as chat_template_caps and shapes every request by it before it renders.

#include "weir/jinja/template.h"

namespace weir::jinja {

// The names are those of chat_template_caps, without "supports_".
struct Capabilities {
  bool tools = true;
  bool tool_calls = true;
  bool system_role = true;
  bool parallel_tool_calls = true;
  bool preserve_reasoning = false;  // shows the reasoning of older turns when asked to
  bool reasoning_effort = false;    // reads reasoning_effort
  bool string_content = true;       // takes a message's content as a string
  bool typed_content = false;       // takes it as a list of parts
  bool object_arguments = false;    // takes a tool call's arguments as an object, not as JSON text

  bool operator==(const Capabilities&) const = default;
};

// Takes about as long as eight short renderings. Never fails: a template that raises at everything
// has the capabilities that llama.cpp would give it.
Capabilities probe(const Template& chat_template);

}  // namespace weir::jinja
