#include "weir/tokenizer/tokenizer.h"

#include <algorithm>
#include <new>
#include <utility>

#include "model.h"
#include "special_tokens.h"

namespace weir::tokenizer {
namespace {

std::uint64_t count_part(const Model& model, std::string_view part, Model::Work& work,
                         CountMemory* memory) {
  const auto tag = memory != nullptr && part.size() >= CountMemory::kTextBytesMin
                       ? memory->tag_of(model.number(), part)
                       : std::nullopt;
  if (!tag) {
    return model.count(part, work);
  }
  if (const auto known = memory->find(*tag)) {
    return *known;
  }
  const std::uint64_t tokens = model.count(part, work);
  memory->store(*tag, tokens);
  return tokens;
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
  return count(text, special, nullptr);
}

std::uint64_t Tokenizer::count(std::string_view text, SpecialText special,
                               CountMemory& memory) const {
  return count(text, special, &memory);
}

TokenBounds Tokenizer::bounds(std::uint64_t text_bytes) const {
  const std::uint64_t longest = model_->token_bytes_max();
  const std::uint64_t one_token = std::max<std::uint64_t>(longest, special_->longest());
  return {longest == 0 || special_->strips() ? 0 : text_bytes / one_token,
          text_bytes * model_->tokens_per_byte_max()};
}

std::uint64_t Tokenizer::count(std::string_view text, SpecialText special,
                               CountMemory* memory) const {
  if (text.size() > kTextBytesMax) {
    return text.size();
  }
  try {
    Model::Work work(*model_, text.size());
    std::uint64_t tokens = 0;
    special_->cut(
        text, special,
        [&](std::string_view part) { tokens += count_part(*model_, part, work, memory); },
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
    special_->cut(
        text, special, [&](std::string_view part) { model_->encode(part, work, tokens); },
        [&](std::uint32_t id) { tokens.push_back(id); });
  } catch (const std::bad_alloc&) {
    tokens.clear();
  }
  return tokens;
}

}  // namespace weir::tokenizer
