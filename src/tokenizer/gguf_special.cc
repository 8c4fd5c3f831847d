#include "gguf_special.h"

#include <algorithm>
#include <array>
#include <initializer_list>
#include <optional>
#include <string_view>
#include <unordered_map>

#include "byte_alphabet.h"
#include "weir/base/text.h"

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

// Llama.cpp's exceptions: an end of a turn that is shown, or no special token at all, when others
// are there.
bool has_token(const GgufHeader& header, std::string_view text) {
  for (std::size_t id = 0; id < header.tokens.size(); ++id) {
    if (header.tokens[id] == text) {
      return true;
    }
  }
  return false;
}

// gpt-oss and Solar: <|end|> is found in any text.
bool end_is_shown(const GgufHeader& header) {
  const bool calls = has_token(header, "<|call|>") || has_token(header, "<|calls|>");
  return calls && (has_token(header, "<|return|>") || has_token(header, "<|flush|>"));
}

// Which tokens strip white space beside them, by the names of models.
class Strips {
 public:
  explicit Strips(const GgufHeader& header) : name_(base::ascii_lower(header.model_name)) {
    const auto has_any = [](std::string_view text, std::initializer_list<std::string_view> parts) {
      return std::any_of(parts.begin(), parts.end(), [text](std::string_view part) {
        return text.find(part) != std::string_view::npos;
      });
    };
    if (has_any(header.pre, {"jina-v2-de", "jina-v2-es", "jina-v2-code"}) ||
        has_any(header.architecture, {"nomic-bert-moe", "jina-bert-v3"})) {
      before_ = "<mask>";
    } else if (has_any(name_, {"phi-3", "phi3"})) {
      is_phi3_ = true;
    } else if (has_any(name_, {"modern-bert"})) {
      before_ = "[MASK]";
    }
  }
  bool before(std::string_view text) const { return !before_.empty() && text == before_; }
  bool after(std::string_view text) const {
    return is_phi3_ && text != "<unk>" && text != "<s>" && text != "<|endoftext|>";
  }

 private:
  std::string name_;
  std::string_view before_;
  bool is_phi3_ = false;
};

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
  const Strips strips(header);
  const bool shows_end = end_is_shown(header);
  const bool has_tool_response = has_token(header, "<|tool_response>");
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
      kind = has(kAlwaysUser, text) || (shows_end && text == "<|end|>") ? Kind::kUser : kind;
      if (has_tool_response && text == "</s>") {
        kind = std::nullopt;  // Gemma 4
      }
    }
    if (kind && !text.empty()) {
      special.push_back({id, *kind, std::string(text), strips.before(text), strips.after(text)});
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
