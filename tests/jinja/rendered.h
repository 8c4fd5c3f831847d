#pragma once

// A template rendered in one line, for tests.

#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

#include "weir/jinja/template.h"

namespace weir::jinja {

inline std::string code_name(base::ErrorCode code) {
  switch (code) {
    case base::ErrorCode::kBadConfig:
      return "no template";
    case base::ErrorCode::kBadRequest:
      return "refused";
    case base::ErrorCode::kOverloaded:
      return "limit";
    default:
      return "another error";
  }
}

// The text, or "refused: MESSAGE" and so on. `variables` is JSON.
inline std::string rendered(std::string_view source, std::string_view variables = "{}",
                            const RenderLimits& limits = {}) {
  const auto parsed = Template::parse(source);
  if (!parsed) {
    return code_name(parsed.error().code) + ": " + parsed.error().message;
  }
  const auto text = parsed->render(Json::parse(variables), limits);
  return text ? *text : code_name(text.error().code) + ": " + text.error().message;
}

// Without the message: "refused", "limit", "no template", or the text.
inline std::string outcome(std::string_view source, std::string_view variables = "{}",
                           const RenderLimits& limits = {}) {
  const std::string all = rendered(source, variables, limits);
  const auto colon = all.find(": chat template");
  return colon == std::string::npos ? all : all.substr(0, colon);
}

}  // namespace weir::jinja
