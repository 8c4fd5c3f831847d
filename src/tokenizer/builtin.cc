#include "weir/tokenizer/builtin.h"

#include <algorithm>
#include <array>
#include <mutex>
#include <new>
#include <optional>
#include <string>
#include <utility>

#include "bpe_model.h"
#include "embedded.h"
#include "gguf_model.h"
#include "gguf_special.h"
#include "special_tokens.h"
#include "splitter.h"
#include "token_list.h"

namespace weir::tokenizer {
namespace {

enum Merges : std::size_t { kQwen35, kQwen3, kO200k, kCl100k, kDeepSeek, kGemma4, kMergesCount };

using File = std::string_view (*)();

constexpr std::array<File, kMergesCount> kMerges = {
    embedded::qwen3_5_bpe, embedded::qwen3_bpe,    embedded::o200k_bpe,
    embedded::cl100k_bpe,  embedded::deepseek_bpe, embedded::gemma4_tokens,
};

// How text is cut into pieces. `classes` is a table of character classes.
struct Rules {
  Splitter splitter;
  File classes = embedded::unicode15_classes;
  Letters letters = Letters::kAlike;
};
constexpr Rules kQwen35Rules{split_qwen35};
constexpr Rules kQwen2Rules{split_qwen2};
constexpr Rules kGpt4oRules{split_gpt4o};  // llama.cpp's
constexpr Rules kO200kRules{split_o200k, embedded::unicode16_classes, Letters::kByCase};
constexpr Rules kCl100kRules{split_cl100k, embedded::unicode16_classes};
constexpr Rules kDeepSeekRules{split_deepseek_v3};

struct Entry {
  BuiltinInfo info;
  Merges merges;
  const Rules* rules;
  File special;
  std::size_t special_tokens;  // so many of the list, from its start
  std::uint32_t added_tokens = 0;
};

constexpr std::string_view kQwenLicence = "Apache-2.0, Alibaba Cloud";
constexpr std::string_view kOpenAiLicence = "MIT, OpenAI";
constexpr std::string_view kDeepSeekLicence = "MIT, DeepSeek";

// Entries of the same merges and rules share one model.
constexpr std::array kEntries = {
    Entry{{"qwen3.5", "Qwen3.5", 248320, kQwenLicence},
          kQwen35,
          &kQwen35Rules,
          embedded::qwen3_5_special,
          33},
    Entry{{"qwen3.6", "Qwen3.6", 248320, kQwenLicence},
          kQwen35,
          &kQwen35Rules,
          embedded::qwen3_5_special,
          33},
    Entry{{"qwen3", "Qwen3", 151936, kQwenLicence},
          kQwen3,
          &kQwen2Rules,
          embedded::qwen3_special,
          26},
    Entry{{"qwen2.5", "Qwen2.5, QwQ", 151936, kQwenLicence},
          kQwen3,
          &kQwen2Rules,
          embedded::qwen3_special,
          22},
    Entry{
        {"qwen2", "Qwen2", 151936, kQwenLicence}, kQwen3, &kQwen2Rules, embedded::qwen3_special, 3},
    Entry{{"o200k", "GPT-4o, 4.1, 5, o1 to o4; as tiktoken", 200019, kOpenAiLicence},
          kO200k,
          &kO200kRules,
          embedded::o200k_special,
          2},
    Entry{{"gpt-4o", "the same as o200k", 200019, kOpenAiLicence},
          kO200k,
          &kO200kRules,
          embedded::o200k_special,
          2},
    Entry{{"gpt-oss", "gpt-oss; as llama.cpp", 201088, "Apache-2.0, OpenAI"},
          kO200k,
          &kGpt4oRules,
          embedded::gpt_oss_special,
          21},
    Entry{{"cl100k", "GPT-4, GPT-3.5; as tiktoken", 100277, kOpenAiLicence},
          kCl100k,
          &kCl100kRules,
          embedded::cl100k_special,
          5},
    Entry{{"gpt-4", "the same as cl100k", 100277, kOpenAiLicence},
          kCl100k,
          &kCl100kRules,
          embedded::cl100k_special,
          5},
    Entry{{"deepseek-v3", "DeepSeek V3, R1", 129280, kDeepSeekLicence},
          kDeepSeek,
          &kDeepSeekRules,
          embedded::deepseek_special,
          818,
          1},
    Entry{{"deepseek-v4", "DeepSeek V4", 129280, kDeepSeekLicence},
          kDeepSeek,
          &kDeepSeekRules,
          embedded::deepseek_special,
          1283,
          1},
    // Special tokens stand among the others.
    Entry{{"gemma4", "Gemma 4", 262144, "Apache-2.0, Google"}, kGemma4, nullptr, nullptr, 0, 1},
};

std::optional<std::size_t> index_of(std::string_view name) {
  for (std::size_t i = 0; i < kEntries.size(); ++i) {
    if (kEntries[i].info.name == name) {
      return i;
    }
  }
  return std::nullopt;
}

base::Result<std::shared_ptr<const Bpe>> build_bpe(Merges merges) {
  auto vocabulary = read_bpe_pairs(kMerges[merges]());
  if (!vocabulary) {
    return std::move(vocabulary).error();
  }
  auto bpe = Bpe::build(*std::move(vocabulary));
  if (!bpe) {
    return std::move(bpe).error();
  }
  return std::shared_ptr<const Bpe>(*std::move(bpe));
}

// Merges of characters: what the model's own file would give. `tokenizer` stays empty when memory
// runs out.
void build_from_tokens(const Entry& entry, std::optional<Tokenizer>& tokenizer) {
  auto header = read_token_list(kMerges[entry.merges]());
  if (!header) {
    return;
  }
  header->model = entry.info.name;
  auto made = gguf_model(*header);
  if (!made) {
    return;
  }
  TokenizerFacts facts;
  facts.added_tokens = entry.added_tokens;
  tokenizer.emplace(std::string(entry.info.name), std::move(made->model),
                    gguf_special_tokens(*header), std::move(facts));
}

}  // namespace

// All tokenizers of one vocabulary are made together, when the first of them is asked for.
struct Builtins::Store {
  std::array<std::once_flag, kMergesCount> once;
  std::array<std::optional<Tokenizer>, kEntries.size()> tokenizers;

