#include <cstdio>
#include <string>

#include "commands.h"
#include "runtime.h"
#include "table_folder.h"
#include "weir/openai/chat_request.h"
#include "weir/os/process.h"
#include "weir/proxy/prompt_counter.h"
#include "weir/tokenizer/builtin.h"
#include "weir/tokenizer/stream_counter.h"

namespace weir::cli {
namespace {

void say_if_estimate(const std::string& why) {
  if (!why.empty()) {
    std::fprintf(stderr, "weir: this is an estimate: %s\n", why.c_str());
  }
}

void list_vocabularies(const tokenizer::Builtins& builtins) {
  std::printf("%-12s %-10s %-28s %s\n", "NAME", "ENTRIES", "LICENCE", "MODELS");
  for (const tokenizer::BuiltinInfo& known : builtins.all()) {
    std::printf("%-12s %-10u %-28s %s\n", std::string(known.name).c_str(), known.entries,
                std::string(known.licence).c_str(), std::string(known.models).c_str());
  }
}

// Any length of text, a block at a time.
int count_text(const tokenizer::Tokenizer& tokenizer, const CountOptions& options) {
  tokenizer::StreamCounter counter(tokenizer, options.no_special ? tokenizer::SpecialText::kPlain
                                                                 : tokenizer::SpecialText::kParse);
  const auto take = [&counter](std::string_view block) { return counter.append(block); };
  const auto read = options.file == "-"
                        ? os::read_standard_input_in_blocks(take)
                        : os::read_file_in_blocks(os::path_from_utf8(options.file), take);
  if (!read) {
    return report(read.error());
  }
  const auto tokens = counter.finish();
  if (!tokens) {
    return report(tokens.error());
  }
  std::printf("%llu\n", static_cast<unsigned long long>(*tokens));
  say_if_estimate(tokenizer.facts().why_estimate);
  return kExitDone;
}

// Either reads the configuration that is named, or none at all.
base::Result<proxy::PromptCounter> counter_for(const CountOptions& options,
                                               tokenizer::Builtins& builtins,
                                               tokenizer::TableStore& tables) {
  if (!options.config) {
    return proxy::PromptCounter::choose(options.tokenizer, "", 1024, builtins, &tables);
  }
  const auto loaded = load(options.config);
  if (!loaded) {
    return loaded.error();
  }
  return configured_counter(loaded->config, builtins, tables);
}

}  // namespace

int count(const CountOptions& options) {
  tokenizer::Builtins builtins;
  if (!options.config && options.tokenizer == "list") {
    list_vocabularies(builtins);
    return kExitDone;
  }
  TableFolder tables(process_environment());
  const auto counter = counter_for(options, builtins, tables);
  if (!counter) {
    return report(counter.error());
  }
  if (options.text) {
    return count_text(counter->tokenizer(), options);
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
  std::printf("%llu\n", static_cast<unsigned long long>(counted.tokens));
  say_if_estimate(counted.why_estimate);
  return kExitDone;
}

}  // namespace weir::cli
