#include "weir/tokenizer/gguf.h"

#include <filesystem>
#include <fstream>
#include <new>
#include <utility>

#include "bpe_model.h"
#include "gguf_header.h"
#include "gguf_special.h"
#include "gguf_vocabulary.h"
#include "pre_tokenizers.h"
#include "weir/base/text.h"

namespace weir::tokenizer {
namespace {

constexpr int kRebuildsMax = 3;

base::Error bad(std::string what) {
  return {base::ErrorCode::kBadConfig, std::move(what)};
}

base::Result<GgufHeader> read_header(const std::string& path) {
  std::error_code error;
  if (!std::filesystem::is_regular_file(path, error)) {
    return bad("there is no such file");
  }
  const std::uintmax_t bytes = std::filesystem::file_size(path, error);
  std::ifstream file(path, std::ios::binary);
  if (error || !file) {
    return bad("the file cannot be opened");
  }
  return read_gguf_header(file, bytes);
}

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
  return vocabulary.unknown_merges == 0 ? "" : "some merges of the model file lead to no token";
}

base::Result<GgufTokenizer> make_tokenizer(const std::string& name, GgufHeader header) {
  if (header.model != "gpt2") {
    return bad("the vocabulary is of the kind \"" + base::printable(header.model, 40) +
               "\"; only byte-level BPE (\"gpt2\") can be counted");
  }
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
  TokenizerFacts facts;
  facts.why_estimate = why_estimate(header, known, *vocabulary);
  facts.added_tokens = (header.add_bos.value_or(pre.adds_bos) ? 1U : 0U) +
                       (header.add_eos.value_or(false) ? 1U : 0U);
  ModelExtras extras;
  if (pre.ignores_merges) {
    extras.whole_pieces = tokens_without_merges(header, *vocabulary);
  }
  extras.ids = std::move(vocabulary->model_ids);
  extras.is_dropped = vocabulary->is_dropped;
  auto model = std::make_shared<const BpeModel>(*std::move(bpe), *std::move(classes), pre.splitter,
                                                std::move(extras));
  return GgufTokenizer{std::make_unique<const Tokenizer>(
                           name, std::move(model), gguf_special_tokens(header), std::move(facts)),
                       std::move(header.model_name),
                       std::move(header.chat_template),
                       {},
                       {},
                       false,
                       false};
}

base::Result<GgufTokenizer> load(const std::string& path) {
  auto header = read_header(path);
  if (!header) {
    return std::move(header).error();
  }
  std::string bos = gguf_bos_text(*header);
  std::string eos = gguf_eos_text(*header);
  const bool adds_eos = header->add_eos.value_or(false);
  auto loaded = make_tokenizer(std::filesystem::path(path).filename().string(), *std::move(header));
  if (loaded) {
    loaded->bos = std::move(bos);
    loaded->eos = std::move(eos);
    loaded->adds_eos = adds_eos;
    loaded->adds_bos = loaded->tokenizer->facts().added_tokens > (adds_eos ? 1U : 0U);
  }
  return loaded;
}

}  // namespace

base::Result<GgufTokenizer> load_gguf_tokenizer(const std::string& path) {
  try {
    auto loaded = load(path);
    if (!loaded) {
      return base::Error{loaded.error().code,
                         base::printable(path, 400) + ": " + loaded.error().message};
    }
    return loaded;
  } catch (const std::bad_alloc&) {
    return base::Error{base::ErrorCode::kCannotRun,
                       base::printable(path, 400) + ": not enough memory"};
  }
}

}  // namespace weir::tokenizer
