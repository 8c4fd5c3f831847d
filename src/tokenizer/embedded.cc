#include "embedded.h"

#include <cstddef>

// Declares the two labels of a file in embedded.S and defines the function that returns what is
// between them.
#define WEIR_EMBEDDED_FILE(name)                                              \
  extern "C" const char weir_embedded_##name##_begin[];                       \
  extern "C" const char weir_embedded_##name##_end[];                         \
  std::string_view weir::tokenizer::embedded::name() {                        \
    return between(weir_embedded_##name##_begin, weir_embedded_##name##_end); \
  }

namespace {

std::string_view between(const char* begin, const char* end) {
  return {begin, static_cast<std::size_t>(end - begin)};
}

}  // namespace

WEIR_EMBEDDED_FILE(qwen3_5_bpe)
WEIR_EMBEDDED_FILE(qwen3_5_special)
WEIR_EMBEDDED_FILE(qwen3_bpe)
WEIR_EMBEDDED_FILE(qwen3_special)
WEIR_EMBEDDED_FILE(o200k_bpe)
WEIR_EMBEDDED_FILE(o200k_special)
WEIR_EMBEDDED_FILE(gpt_oss_special)
WEIR_EMBEDDED_FILE(cl100k_bpe)
WEIR_EMBEDDED_FILE(cl100k_special)
WEIR_EMBEDDED_FILE(deepseek_bpe)
WEIR_EMBEDDED_FILE(deepseek_special)
WEIR_EMBEDDED_FILE(gemma4_tokens)
WEIR_EMBEDDED_FILE(unicode15_classes)
WEIR_EMBEDDED_FILE(unicode15_folding)
WEIR_EMBEDDED_FILE(unicode16_classes)
