#include "weir/proxy/prompt_counter.h"

#include <algorithm>

#include "weir/base/text.h"

namespace weir::proxy {
namespace {

using openai::ChatTemplate;

struct Family {
  std::string_view letters;  // in the model's name, lower case, without '-', '_', '.' and blanks
  std::string_view vocabulary;
  ChatTemplate chat_template;
};

// The first that is found in the name counts: longer ones stand before their own beginnings.
constexpr Family kFamilies[] = {
    {"qwen35", "qwen3.5", ChatTemplate::kQwen35}, {"qwen36", "qwen3.5", ChatTemplate::kQwen35},
    {"qwen3", "qwen3", ChatTemplate::kQwen3},     {"qwen25", "qwen2.5", ChatTemplate::kQwen25},
    {"qwen2", "qwen2", ChatTemplate::kQwen25},
};
constexpr const Family& kDefaultFamily = kFamilies[0];

std::string letters_of(std::string_view name) {
  std::string letters = base::ascii_lower(name);
  std::erase_if(letters, [](char c) { return c == '-' || c == '_' || c == '.' || c == ' '; });
  return letters;
}

const Family* family_of(std::string_view name) {
  const std::string letters = letters_of(name);
  const auto* found = std::find_if(
      std::begin(kFamilies), std::end(kFamilies),
      [&](const Family& family) { return letters.find(family.letters) != std::string::npos; });
  return found == std::end(kFamilies) ? nullptr : found;
}

}  // namespace

base::Result<PromptCounter> PromptCounter::choose(std::string_view model,
                                                  std::string_view local_model,
                                                  std::uint32_t image_tokens,
                                                  tokenizer::Builtins& builtins) {
  PromptCounter counter;
  counter.builtins_ = &builtins;
  counter.image_tokens_ = image_tokens;
  const bool automatic = model == "auto";
  const Family* family = family_of(automatic ? local_model : model);
  if (!automatic && (!builtins.has(model) || family == nullptr)) {
    std::string names;
    for (const std::string_view name : builtins.names()) {
      names += (names.empty() ? "" : ", ") + std::string(name);
    }
    return base::Error{base::ErrorCode::kBadConfig,
                       "tokenizer.model: \"" + base::printable(model, 80) +
                           "\" is no built-in vocabulary; there are: auto, " + names};
  }
  counter.is_guess_ = family == nullptr;
  family = family == nullptr ? &kDefaultFamily : family;
  counter.name_ = automatic ? family->vocabulary : model;
  counter.chat_template_ = family->chat_template;
  return counter;
}

std::optional<PromptCounter> PromptCounter::for_model(std::string_view model) const {
  const Family* family = family_of(model);
  if (family == nullptr) {
    return std::nullopt;
  }
  PromptCounter counter = *this;
  counter.name_ = family->vocabulary;
  counter.chat_template_ = family->chat_template;
  counter.is_guess_ = false;
  return counter;
}

PromptCount PromptCounter::count(const openai::ChatRequest& request,
                                 const openai::ServerRules& rules) const {
  const openai::PromptText prompt = openai::render_prompt(request, chat_template_, rules);
  const std::uint64_t text_tokens = tokenizer().count(prompt.text, tokenizer::SpecialText::kParse);
  const std::uint64_t parts = prompt.images + prompt.audios + prompt.files;
  PromptCount counted{text_tokens + parts * image_tokens_, prompt.is_estimate || is_guess_,
                      prompt.why_estimate};
  if (is_guess_) {
    counted.why_estimate =
        "the local model's name does not tell its vocabulary; set tokenizer.model";
  }
  return counted;
}

}  // namespace weir::proxy
