#include "weir/proxy/prompt_counter.h"

#include <utility>

#include "model_families.h"
#include "weir/base/text.h"

namespace weir::proxy {
namespace {

using openai::ChatTemplate;

struct KnownTemplate {
  std::uint64_t hash;
  ChatTemplate chat_template;
};

// FNV-1a of the templates that openai::render_prompt was compared with, as llama.cpp 80fb11a has
// them (models/templates), without white space at the ends.
constexpr KnownTemplate kKnownTemplates[] = {
    {0xf07c510f47fbaca0, ChatTemplate::kQwen35},  // Qwen3.5-4B
    {0x2bfdb7aa9754484e, ChatTemplate::kQwen3},   // Qwen3-0.6B
    {0xe642ce246d7f2e3d, ChatTemplate::kQwen25},  // Qwen2.5-7B-Instruct
};

std::optional<ChatTemplate> known_template(std::string_view text) {
  std::uint64_t hash = 0xcbf29ce484222325;
  for (const char c : base::trim_ascii(text)) {
    hash = (hash ^ static_cast<std::uint8_t>(c)) * 0x100000001b3;
  }
  for (const KnownTemplate& known : kKnownTemplates) {
    if (known.hash == hash) {
      return known.chat_template;
    }
  }
  return std::nullopt;
}

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
  why_estimate_ = file_->facts().why_estimate;
  if (const auto known = known_template(loaded->chat_template)) {
    chat_template_ = *known;
    return {};
  }
  const Family* family = family_of(loaded->model_name);
  family = family == nullptr ? family_of(name_) : family;
  chat_template_ = (family == nullptr ? default_family() : *family).chat_template;
  if (why_estimate_.empty()) {
    why_estimate_ = "the model file's chat template is not known";
  }
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
  counter.why_estimate_ = family == nullptr ? kGuess : family->why_estimate;
  family = family == nullptr ? &default_family() : family;
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
  counter.why_estimate_ = family->why_estimate;
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
  counter.rules_ = rules;
  return counter;
}

openai::PromptText PromptCounter::render(const openai::ChatRequest& request) const {
  return openai::render_prompt(request, chat_template_, rules_);
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
  for (const std::string* why : {&why_estimate_, &prompt.why_estimate, &beside.why_estimate}) {
    if (!why->empty()) {
      return {tokens, true, *why};
    }
  }
  return {tokens, prompt.is_estimate, ""};
}

}  // namespace weir::proxy
