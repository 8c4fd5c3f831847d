#include "pre_tokenizers.h"

#include <algorithm>
#include <iterator>

namespace weir::tokenizer {
namespace {

// The names of llama.cpp 80fb11a (src/llama-vocab.cpp). A file without a name is "default" there.
constexpr PreTokenizer kPreTokenizers[] = {
    {"qwen2", split_qwen2},
    {"deepseek-r1-qwen", split_qwen2},
    {"kormo", split_qwen2},
    {"f2llmv2", split_qwen2},
    {"megrez", split_qwen2},
    {"stablelm2", split_qwen2},
    {"hunyuan", split_qwen2},
    {"solar-open", split_qwen2},
    {"grok-2", split_qwen2},
    {"bailingmoe", split_qwen2},
    {"bailingmoe2", split_qwen2},
    {"llada-moe", split_qwen2},
    {"qwen35", split_qwen35},
    {"llama-bpe", split_llama3, true, true, true},
    {"llama3", split_llama3, true, true, true},
    {"llama-v3", split_llama3, true, true, true},
    {"falcon3", split_llama3, true, true, true},
    {"falcon-h1", split_llama3, true, true, true},
    {"pixtral", split_llama3, true, true, true},
    {"midm-2.0", split_llama3, true, true, true},
    {"lfm2", split_llama3, true, true, true},
    {"jina-v5-nano", split_llama3, true, true, true},
    {"dbrx", split_llama3},
    {"smaug-bpe", split_llama3},
    {"glm4", split_llama3},
    {"chatglm-bpe", split_llama3},
    {"minicpm5", split_minicpm5, true, true, false},
    {"seed-coder", split_seed_coder},
    {"ufakzeka", split_ufakzeka},
    {"gpt-4o", split_gpt4o},
    {"llama4", split_gpt4o},
    {"kanana2", split_gpt4o},
    {"talkie", split_gpt4o},
    {"minimax-m2", split_gpt4o},
    {"tekken", split_tekken, true, true, true},
    {"deepseek-v3", split_deepseek_v3},
    {"hunyuan-dense", split_deepseek_v3},
    {"joyai-llm", split_deepseek_v3},
    {"hy_v4", split_deepseek_v3},
    {"deepseek-coder", split_deepseek_coder},
    {"gpt-2", split_gpt2},
    {"phi-2", split_gpt2},
    {"jina-es", split_gpt2},
    {"jina-de", split_gpt2},
    {"gigachat", split_gpt2},
    {"jina-v2-es", split_gpt2},
    {"jina-v2-de", split_gpt2},
    {"a.x-4.0", split_gpt2},
    {"mellum", split_gpt2},
    {"modern-bert", split_gpt2},
    {"exaone4", split_gpt2},
    {"mpt", split_gpt2},
    {"olmo", split_gpt2},
    {"jais", split_gpt2},
    {"trillion", split_gpt2},
    {"granite-docling", split_gpt2},
    {"starcoder", split_starcoder},
    {"refact", split_starcoder},
    {"command-r", split_starcoder},
    {"smollm", split_starcoder},
    {"codeshell", split_starcoder},
    {"exaone", split_starcoder},
    {"minerva-7b", split_starcoder},
    {"mellum2", split_starcoder},
    {"falcon", split_falcon},
    {"default", split_default},
    {"", split_default},
    {"jais-2", split_jais2},
    {"laguna", split_laguna},
    {"exaone-moe", split_exaone_moe},
    {"kimi-k2", split_kimi_k2},
    {"tiny_aya", split_tiny_aya},
    {"cohere2moe", split_tiny_aya},
    {"youtu", split_youtu, true, true, false},
    {"granite-embed-multi-97m", split_granite_embed, true, true, false},
    {"spark2_5", split_spark},
    {"afmoe", split_afmoe},
    {"deepseek-llm", split_deepseek_llm},
    {"chameleon", split_chameleon, true, false, true},
    {"poro-chat", split_bloom},
    {"bloom", split_bloom},
    {"gpt3-finnish", split_bloom},
    {"viking", split_viking},
    {"superbpe", split_superbpe},
    {"jina-v1-en", split_gpt2},
    {"jina-v2-code", split_gpt2},
    {"roberta-bpe", split_gpt2},
    // Lower case and white space that vanishes: not done.
    {"whitespace", split_gpt2, false, false, false},
};

}  // namespace

const PreTokenizer* find_pre_tokenizer(std::string_view pre) {
  const auto* found = std::find_if(std::begin(kPreTokenizers), std::end(kPreTokenizers),
                                   [pre](const PreTokenizer& known) { return known.pre == pre; });
  return found == std::end(kPreTokenizers) ? nullptr : found;
}

std::string_view name_of(Splitter splitter) {
  const auto* found =
      std::find_if(std::begin(kPreTokenizers), std::end(kPreTokenizers),
                   [splitter](const PreTokenizer& known) { return known.splitter == splitter; });
  return found == std::end(kPreTokenizers) ? std::string_view() : found->pre;
}

const PreTokenizer& nearest_pre_tokenizer() {
  return kPreTokenizers[0];
}

}  // namespace weir::tokenizer
