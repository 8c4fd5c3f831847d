#include "weir/tokenizer/builtin.h"

#include <array>
#include <mutex>
#include <new>
#include <optional>
#include <string>
#include <utility>

#include "embedded.h"
#include "special_tokens.h"

namespace weir::tokenizer {
namespace {

enum Merges : std::size_t { kQwen35, kQwen3, kMergesCount };

struct MergesSource {
  std::string_view (*bpe)();
  std::string_view (*special)();
  std::string_view splitter;
};

constexpr std::array<MergesSource, kMergesCount> kMerges = {{
    {embedded::qwen3_5_bpe, embedded::qwen3_5_special, "qwen35"},
    {embedded::qwen3_bpe, embedded::qwen3_special, "qwen2"},
}};

struct Named {
  std::string_view name;
  Merges merges;
  std::size_t special_tokens;  // so many of the list, from its start
};

constexpr std::array kNames = {
    Named{"qwen3.5", kQwen35, 33}, Named{"qwen3.6", kQwen35, 33}, Named{"qwen3", kQwen3, 26},
    Named{"qwen2.5", kQwen3, 22},  Named{"qwen2", kQwen3, 3},
};

std::optional<std::size_t> index_of(std::string_view name) {
  for (std::size_t i = 0; i < kNames.size(); ++i) {
    if (kNames[i].name == name) {
      return i;
    }
  }
  return std::nullopt;
}

}  // namespace

// All tokenizers of one vocabulary are made together, when the first of them is asked for.
struct Builtins::Store {
  std::array<std::once_flag, kMergesCount> once;
  std::array<std::optional<Tokenizer>, kNames.size()> tokenizers;

  void build(Merges merges) {
    const MergesSource& source = kMerges[merges];
    auto model = build_model(source.bpe(), source.splitter);
    auto special = read_special_tokens(source.special());
    if (!model || !special) {
      return;  // the data is ours and tested
    }
    for (std::size_t i = 0; i < kNames.size(); ++i) {
      if (kNames[i].merges == merges) {
        tokenizers[i].emplace(
            std::string(kNames[i].name), *model,
            std::vector(special->begin(),
                        special->begin() + static_cast<std::ptrdiff_t>(kNames[i].special_tokens)));
      }
    }
  }
};

Builtins::Builtins() : store_(std::make_unique<Store>()) {
}
Builtins::~Builtins() = default;

std::vector<std::string_view> Builtins::names() const {
  std::vector<std::string_view> names;
  for (const Named& named : kNames) {
    names.push_back(named.name);
  }
  return names;
}

bool Builtins::has(std::string_view name) const {
  return index_of(name).has_value();
}

const Tokenizer* Builtins::find(std::string_view name) const {
  const std::optional<std::size_t> index = index_of(name);
  if (!index) {
    return nullptr;
  }
  const Merges merges = kNames[*index].merges;
  try {
    std::call_once(store_->once[merges], [&] { store_->build(merges); });
  } catch (const std::bad_alloc&) {
    return nullptr;
  }
  const std::optional<Tokenizer>& tokenizer = store_->tokenizers[*index];
  return tokenizer ? &*tokenizer : nullptr;
}

}  // namespace weir::tokenizer
