#pragma once

// Counts the tokens of a text exactly as llama.cpp does for a model: byte-level BPE, no Unicode
// normalisation, no BOS token.
//
// Every method takes a time that grows linearly with the text, whatever the text is. The tables
// come from docs/tokenizer.md, which also says what was compared with what.

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "weir/base/result.h"
#include "weir/tokenizer/count_memory.h"

namespace weir::tokenizer {

// How text that spells a control token, such as <|im_end|>, is read.
enum class SpecialText {
  kParse,  // it is that token, as llama-server does for a rendered chat prompt and for /tokenize
  kPlain,  // it is ordinary text; only "user" tokens such as <think> are still one token each
};

// A token that is looked for as a whole string before the text is split. It cuts the text: what
// stands before it and after it is counted separately.
struct SpecialToken {
  enum class Kind {
    kControl,  // GGUF token types 2 and 3: found with SpecialText::kParse only
    kUser,     // GGUF token type 4: found in any text
  };
  std::uint32_t id = 0;  // the model's id
  Kind kind = Kind::kControl;
  std::string text;  // not empty
  // White space of ASCII next to it is no part of the text.
  bool strips_before = false;
  bool strips_after = false;
};

// One vocabulary with its tables, about 13 MB. Opaque: made by
// `build_model`, shared by the tokenizers that differ in their special tokens only.
class Model;

// Builds the tables; takes about a tenth of a second.
//
// `bpe` is a file in the BPEPAIR1 format (src/tokenizer/data/README.md); it is not needed
// afterwards. `splitter` is a name from GGUF's tokenizer.ggml.pre: "qwen2" or "qwen35".
// Errors: kBadConfig when the file is damaged or the splitter is unknown.
base::Result<std::shared_ptr<const Model>> build_model(std::string_view bpe,
                                                       std::string_view splitter);

struct TokenBounds {
  std::uint64_t at_least = 0;
  std::uint64_t at_most = 0;
};

// What a caller wants to know of a tokenizer beside its counts.
struct TokenizerFacts {
  std::string why_estimate;        // one line; "" when counts are exact
  std::uint32_t added_tokens = 0;  // BOS and EOS that the server puts around a whole prompt
};

// Immutable; every method may be called from any thread at any time.
class Tokenizer {
 public:
  // Texts above this size are not tokenized: see `count`.
  static constexpr std::size_t kTextBytesMax = std::size_t{1} << 31;

  // The model is shared because Qwen2, Qwen2.5 and Qwen3 have the same one.
  Tokenizer(std::string name, std::shared_ptr<const Model> model,
            std::vector<SpecialToken> special_tokens, TokenizerFacts facts = {});
  ~Tokenizer();
  Tokenizer(const Tokenizer&) = delete;
  Tokenizer& operator=(const Tokenizer&) = delete;

  // Number of tokens in `text`, without BOS. A byte that is no valid UTF-8 counts as U+FFFD, as in
  // llama.cpp. When memory runs out, or above kTextBytesMax, the answer is text.size(), which the
  // real number never exceeds for valid UTF-8.
  std::uint64_t count(std::string_view text, SpecialText special) const;
  // The same, asking `memory` for long texts between special tokens. One memory may serve any
  // number of tokenizers.
  std::uint64_t count(std::string_view text, SpecialText special, CountMemory& memory) const;

  // What the number of tokens in a valid UTF-8 text of so many bytes can be at all. No work, but
  // wide: in a byte-level BPE a token is between one byte and the longest token of the vocabulary.
  TokenBounds bounds(std::uint64_t text_bytes) const;

  // The tokens themselves: the model's ids when it was read from a GGUF file, else numbers of the
  // .bpe file (for Qwen3.5 these are not always the model's ids), special tokens with the model's
  // ids. Slower than `count`. Empty when memory runs out or
  // above kTextBytesMax.
  std::vector<std::uint32_t> encode(std::string_view text, SpecialText special) const;

  // As given to the constructor, for messages and metrics. Lives as long as the tokenizer.
  std::string_view name() const { return name_; }

  // Whether counts are llama.cpp's own. If not, `facts().why_estimate` says why.
  bool is_exact() const { return facts_.why_estimate.empty(); }
  const TokenizerFacts& facts() const { return facts_; }

 private:
  friend class StreamCounter;
  class SpecialFinder;
  std::uint64_t count(std::string_view text, SpecialText special, CountMemory* memory) const;

  std::string name_;
  std::shared_ptr<const Model> model_;
  std::unique_ptr<const SpecialFinder> special_;
  TokenizerFacts facts_;
};

}  // namespace weir::tokenizer
