// Renders and probes templates for the end-to-end tests. Each line of the input is a JSON object:
// {"template": FILE, "variables": {...}} is answered with {"text": ...} or {"error": ...}, and
// {"template": FILE} alone with what the template can do, named as in /props.

#include <fstream>
#include <iostream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <string>

#include "weir/jinja/capabilities.h"

namespace weir::jinja {
namespace {

Json capabilities(const Template& parsed) {
  const Capabilities found = probe(parsed);
  return {{"supports_tools", found.tools},
          {"supports_tool_calls", found.tool_calls},
          {"supports_system_role", found.system_role},
          {"supports_parallel_tool_calls", found.parallel_tool_calls},
          {"supports_preserve_reasoning", found.preserve_reasoning},
          {"supports_reasoning_effort", found.reasoning_effort},
          {"supports_string_content", found.string_content},
          {"supports_typed_content", found.typed_content},
          {"supports_object_arguments", found.object_arguments}};
}

Json answer(const Json& task) {
  std::ifstream file(task.at("template").get<std::string>(), std::ios::binary);
  const std::string source(std::istreambuf_iterator<char>(file), {});
  const auto parsed = Template::parse(source);
  if (!parsed) {
    return {{"error", parsed.error().message}};
  }
  if (!task.contains("variables")) {
    return capabilities(*parsed);
  }
  const auto text = parsed->render(task.at("variables"));
  return text ? Json{{"text", *text}} : Json{{"error", text.error().message}};
}

}  // namespace
}  // namespace weir::jinja

int main() {
  using weir::jinja::Json;
  for (std::string line; std::getline(std::cin, line);) {
    std::cout << weir::jinja::answer(Json::parse(line))
                     .dump(-1, ' ', true, Json::error_handler_t::replace)
              << std::endl;
  }
}
