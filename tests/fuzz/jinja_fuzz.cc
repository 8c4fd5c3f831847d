// Any bytes as a template and, behind the first NUL, its variables as JSON: no crash, no endless
// rendering, and the same text twice.

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <nlohmann/json.hpp>
#include <string_view>

#include "weir/jinja/template.h"

using weir::jinja::Json;
using weir::jinja::RenderLimits;
using weir::jinja::Template;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view input(reinterpret_cast<const char*>(data), size);
  const std::size_t cut = input.find('\0');
  const auto parsed = Template::parse(input.substr(0, cut));
  if (!parsed) {
    return 0;
  }
  Json variables = Json::object();
  if (cut != std::string_view::npos) {
    variables = Json::parse(input.substr(cut + 1), nullptr, false);
  }
  if (!variables.is_object()) {
    return 0;
  }
  RenderLimits limits;
  limits.steps_max = 50'000;
  limits.depth_max = 200;
  limits.memory_bytes_max = std::size_t{16} << 20;
  limits.output_bytes_max = std::size_t{1} << 20;
  const weir::base::SystemTime now{};
  const auto first = parsed->render(variables, limits, now);
  const auto second = parsed->render(variables, limits, now);
  if (first.has_value() != second.has_value() || (first && *first != *second)) {
    std::abort();
  }
  return 0;
}
