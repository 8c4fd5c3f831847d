#include "model_families.h"

#include <algorithm>
#include <iterator>
#include <string>

#include "weir/base/text.h"

namespace weir::proxy {
namespace {

using openai::ChatTemplate;

// Licences keep these out of the program (src/tokenizer/data/README.md).
constexpr std::string_view kNotBuiltIn =
    "the model's vocabulary is not built in, the nearest is taken; set tokenizer.model to its "
    ".gguf";

constexpr std::string_view kByRule =
    "the model's chat template is not known here, chats are counted by a rule";

// The first that is found in the name counts: longer ones stand before their own beginnings, and
// what a model was distilled into before what it was distilled from.
constexpr Family kFamilies[] = {
    {"qwen35", "qwen3.5", ChatTemplate::kQwen35},
    {"qwen36", "qwen3.5", ChatTemplate::kQwen35},
    {"qwen3", "qwen3", ChatTemplate::kQwen3},
    {"qwen25", "qwen2.5", ChatTemplate::kQwen25},
    {"qwen2", "qwen2", ChatTemplate::kQwen25},
    {"distillqwen", "qwen2.5", ChatTemplate::kDeepSeek, {}, kByRule},
    {"gptoss", "gpt-oss", ChatTemplate::kOpenAi, {}, kByRule},
    {"o200k", "o200k", ChatTemplate::kOpenAi, {}, kByRule},
    {"gpt4o", "gpt-4o", ChatTemplate::kOpenAi, {}, kByRule},
    {"gpt41", "o200k", ChatTemplate::kOpenAi, {}, kByRule},
    {"gpt45", "o200k", ChatTemplate::kOpenAi, {}, kByRule},
    {"gpt5", "o200k", ChatTemplate::kOpenAi, {}, kByRule},
    {"cl100k", "cl100k", ChatTemplate::kOpenAi, {}, kByRule},
    {"gpt4", "gpt-4", ChatTemplate::kOpenAi, {}, kByRule},
    {"gpt35", "cl100k", ChatTemplate::kOpenAi, {}, kByRule},
    {"llama3", "o200k", ChatTemplate::kOpenAi, kNotBuiltIn, kByRule},
    {"distillllama", "o200k", ChatTemplate::kOpenAi, kNotBuiltIn, kByRule},
    {"llama4", "o200k", ChatTemplate::kOpenAi, kNotBuiltIn, kByRule},
    {"gemma4", "gemma4", ChatTemplate::kOpenAi, {}, kByRule},
    {"gemma", "qwen3.5", ChatTemplate::kOpenAi, kNotBuiltIn, kByRule},
    {"deepseekcoder", "deepseek-v3", ChatTemplate::kDeepSeek, kNotBuiltIn, kByRule},
    {"deepseekllm", "deepseek-v3", ChatTemplate::kDeepSeek, kNotBuiltIn, kByRule},
    {"deepseekv2", "deepseek-v3", ChatTemplate::kDeepSeek, kNotBuiltIn, kByRule},
    {"deepseekv4", "deepseek-v4", ChatTemplate::kDeepSeek, {}, kByRule},
    {"deepseek", "deepseek-v3", ChatTemplate::kDeepSeek, {}, kByRule},
};

std::string letters_of(std::string_view name) {
  std::string letters = base::ascii_lower(name);
  std::erase_if(letters, [](char c) { return c == '-' || c == '_' || c == '.' || c == ' '; });
  return letters;
}

}  // namespace

const Family* family_of(std::string_view name) {
  const std::string letters = letters_of(name);
  const auto* found = std::find_if(
      std::begin(kFamilies), std::end(kFamilies),
      [&](const Family& family) { return letters.find(family.letters) != std::string::npos; });
  return found == std::end(kFamilies) ? nullptr : found;
}

const Family& default_family() {
  return kFamilies[0];
}

}  // namespace weir::proxy
