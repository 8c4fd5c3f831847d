// Prints what weir makes of chat requests, for a comparison with a real server.
//
//     chat_lines MODEL.gguf < requests > results
//
// One request a line in, one JSON object a line out: {"text", "tokens", "estimate"}, the last one
// the reason why the count is an estimate, or null.

#include <cstdio>
#include <iostream>
#include <string>

#include "weir/base/json_text.h"
#include "weir/openai/chat_request.h"
#include "weir/proxy/prompt_counter.h"
#include "weir/tokenizer/builtin.h"

namespace {

// As a server of llama.cpp 0.7.0 tells of itself, but for the parts: these go by the template.
weir::openai::ServerRules rules(const std::string& parts) {
  weir::openai::ServerRules rules;
  rules.fractions = weir::openai::Fractions::kExact;
  rules.parts =
      parts == "joined" ? weir::openai::TextParts::kJoined : weir::openai::TextParts::kLines;
  return rules;
}

void print(const weir::proxy::PromptCounter& counter, const std::string& line) {
  std::string out = "{\"text\":";
  const auto request = weir::openai::ChatRequest::parse(line);
  if (!request) {
    weir::base::append_json_string(out, "");
    out += ",\"tokens\":0,\"estimate\":";
    weir::base::append_json_string(out, request.error().message);
  } else {
    const weir::proxy::PromptCount count = counter.count(*request);
    weir::base::append_json_string(out, counter.render(*request).text);
    out += ",\"tokens\":" + std::to_string(count.tokens) + ",\"estimate\":";
    if (count.is_estimate) {
      weir::base::append_json_string(out, count.why_estimate);
    } else {
      out += "null";
    }
  }
  std::puts((out + "}").c_str());
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 3) {
    std::fputs("usage: chat_lines MODEL.gguf joined|lines\n", stderr);
    return 2;
  }
  weir::tokenizer::Builtins builtins;
  const auto chosen = weir::proxy::PromptCounter::choose(argv[1], "", 1024, builtins);
  if (!chosen || !chosen->why_estimate().empty()) {
    std::fprintf(stderr, "%s\n",
                 chosen ? chosen->why_estimate().c_str() : chosen.error().message.c_str());
    return 1;
  }
  const weir::proxy::PromptCounter counter = chosen->with_rules(rules(argv[2]));
  for (std::string line; std::getline(std::cin, line);) {
    print(counter, line);
  }
  return 0;
}
