#include "weir/proxy/prompt_counter.h"

#include <utility>

#include "model_families.h"
#include "weir/base/text.h"

namespace weir::proxy {
namespace {

constexpr std::string_view kGuess =
    "the local model's name does not tell its vocabulary; set tokenizer.model";

}  // namespace

base::Result<void> PromptCounter::read_file(const std::string& path) {
  auto loaded = tokenizer::load_gguf_tokenizer(path, tables_);
  if (!loaded) {
    return base::Error{loaded.error().code, "tokenizer.model: " + loaded.error().message};
  }
  file_ = std::move(loaded->tokenizer);
  media_ = media_.for_file(path);
  name_ = file_->name();
  why_vocabulary_ = file_->facts().why_estimate;
  rules_.adds_bos = loaded->adds_bos;
  rules_.adds_eos = loaded->adds_eos;
  const Family* family = family_of(loaded->model_name);
  family = family == nullptr ? family_of(name_) : family;
  chat_template_ = (family == nullptr ? default_family() : *family).chat_template;
  auto renderer = openai::PromptRenderer::make(
      {std::move(loaded->chat_template), "", std::move(loaded->bos), std::move(loaded->eos)});
  renderer_ = renderer ? *std::move(renderer) : nullptr;
  why_template_ = renderer_ ? "" : "the model file's chat template cannot be read";
  return {};
}

base::Result<PromptCounter> PromptCounter::choose(std::string_view model,
                                                  std::string_view local_model, MediaCounter media,
                                                  tokenizer::Builtins& builtins,
                                                  tokenizer::TableStore* tables) {
  PromptCounter counter;
  counter.builtins_ = &builtins;
  counter.tables_ = tables;
  counter.memory_ = std::make_shared<tokenizer::CountMemory>();
  counter.media_ = std::move(media);
  if (base::ascii_lower(model).ends_with(".gguf")) {
    if (auto read = counter.read_file(std::string(model)); !read) {
      return read.error();
    }
    return counter;
  }
  const bool automatic = model == "auto";
  const Family* family = family_of(automatic ? local_model : model);
  if (!automatic && (!builtins.has(model) || family == nullptr)) {
    std::string names;
    for (const tokenizer::BuiltinInfo& known : builtins.all()) {
      names += (names.empty() ? "" : ", ") + std::string(known.name);
    }
    return base::Error{base::ErrorCode::kBadConfig,
                       "tokenizer.model: \"" + base::printable(model, 80) +
                           "\" is no .gguf file and no built-in vocabulary; there are: auto, " +
                           names};
  }
  counter.is_automatic_ = automatic;
  counter.is_guess_ = family == nullptr;
  counter.why_vocabulary_ = family == nullptr ? kGuess : family->why_vocabulary;
  family = family == nullptr ? &default_family() : family;
  counter.why_template_ = family->why_template;
  counter.name_ = automatic ? family->vocabulary : model;
  counter.media_ = counter.media_.for_model(automatic ? local_model : model);
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
  counter.media_ = media_.for_model(model);
  counter.is_guess_ = false;
  counter.why_vocabulary_ = family->why_vocabulary;
  counter.why_template_ = family->why_template;
  return counter;
}

base::Result<PromptCounter> PromptCounter::for_file(const std::string& path) const {
  PromptCounter counter = *this;
  counter.is_guess_ = false;
  if (auto read = counter.read_file(path); !read) {
    return read.error();
  }
  return counter;
}

PromptCounter PromptCounter::with_rules(const openai::ServerRules& rules) const {
  PromptCounter counter = *this;
  counter.rules_.parts = rules.parts;
  counter.rules_.fractions = rules.fractions;
  return counter;
}

base::Result<PromptCounter> PromptCounter::with_template(
    const openai::TemplateSource& source) const {
  auto renderer = openai::PromptRenderer::make(source);
  if (!renderer) {
    return std::move(renderer).error();
  }
  PromptCounter counter = *this;
  counter.renderer_ = *std::move(renderer);
  counter.why_template_.clear();
  return counter;
}

openai::PromptText PromptCounter::render(const openai::ChatRequest& request) const {
  openai::ServerRules rules = rules_;
  rules.adds_bos = rules.adds_bos || (file_ == nullptr && tokenizer().facts().added_tokens > 0);
  return renderer_ != nullptr ? renderer_->render(request, rules)
                              : openai::render_prompt(request, chat_template_, rules);
}

// Tokens that come on top of those of the text.
MediaCount PromptCounter::beside_text(const openai::PromptText& prompt) const {
  MediaCount count = media_.count(prompt.media, tokenizer(), prompt.model);
  count.tokens += tokenizer().facts().added_tokens;
  return count;
}

tokenizer::TokenBounds PromptCounter::bounds(const openai::PromptText& prompt) const {
  const std::uint64_t beside = beside_text(prompt).tokens;
  tokenizer::TokenBounds sum{beside, beside};
  for (const std::string_view piece : openai::text_pieces(prompt)) {
    const tokenizer::TokenBounds bounds = tokenizer().bounds(piece.size());
    sum.at_least += bounds.at_least;
    sum.at_most += bounds.at_most;
  }
  return sum;
}

PromptCount PromptCounter::count(const openai::PromptText& prompt) const {
  const MediaCount beside = beside_text(prompt);
  std::uint64_t tokens = beside.tokens;
  for (const std::string_view piece : openai::text_pieces(prompt)) {
    tokens += tokenizer().count(piece, tokenizer::SpecialText::kParse, *memory_);
  }
  for (const std::string* why : {&why_estimate(), &prompt.why_estimate, &beside.why_estimate}) {
    if (!why->empty()) {
      return {tokens, true, *why};
    }
  }
  return {tokens, prompt.is_estimate, ""};
}

}  // namespace weir::proxy
