// A hostile model file, behind its reader: the bytes say which kind of vocabulary it is, and its
// tokens, merges, scores, types and charsmap. It is refused with a message, or it counts: as many
// tokens as it gives, within its bounds, and the same in parts.

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <string>
#include <vector>

#include "byte_alphabet.h"
#include "gguf_header.h"
#include "gguf_model.h"
#include "gguf_special.h"
#include "weir/tokenizer/stream_counter.h"

namespace {

using weir::tokenizer::GgufHeader;
using weir::tokenizer::Model;
using weir::tokenizer::SpecialText;
using weir::tokenizer::StreamCounter;
using weir::tokenizer::Tokenizer;

class Input {
 public:
  Input(const std::uint8_t* data, std::size_t size) : at_(data), end_(data + size) {}

  bool is_over() const { return at_ == end_; }
  std::uint8_t byte() { return is_over() ? 0 : *at_++; }
  std::size_t below(std::size_t limit) { return byte() % limit; }
  float number() {
    const std::uint8_t kind = byte();
    if (kind < 200) {
      return -static_cast<float>(kind % 50) / 4;
    }
    std::uint32_t bits = 0;
    for (int i = 0; i < 4; ++i) {
      bits = bits << 8 | byte();
    }
    float value = 0;
    std::memcpy(&value, &bits, sizeof value);  // infinite and no number too
    return value;
  }
  // Letters that merge and match, now and then any byte.
  std::string text() {
    static const char* const kLetters[] = {"a",      "b",      "\u2581", " ",       "\u00E9", "\n",
                                           "\u4F60", "\u0120", "<0x41>", "<|end|>", "'s",     "1"};
    std::string text;
    for (std::size_t n = below(9); n > 0; --n) {
      const std::uint8_t which = byte();
      text += which < 240 ? kLetters[which % std::size(kLetters)]
                          : std::string(1, static_cast<char>(byte()));
    }
    if (byte() == 255) {
      text += std::string(byte() * std::size_t{8}, 'a');
    }
    return text;
  }

 private:
  const std::uint8_t* at_;
  const std::uint8_t* end_;
};

constexpr const char* kKinds[] = {"gpt2", "llama", "gemma4", "bert", "t5", "rwkv", "plamo2", "x"};
constexpr const char* kSplitters[] = {"qwen35", "llama-bpe", "gpt-2", "deepseek-llm", "default",
                                      "gemma4", "superbpe",  "bloom", "tekken",       "?"};

void add_bytes(Input& input, GgufHeader& header) {
  if (input.below(8) == 0) {
    return;
  }
  for (int byte = 0; byte < 256; ++byte) {
    char name[8];
    std::snprintf(name, sizeof name, "<0x%02X>", byte);
    if (header.model == "gpt2") {
      header.tokens.append(weir::tokenizer::byte_letter(static_cast<std::uint8_t>(byte)));
    } else if (header.model == "rwkv") {
      header.tokens.append(std::string(byte == '\\' ? 2 : 1, static_cast<char>(byte)));
    } else {
      header.tokens.append(name);
    }
  }
}

GgufHeader make_header(Input& input) {
  GgufHeader header;
  header.model = kKinds[input.below(std::size(kKinds))];
  header.pre = kSplitters[input.below(std::size(kSplitters))];
  add_bytes(input, header);
  for (std::size_t n = input.below(40); n > 0; --n) {
    header.tokens.append(input.text());
  }
  for (std::size_t n = input.below(40); n > 0; --n) {
    header.merges.append(input.text() + " " + input.text());
  }
  if (input.below(8) > 0) {
    const std::size_t missing = input.below(16) == 0 ? 1 : 0;
    for (std::size_t id = missing; id < header.tokens.size(); ++id) {
      header.scores.push_back(id < 256 ? 0 : input.number());
    }
  }
  if (input.below(4) > 0) {  // the reader sees to it that there is one for each token
    for (std::size_t id = 0; id < header.tokens.size(); ++id) {
      header.token_types.push_back(id < 256 ? 6 : static_cast<std::int32_t>(input.below(8)));
    }
  }
  if (input.below(4) == 0) {
    header.charsmap.resize(input.byte());
    for (char& byte : header.charsmap) {
      byte = static_cast<char>(input.byte());
    }
  }
  header.add_space_prefix = input.below(2) == 0;
  header.remove_extra_whitespaces = input.below(2) == 0;
  header.lowercase = input.below(2) == 0;
  header.unknown_id = input.byte();
  return header;
}

void require(bool condition) {
  if (!condition) {
    std::abort();
  }
}

void count(const Tokenizer& tokenizer, const std::string& text, SpecialText special,
           std::size_t part) {
  const std::uint64_t tokens = tokenizer.count(text, special);
  require(tokenizer.encode(text, special).size() == tokens);
  StreamCounter counter(tokenizer, special, 64);
  for (std::size_t at = 0; at < text.size(); at += part) {
    require(counter.append(std::string_view(text).substr(at, part)).has_value());
  }
  require(*counter.finish() == tokens);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  Input input(data, size);
  const GgufHeader header = make_header(input);
  auto made = weir::tokenizer::gguf_model(header);
  if (!made) {
    require(!made.error().message.empty());
    return 0;
  }
  const Tokenizer tokenizer("fuzz", std::move(made->model),
                            weir::tokenizer::gguf_special_tokens(header));
  while (!input.is_over()) {
    std::string text;
    for (std::size_t n = 1 + input.below(24); n > 0; --n) {
      text += input.text();
    }
    const std::size_t part = 1 + input.below(100);
    count(tokenizer, text, SpecialText::kParse, part);
    count(tokenizer, text, SpecialText::kPlain, part);
  }
  return 0;
}
