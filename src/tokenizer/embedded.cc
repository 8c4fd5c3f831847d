#include "embedded.h"

#include <cstddef>

extern "C" {
extern const char weir_embedded_qwen3_5_bpe_begin[];
extern const char weir_embedded_qwen3_5_bpe_end[];
extern const char weir_embedded_qwen3_5_special_begin[];
extern const char weir_embedded_qwen3_5_special_end[];
extern const char weir_embedded_qwen3_bpe_begin[];
extern const char weir_embedded_qwen3_bpe_end[];
extern const char weir_embedded_qwen3_special_begin[];
extern const char weir_embedded_qwen3_special_end[];
extern const char weir_embedded_unicode_classes_begin[];
extern const char weir_embedded_unicode_classes_end[];
}

namespace weir::tokenizer::embedded {
namespace {

std::string_view between(const char* begin, const char* end) {
  return {begin, static_cast<std::size_t>(end - begin)};
}

}  // namespace

std::string_view qwen3_5_bpe() {
  return between(weir_embedded_qwen3_5_bpe_begin, weir_embedded_qwen3_5_bpe_end);
}
std::string_view qwen3_5_special() {
  return between(weir_embedded_qwen3_5_special_begin, weir_embedded_qwen3_5_special_end);
}
std::string_view qwen3_bpe() {
  return between(weir_embedded_qwen3_bpe_begin, weir_embedded_qwen3_bpe_end);
}
std::string_view qwen3_special() {
  return between(weir_embedded_qwen3_special_begin, weir_embedded_qwen3_special_end);
}
std::string_view unicode_classes() {
  return between(weir_embedded_unicode_classes_begin, weir_embedded_unicode_classes_end);
}

}  // namespace weir::tokenizer::embedded
