#pragma once

// Counts the prompt tokens of a chat request as the local llama-server will: renders the chat
// template, then tokenizes.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "weir/base/result.h"
#include "weir/config/config.h"
#include "weir/openai/chat_request.h"
#include "weir/openai/prompt.h"
#include "weir/tokenizer/builtin.h"

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
  // local model. Errors: kBadConfig when the name is no built-in vocabulary.
  static base::Result<PromptCounter> choose(std::string_view model, std::string_view local_model,
                                            std::uint32_t image_tokens,
                                            tokenizer::Builtins& builtins);

  // `rules` is what is known of the server that will render the prompt.
  PromptCount count(const openai::ChatRequest& request,
                    const openai::ServerRules& rules = {}) const;

  // The counter for a model of that name (or file name), with the same settings; nothing when the
  // name does not tell its vocabulary. For "auto" when the configuration names no local model and
  // the server does.
  std::optional<PromptCounter> for_model(std::string_view model) const;

  std::string_view tokenizer_name() const { return name_; }
  // "auto" found nothing that tells the vocabulary: every count is an estimate.
  bool is_guess() const { return is_guess_; }

  // Builds the tables now instead of at the first request.
  void warm_up() const { builtins_->find(name_); }
  const tokenizer::Tokenizer& tokenizer() const { return *builtins_->find(name_); }

 private:
  PromptCounter() = default;
  tokenizer::Builtins* builtins_ = nullptr;
  std::string name_;
  openai::ChatTemplate chat_template_ = openai::ChatTemplate::kQwen35;
  std::uint32_t image_tokens_ = 0;
  bool is_guess_ = false;
};

}  // namespace weir::proxy
