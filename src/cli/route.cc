#include <cstdio>

#include "commands.h"
#include "runtime.h"
#include "table_folder.h"
#include "weir/base/json_text.h"
#include "weir/proxy/routing_facts.h"

namespace weir::cli {
namespace {

// Nothing is asked: a server that is down, loading or full would be passed over.
constexpr const char* kAssumes = "every upstream is ready";

std::string json_text(std::string_view text) {
  std::string out;
  base::append_json_string(out, text);
  return out;
}

void print(const config::Config& config, const proxy::PromptCount& counted,
           const routing::Decision& decision, std::string_view requested_model) {
  const std::string model = decision.model.value_or(std::string(requested_model));
  std::printf(
      "{\"route\":%s,\"reason\":%s,\"model\":%s,\"prompt_tokens\":%llu,\"is_estimate\":%s,"
      "\"threshold_tokens\":%llu,\"assumes\":\"%s\"}\n",
      json_text(decision.upstream->full_name()).c_str(),
      json_text(routing::reason_name(decision.reason)).c_str(), json_text(model).c_str(),
      static_cast<unsigned long long>(counted.tokens), counted.is_estimate ? "true" : "false",
      static_cast<unsigned long long>(config.routing.threshold_tokens), kAssumes);
}

}  // namespace

int route(const RouteOptions& options) {
  const auto loaded = load(options.config);
  if (!loaded) {
    return report(loaded.error());
  }
  const config::Config& config = loaded->config;
  tokenizer::Builtins builtins;
  TableFolder tables(process_environment());
  const auto counter = configured_counter(config, builtins, tables);
  if (!counter) {
    return report(counter.error());
  }
  const auto input = read_input(options.file);
  if (!input) {
    return report(input.error());
  }
  const auto request = openai::ChatRequest::parse(*input);
  if (!request) {
    return report(request.error());
  }
  const proxy::PromptCount counted = counter->count(*request);
  // What only a running server can tell (its context, whether it sees) is taken from the
  // configuration alone.
  const auto decision = routing::decide(config, proxy::request_facts(*request, counted.tokens, ""));
  if (!decision) {
    return report(decision.error());
  }
  print(config, counted, *decision, request->model().value_or(""));
  return kExitDone;
}

}  // namespace weir::cli
