#pragma once

// A chat template of a model file, and the text that llama.cpp's own engine makes of it.
//
// What is copied is llama.cpp's engine, not Python's Jinja: where the two differ (scopes, printing,
// numbers, missing filters) this one does as llama.cpp does, so that a prompt has the same bytes
// here and there. docs/architecture.md lists the differences that matter.
//
// Templates come out of anybody's file and see anybody's request, so everything is bounded: the
// template's size and nesting when it is parsed, and steps, depth, memory and output of a
// rendering.

#include <cstddef>
#include <cstdint>
#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>

#include "weir/base/clock.h"
#include "weir/base/result.h"

namespace weir::jinja {

// The order of members is kept: templates print tools and arguments in the order of the request.
using Json = nlohmann::ordered_json;

// Limits of Template::parse. The largest template that llama.cpp carries has 30 KB.
constexpr std::size_t kTemplateBytesMax = std::size_t{4} << 20;
constexpr std::size_t kTemplateNestingMax = 256;  // blocks in blocks, operators in operators

// Limits of one rendering. The defaults let any honest conversation pass: a chat of 1,000 messages
// takes some 200,000 steps.
struct RenderLimits {
  std::uint64_t steps_max =
      20'000'000;                 // evaluated nodes, plus a share for bytes worked on; about 1 s
  std::size_t depth_max = 2'000;  // nodes inside nodes, through macros too; 1 MB of stack
  std::size_t memory_bytes_max = std::size_t{256} << 20;  // values made while rendering
  std::size_t output_bytes_max = std::size_t{64} << 20;
};

struct Program;  // the parsed template; private to the part

// Immutable; a copy is cheap (it shares the parsed program). Any number of threads may render one
// template at the same time.
class Template {
 public:
  // Errors: kBadConfig when `source` is no template that llama.cpp could load, with "line:column".
  static base::Result<Template> parse(std::string_view source);

  // Renders with the members of `variables` (an object) as the template's variables. Nothing else
  // is defined besides true, false, none and the functions: what the server adds (bos_token,
  // add_generation_prompt, ...) is the caller's to add. `variables` is read in place; a long
  // message is copied into the text returned and, for most templates, nowhere else. `now` is what
  // strftime_now prints, in local time.
  // Errors: kBadRequest when the template raises, or does what llama.cpp refuses as well (an
  // unknown filter, a sum of text and number): the server would refuse this conversation, too.
  // kOverloaded when a limit is hit: nothing is known about the server's answer. Messages are one
  // line, at most some hundred bytes; what raise_exception says may quote the conversation.
  base::Result<std::string> render(const Json& variables, const RenderLimits& limits = {}) const;
  base::Result<std::string> render(const Json& variables, const RenderLimits& limits,
                                   base::SystemTime now) const;

  // The template's text as given to parse.
  std::string_view source() const;

 private:
  friend class Prober;
  explicit Template(std::shared_ptr<const Program> program) : program_(std::move(program)) {}

  std::shared_ptr<const Program> program_;  // never null
};

}  // namespace weir::jinja
