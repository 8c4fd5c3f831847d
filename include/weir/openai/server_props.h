#pragma once

// What llama-server says about itself. Everything is optional: other servers lack most of it.

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "weir/base/result.h"
#include "weir/openai/prompt.h"

namespace weir::openai {

struct ServerProps {
  std::optional<std::uint32_t> slot_context_tokens;  // of ONE slot
  std::optional<std::uint32_t> total_slots;
  std::optional<bool> vision;
  std::optional<bool> audio;
  std::optional<std::string> model_path;
  std::optional<std::string> model_alias;
  bool is_sleeping = false;

  // Whether its chat template gets text parts as they are (TextParts::kJoined) or joined by lines
  // (TextParts::kLines); versions differ.
  std::optional<bool> typed_content;

  // The template it renders with, whatever file or option that came from; nullopt when there is
  // none, or one of more than kTemplateTextBytesMax.
  std::optional<TemplateSource> chat_template;

  // The number of its build, which grows: 11669 for "b11669-Debian".
  std::optional<std::uint32_t> build;
};

inline constexpr std::size_t kTemplateTextBytesMax = std::size_t{1} << 20;

// The body of GET /props. kBadJson when it is no JSON object.
base::Result<ServerProps> parse_server_props(std::string_view body);

// The ids and aliases in the body of GET /v1/models, each once, in order; empty when it is no such
// list.
std::vector<std::string> parse_model_ids(std::string_view body);

// Whether this answer of GET /health says that the model is still being loaded.
bool is_loading_health(int status, std::string_view body);

}  // namespace weir::openai
