#pragma once

// Counts the prompt tokens of a chat request as the local llama-server will: renders the chat
// template, then tokenizes.

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "weir/base/result.h"
#include "weir/config/config.h"
#include "weir/openai/chat_request.h"
#include "weir/openai/prompt.h"
#include "weir/openai/prompt_renderer.h"
#include "weir/proxy/media_counter.h"
#include "weir/tokenizer/builtin.h"
#include "weir/tokenizer/gguf.h"

namespace weir::proxy {

struct PromptCount {
  std::uint64_t tokens = 0;
  bool is_estimate = false;
  std::string why_estimate;  // one line; "" when the count is exact
};

// Thread-safe after construction.
class PromptCounter {
 public:
  // `model` is tokenizer.model of the configuration; "auto" goes by `local_model`, the name of the
  // local model. A path that ends in .gguf is read here (0.2 s): its vocabulary and its chat
  // template. `media` goes by the same model where no projector's file is configured. `tables`, if
  // given, outlives the counter and keeps the tables of such files (gguf.h).
  // Errors: kBadConfig when the name is no built-in vocabulary, or the file cannot be used.
  static base::Result<PromptCounter> choose(std::string_view model, std::string_view local_model,
                                            MediaCounter media, tokenizer::Builtins& builtins,
                                            tokenizer::TableStore* tables = nullptr);

  PromptCount count(const openai::ChatRequest& request) const { return count(render(request)); }

  // The same in steps: the text takes a small part of the time, and bounds how many tokens there
  // can be.
  openai::PromptText render(const openai::ChatRequest& request) const;
  tokenizer::TokenBounds bounds(const openai::PromptText& prompt) const;
  PromptCount count(const openai::PromptText& prompt) const;

  // The counter for a model of that name (or file name), with the same settings; nothing when the
  // name does not tell its vocabulary. For "auto" when the configuration names no local model and
  // the server does.
  std::optional<PromptCounter> for_model(std::string_view model) const;
  // The counter that goes by a model file, with the same settings. Errors as `choose`.
  base::Result<PromptCounter> for_file(const std::string& path) const;
  // The same counter for a server that has its own rules of rendering.
  PromptCounter with_rules(const openai::ServerRules& rules) const;
  // The same counter for a server that renders with this template, whatever the model file has.
  // Errors: kBadConfig when it is none that llama.cpp could load.
  base::Result<PromptCounter> with_template(const openai::TemplateSource& source) const;

  std::string_view tokenizer_name() const { return name_; }
  // tokenizer.model is "auto": what the server says of itself may make a better counter.
  bool is_automatic() const { return is_automatic_; }
  // "auto" found nothing that tells the vocabulary: every count is an estimate.
  bool is_guess() const { return is_guess_; }

  // Builds the tables now instead of at the first request.
  void warm_up() const {
    if (file_ == nullptr) {
      builtins_->find(name_);
    }
  }
  const tokenizer::Tokenizer& tokenizer() const {
    return file_ != nullptr ? *file_ : *builtins_->find(name_);
  }
  // What makes every count of a chat an estimate, in one line; "" when nothing does.
  const std::string& why_estimate() const {
    return why_vocabulary_.empty() ? why_template_ : why_vocabulary_;
  }

 private:
  PromptCounter() = default;
  MediaCount beside_text(const openai::PromptText& prompt) const;
  base::Result<void> read_file(const std::string& path);

  tokenizer::Builtins* builtins_ = nullptr;
  tokenizer::TableStore* tables_ = nullptr;
  std::shared_ptr<const tokenizer::Tokenizer> file_;  // shared by the copies of a counter
  std::shared_ptr<tokenizer::CountMemory> memory_;    // the same for all copies
  std::string name_;
  // The model's or the server's own template; without one, the built-in rules of a family.
  std::shared_ptr<const openai::PromptRenderer> renderer_;
  openai::ChatTemplate chat_template_ = openai::ChatTemplate::kQwen35;
  MediaCounter media_{0};
  openai::ServerRules rules_;
  bool is_automatic_ = false;
  bool is_guess_ = false;
  // Why every count is an estimate, whatever the request; "" when nothing is.
  std::string why_vocabulary_;
  std::string why_template_;
};

}  // namespace weir::proxy
