#include "gguf_model.h"

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>

#include "bpe_model.h"
#include "char_bpe_model.h"
#include "gguf_vocabulary.h"
#include "plamo2_model.h"
#include "pre_tokenizers.h"
#include "rwkv_model.h"
#include "unigram_model.h"
#include "weir/base/text.h"
#include "word_piece_model.h"

namespace weir::tokenizer {
namespace {

constexpr int kRebuildsMax = 3;
constexpr std::string_view kMergesLeadNowhere = "some merges of the model file lead to no token";

base::Error bad(std::string what) {
  return {base::ErrorCode::kBadConfig, std::move(what)};
}

// --- merges of bytes ---

// A Bpe of which every token can be reached; takes those out of `vocabulary` that cannot.
base::Result<std::unique_ptr<const Bpe>> build_reachable(GgufVocabulary& vocabulary) {
  for (int builds = 0; builds < kRebuildsMax; ++builds) {
    auto bpe = Bpe::build(vocabulary.vocabulary);
    if (!bpe) {
      return bpe;
    }
    const std::vector<std::uint32_t> unreachable = (*bpe)->unreachable_tokens();
    if (unreachable.empty()) {
      return bpe;
    }
    if (auto removed = remove_tokens(unreachable, vocabulary); !removed) {
      return std::move(removed).error();
    }
  }
  return bad("tokenizer.ggml.merges is damaged: too many tokens that no text leads to");
}

std::string why_estimate(const GgufHeader& header, const PreTokenizer* known,
                         const GgufVocabulary& vocabulary) {
  const std::string pre = "\"" + base::printable(header.pre, 40) + "\"";
  if (known == nullptr) {
    return "the splitter " + pre + " of the model file is not known";
  }
  if (!known->is_exact) {
    return "the splitter " + pre + " of the model file is only approximated";
  }
  return std::string(vocabulary.unknown_merges == 0 ? "" : kMergesLeadNowhere);
}

base::Result<GgufModel> byte_bpe(const GgufHeader& header) {
  auto vocabulary = gguf_vocabulary(header);
  if (!vocabulary) {
    return std::move(vocabulary).error();
  }
  auto bpe = build_reachable(*vocabulary);
  if (!bpe) {
    return std::move(bpe).error();
  }
  auto classes = builtin_classes();
  if (!classes) {
    return std::move(classes).error();
  }
  const PreTokenizer* known = find_pre_tokenizer(header.pre);
  const PreTokenizer& pre = known == nullptr ? nearest_pre_tokenizer() : *known;
  GgufModel made;
  made.why_estimate = why_estimate(header, known, *vocabulary);
  made.adds_bos = header.add_bos.value_or(pre.adds_bos);
  made.adds_eos = header.add_eos.value_or(false);
  ModelExtras extras;
  if (pre.ignores_merges) {
    extras.whole_pieces = tokens_without_merges(header, *vocabulary);
  }
  extras.ids = std::move(vocabulary->model_ids);
  extras.is_dropped = vocabulary->is_dropped;
  made.model = std::make_shared<const BpeModel>(*std::move(bpe), *std::move(classes), pre.splitter,
                                                std::move(extras));
  return made;
}

// --- merges of characters ---

base::Result<GgufModel> char_bpe(const GgufHeader& header, base::Result<CharVocabulary> vocabulary,
                                 CharBpeRules rules, bool adds_bos) {
  if (!vocabulary) {
    return std::move(vocabulary).error();
  }
  GgufModel made;
  made.adds_bos = adds_bos;
  made.adds_eos = header.add_eos.value_or(false);
  const auto& byte_ids = vocabulary->byte_ids;
  if (vocabulary->unknown_merges > 0) {
    made.why_estimate = kMergesLeadNowhere;
  } else if (!rules.drops_unknown_bytes &&
             std::count(byte_ids.begin(), byte_ids.end(), CharVocabulary::kNoId) > 0) {
    made.why_estimate = "the model file has no tokens for some bytes";
  }
  auto model = CharBpeModel::build(*std::move(vocabulary), rules);
  if (!model) {
    return std::move(model).error();
  }
  made.model = *std::move(model);
  return made;
}

base::Result<GgufModel> sentencepiece(const GgufHeader& header) {
  CharBpeRules rules;
  rules.adds_space = header.add_space_prefix.value_or(true);
  return char_bpe(header, scored_vocabulary(header), rules, header.add_bos.value_or(true));
}

// `adds_bos`: whatever the file says.
base::Result<GgufModel> merged_characters(const GgufHeader& header, bool is_gemma) {
  CharBpeRules rules;
  rules.newlines_apart = true;
  rules.takes_whole_newlines = is_gemma;
  rules.repairs_utf8 = true;
  rules.drops_unknown_bytes = true;
  return char_bpe(header, merged_vocabulary(header), rules,
                  is_gemma || header.add_bos.value_or(false));
}

base::Result<GgufModel> merged(const GgufHeader& header) {
  if (header.pre == "gemma4" || header.pre == "granite-embed-multi-311m") {
    return merged_characters(header, true);
  }
  if (header.pre == "sarvam-moe") {
    return merged_characters(header, false);
  }
  return byte_bpe(header);
}

base::Result<GgufModel> gemma4(const GgufHeader& header) {
  return merged_characters(header, true);
}

// --- without merges ---

template <class Built>
base::Result<GgufModel> without_merges(Built built, bool adds_bos, bool adds_eos) {
  if (!built) {
    return std::move(built).error();
  }
  GgufModel made;
  made.model = *std::move(built);
  made.adds_bos = adds_bos;
  made.adds_eos = adds_eos;
  return made;
}

// Always between [CLS] and [SEP], whatever the file says.
base::Result<GgufModel> word_piece(const GgufHeader& header) {
  return without_merges(WordPieceModel::build(header), true, true);
}

base::Result<GgufModel> unigram(const GgufHeader& header) {
  return without_merges(UnigramModel::build(header), header.add_bos.value_or(false),
                        header.add_eos.value_or(true));
}

// The server puts nothing around these, whatever the file says.
base::Result<GgufModel> rwkv(const GgufHeader& header) {
  return without_merges(RwkvModel::build(header), false, false);
}

base::Result<GgufModel> plamo2(const GgufHeader& header) {
  return without_merges(Plamo2Model::build(header), false, false);
}

struct Kind {
  std::string_view name;
  base::Result<GgufModel> (*make)(const GgufHeader&);
};
constexpr std::array kKinds = {
    Kind{"gpt2", merged},     Kind{"llama", sentencepiece}, Kind{"gemma4", gemma4},
    Kind{"bert", word_piece}, Kind{"t5", unigram},          Kind{"rwkv", rwkv},
    Kind{"plamo2", plamo2},
};

}  // namespace

base::Result<GgufModel> gguf_model(const GgufHeader& header) {
  const auto* kind = std::find_if(kKinds.begin(), kKinds.end(),
                                  [&](const Kind& known) { return known.name == header.model; });
  if (kind != kKinds.end()) {
    return kind->make(header);
  }
  return bad("the vocabulary is of the kind \"" + base::printable(header.model, 40) +
             "\", which cannot be counted");
}

}  // namespace weir::tokenizer
