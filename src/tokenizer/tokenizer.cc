#include "weir/tokenizer/tokenizer.h"

#include <new>
#include <utility>

#include "model.h"
#include "special_tokens.h"

namespace weir::tokenizer {
namespace {

// Cuts `text` at its special tokens: `on_text` gets what stands between them, `on_token` their ids.
template <class Finder, class OnText, class OnToken>
void cut_at_special_tokens(const Finder& finder, std::string_view text, SpecialText special,
                           OnText on_text, OnToken on_token) {
  std::size_t from = 0;
  while (const auto hit = finder.find(text, from, special)) {
    if (hit->begin > from) {
      on_text(text.substr(from, hit->begin - from));
    }
    on_token(hit->id);
    from = hit->end;
  }
  if (from < text.size()) {
    on_text(text.substr(from));
  }
}

}  // namespace

Tokenizer::Tokenizer(std::string name, std::shared_ptr<const Model> model,
                     std::vector<SpecialToken> special_tokens, TokenizerFacts facts)
    : name_(std::move(name)),
      model_(std::move(model)),
      special_(std::make_unique<const SpecialFinder>(std::move(special_tokens))),
      facts_(std::move(facts)) {
}

Tokenizer::~Tokenizer() = default;

std::uint64_t Tokenizer::count(std::string_view text, SpecialText special) const {
  if (text.size() > kTextBytesMax) {
    return text.size();
  }
  try {
    Model::Work work(*model_, text.size());
    std::uint64_t tokens = 0;
    cut_at_special_tokens(
        *special_, text, special,
        [&](std::string_view part) { tokens += model_->count(part, work); },
        [&](std::uint32_t) { ++tokens; });
    return tokens;
  } catch (const std::bad_alloc&) {
    return text.size();
  }
}

std::vector<std::uint32_t> Tokenizer::encode(std::string_view text, SpecialText special) const {
  std::vector<std::uint32_t> tokens;
  if (text.size() > kTextBytesMax) {
    return tokens;
  }
  try {
    Model::Work work(*model_, 0);  // a cache knows numbers of tokens only
    cut_at_special_tokens(
        *special_, text, special,
        [&](std::string_view part) { model_->encode(part, work, tokens); },
        [&](std::uint32_t id) { tokens.push_back(id); });
  } catch (const std::bad_alloc&) {
    tokens.clear();
  }
  return tokens;
}

}  // namespace weir::tokenizer
