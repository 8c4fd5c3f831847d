// Any bytes as a text: every splitter goes through it piece by piece, and for Qwen3.5 the tokens
// are those of the plain implementation.

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>
#include <vector>

#include "bpe_model.h"
#include "embedded.h"
#include "pre_tokenizers.h"
#include "repair_utf8.h"
#include "splitter.h"
#include "tests/tokenizer/reference_bpe.h"
#include "weir/tokenizer/builtin.h"

namespace {

using namespace weir::tokenizer;

// One of each family at least.
constexpr std::string_view kNames[] = {
    "qwen2",     "qwen35",       "llama-bpe",      "minicpm5",  "seed-coder", "ufakzeka", "gpt-4o",
    "tekken",    "deepseek-v3",  "deepseek-coder", "gpt-2",     "starcoder",  "falcon",   "default",
    "poro-chat", "viking",       "bloom",          "chameleon", "superbpe",   "tiny_aya", "kimi-k2",
    "youtu",     "deepseek-llm", "exaone-moe",     "afmoe",     "minimax-m2",
};
constexpr std::size_t kReferenceBytesMax = 512;  // it takes quadratic time

void check(bool holds) {
  if (!holds) {
    std::abort();
  }
}

std::vector<std::uint32_t> split(Splitter splitter, const CharClasses& classes,
                                 std::string_view text, std::size_t batch) {
  std::vector<std::uint32_t> all;
  std::array<std::uint32_t, 64> ends{};
  std::size_t from = 0;
  while (from < text.size()) {
    const std::size_t pieces = splitter(classes, text, from, std::span(ends).first(batch));
    check(pieces > 0 && pieces <= batch);
    for (std::size_t i = 0; i < pieces; ++i) {
      const std::uint32_t end = ends[i];
      check(end > from && end <= text.size());
      check(end == text.size() || (static_cast<std::uint8_t>(text[end]) & 0xC0) != 0x80);
      all.push_back(end);
      from = end;
    }
  }
  return all;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const CharClasses classes = *builtin_classes();
  static const Builtins builtins;
  static const Tokenizer& qwen35 = *builtins.find("qwen3.5");
  static const test::ReferenceTokenizer slow(std::string(embedded::qwen3_5_bpe()),
                                             std::string(embedded::unicode15_classes()), true);
  const std::string_view input(reinterpret_cast<const char*>(data), size);
  std::string buffer;
  const std::string_view text = repair_utf8(input, buffer);
  for (const std::string_view name : kNames) {
    const PreTokenizer* pre = find_pre_tokenizer(name);
    if (pre != nullptr && pre->splitter != nullptr) {
      check(split(pre->splitter, classes, text, 1) == split(pre->splitter, classes, text, 64));
    }
  }
  const std::vector<std::uint32_t> tokens = qwen35.encode(input, SpecialText::kParse);
  check(qwen35.count(input, SpecialText::kParse) == tokens.size());
  if (size <= kReferenceBytesMax && input.find('<') == std::string_view::npos) {
    check(tokens == slow.encode(input));
  }
  return 0;
}