  // Fails never: the data is ours and tested.
  void build(Merges merges) {
    if (merges == kGemma4) {
      build_from_tokens(kEntries.back(), tokenizers.back());
      return;
    }
    const auto bpe = build_bpe(merges);
    const Rules* rules = nullptr;
    std::shared_ptr<const Model> model;
    for (std::size_t i = 0; bpe && i < kEntries.size(); ++i) {
      const Entry& entry = kEntries[i];
      if (entry.merges != merges) {
        continue;
      }
      if (entry.rules != rules) {
        rules = entry.rules;
        auto classes = CharClasses::read(rules->classes(), rules->letters);
        model = classes ? std::make_shared<BpeModel>(*bpe, *std::move(classes), rules->splitter)
                        : nullptr;
      }
      auto special = read_special_tokens(entry.special());
      if (!special || model == nullptr) {
        return;
      }
      special->resize(entry.special_tokens);
      TokenizerFacts facts;
      facts.added_tokens = entry.added_tokens;
      tokenizers[i].emplace(std::string(entry.info.name), model, *std::move(special),
                            std::move(facts));
    }
  }
};

Builtins::Builtins() : store_(std::make_unique<Store>()) {
}
Builtins::~Builtins() = default;

std::vector<BuiltinInfo> Builtins::all() const {
  std::vector<BuiltinInfo> all;
  all.reserve(kEntries.size());
  for (const Entry& entry : kEntries) {
    all.push_back(entry.info);
  }
  return all;
}

bool Builtins::has(std::string_view name) const {
  return index_of(name).has_value();
}

const Tokenizer* Builtins::find(std::string_view name) const {
  const std::optional<std::size_t> index = index_of(name);
  if (!index) {
    return nullptr;
  }
  const Merges merges = kEntries[*index].merges;
  try {
    std::call_once(store_->once[merges], [&] { store_->build(merges); });
  } catch (const std::bad_alloc&) {
    return nullptr;
  }
  const std::optional<Tokenizer>& tokenizer = store_->tokenizers[*index];
  return tokenizer ? &*tokenizer : nullptr;
}

}  // namespace weir::tokenizer
