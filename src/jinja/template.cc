#include "weir/jinja/template.h"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "failure.h"
#include "program.h"
#include "rendering.h"

namespace weir::jinja {
namespace {

std::string place(std::string_view text, std::size_t offset) {
  const std::string_view before = text.substr(0, offset);
  const auto line = 1 + std::count(before.begin(), before.end(), '\n');
  const std::size_t column = before.size() - (before.rfind('\n') + 1) + 1;
  return std::to_string(line) + ":" + std::to_string(column);
}

}  // namespace

base::Result<Template> Template::parse(std::string_view source) {
  const auto wrong = [](const std::string& what) {
    return base::Error{base::ErrorCode::kBadConfig, "chat template " + what};
  };
  if (source.size() > kTemplateBytesMax) {
    return wrong("of more than " + std::to_string(kTemplateBytesMax) + " bytes");
  }
  auto program = std::make_shared<Program>();
  program->source = source;
  try {
    parse_into(*program);
  } catch (const SyntaxFailure& failure) {
    return wrong(place(program->text, failure.offset) + ": " + failure.what());
  }
  return Template(std::move(program));
}

base::Result<std::string> Template::render(const Json& variables,
                                           const RenderLimits& limits) const {
  return render(variables, limits, std::chrono::system_clock::now());
}

base::Result<std::string> Template::render(const Json& variables, const RenderLimits& limits,
                                           base::SystemTime now) const {
  Rendering run(*program_, limits, now);
  const auto failed = [&](base::ErrorCode code, const char* what) {
    return base::Error{code, "chat template " + place(program_->text, run.offset()) + ": " + what};
  };
  try {
    run.define(variables);
    run.execute();
    return run.take_output();
  } catch (const RenderFailure& failure) {
    return failed(base::ErrorCode::kBadRequest, failure.what());
  } catch (const LimitFailure& failure) {
    return failed(base::ErrorCode::kOverloaded, failure.what());
  }
}

std::string_view Template::source() const {
  return program_->source;
}

}  // namespace weir::jinja
