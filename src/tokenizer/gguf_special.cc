#include "gguf_special.h"

#include <algorithm>
#include <array>
#include <initializer_list>
#include <optional>
#include <string_view>
#include <unordered_map>

#include "byte_alphabet.h"

namespace weir::tokenizer {
namespace {

using Kind = SpecialToken::Kind;

// All texts below as llama.cpp 80fb11a has them (src/llama-vocab.cpp, llama_vocab::impl::load).

// Ends of a turn or of a text: control tokens whatever their type says.
constexpr std::array<std::string_view, 22> kEnds = {
    "<|eot_id|>",    "<|im_end|>",
    "<|end|>",       "<|return|>",
    "<|call|>",      "<|flush|>",
    "<|calls|>",     "<end_of_turn>",
    "<|endoftext|>", "</s>",
    "<|eom_id|>",    "<EOT>",
    "_<EOT>",        "[EOT]",
    "[EOS]",         "<|end_of_text|>",
    "<eos>",         "<end_of_utterance>",
    "<turn|>",       "<|tool_response>",
    "[e~[",          "<\uFF5Cend\u2581of\u2581sentence\uFF5C>",
};

// Of each group one, and only when the file does not name the token by its id.
struct Group {
  std::optional<std::uint32_t> GgufHeader::*id;
  std::initializer_list<std::string_view> texts;
};
const std::array<Group, 6> kGroups = {{
    {&GgufHeader::fim_prefix_id,
     {"<|fim_prefix|>", "<fim-prefix>", "<fim_prefix>", "<\uFF5Cfim\u2581begin\uFF5C>", "<PRE>",
      "\u2581<PRE>", "<|code_prefix|>", "<|prefix|>"}},
    {&GgufHeader::fim_suffix_id,
     {"<|fim_suffix|>", "<fim-suffix>", "<fim_suffix>", "<\uFF5Cfim\u2581hole\uFF5C>", "<SUF>",
      "\u2581<SUF>", "<|code_suffix|>", "<|suffix|>"}},
    {&GgufHeader::fim_middle_id,
     {"<|fim_middle|>", "<fim-middle>", "<fim_middle>", "<\uFF5Cfim\u2581end\uFF5C>", "<MID>",
      "\u2581<MID>", "<|code_middle|>", "<|middle|>"}},
    {&GgufHeader::fim_pad_id, {"<|fim_pad|>", "<fim-pad>", "<fim_pad>", "<PAD>", "[PAD]"}},
    {&GgufHeader::fim_repository_id,
     {"<|fim_repo|>", "<|repo_name|>", "<fim-repo>", "<REPO>", "<reponame>"}},
    {&GgufHeader::fim_separator_id, {"<|file_sep|>"}},
}};

// gpt-oss: shown to the user, so found in any text.
constexpr std::array<std::string_view, 4> kAlwaysUser = {"<|channel|>", "<|message|>", "<|start|>",
                                                         "<|constrain|>"};

template <class Texts>
bool has(const Texts& texts, std::string_view text) {
  return std::find(texts.begin(), texts.end(), text) != texts.end();
}

std::optional<Kind> kind_by_type(const GgufHeader& header, std::size_t id) {
  switch (header.token_types.empty() ? GgufHeader::kNormal : header.token_types[id]) {
    case GgufHeader::kUnknown:
    case GgufHeader::kControl:
      return Kind::kControl;
    case GgufHeader::kUserDefined:
      return Kind::kUser;
    default:
      return std::nullopt;
  }
}

// llama.cpp's numbers where the file gives none. Kinds that are not named have no such tokens.
struct DefaultIds {
  std::string_view model;
  std::optional<std::uint32_t> bos;
  std::optional<std::uint32_t> eos;
};
constexpr DefaultIds kDefaultIds[] = {
    {"gpt2", 11, 11}, {"llama", 1, 2}, {"bert", 101, std::nullopt}, {"t5", std::nullopt, 1}};

std::string token_text(const GgufHeader& header, std::optional<std::uint32_t> id) {
  if (!id || *id >= header.tokens.size()) {
    return "";
  }
  std::string text(header.tokens[*id]);
  const bool is_normal =
      *id >= header.token_types.size() || header.token_types[*id] == GgufHeader::kNormal;
  if (is_normal && header.model == "gpt2") {
    return bytes_of_letters(text).value_or(text);
  }
  return text;
}

std::string text_of(const GgufHeader& header, std::optional<std::uint32_t> named,
                    std::optional<std::uint32_t> DefaultIds::*by_default) {
  for (const DefaultIds& known : kDefaultIds) {
    if (!named && known.model == header.model) {
      named = known.*by_default;
    }
  }
  return token_text(header, named);
}

}  // namespace

std::vector<SpecialToken> gguf_special_tokens(const GgufHeader& header) {
  std::vector<SpecialToken> special;
  std::array<bool, kGroups.size()> is_named{};
  for (std::size_t group = 0; group < kGroups.size(); ++group) {
    is_named[group] = (header.*kGroups[group].id).has_value();
  }
  for (std::uint32_t id = 0; id < header.tokens.size(); ++id) {
    const std::string_view text = header.tokens[id];
    std::optional<Kind> kind = kind_by_type(header, id);
    const bool may_have_a_name = !text.empty() && (text.back() == '>' || text.front() == '[');
    if (may_have_a_name) {
      for (std::size_t group = 0; group < kGroups.size(); ++group) {
        if (!is_named[group] && has(kGroups[group].texts, text)) {
          is_named[group] = true;
          kind = Kind::kControl;
        }
      }
      kind = has(kEnds, text) ? Kind::kControl : kind;
      kind = has(kAlwaysUser, text) ? Kind::kUser : kind;
    }
    if (kind && !text.empty()) {
      special.push_back({id, *kind, std::string(text)});
    }
  }
  return special;
}

std::string gguf_bos_text(const GgufHeader& header) {
  return text_of(header, header.bos_id, &DefaultIds::bos);
}

std::string gguf_eos_text(const GgufHeader& header) {
  return text_of(header, header.eos_id, &DefaultIds::eos);
}

}  // namespace weir::tokenizer
