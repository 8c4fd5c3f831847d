// Fast byte pair encoding against merging by its definition: any bytes as one piece for two large
// vocabularies, and as a small vocabulary with pieces for it.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "bpe.h"
#include "embedded.h"
#include "heap_merge.h"

namespace {

using namespace weir::tokenizer;

void check(bool holds) {
  if (!holds) {
    std::abort();
  }
}

// The places that count as cuts must be cuts.
std::size_t count_by_parts(const Bpe& bpe, std::string_view piece, BpeScratch& scratch) {
  std::size_t tokens = 0;
  while (!piece.empty()) {
    const std::size_t bytes = bpe.first_cut(piece);
    tokens += bpe.count(piece.substr(0, bytes), scratch);
    piece.remove_prefix(bytes);
  }
  return tokens;
}

void compare(const Bpe& bpe, std::string_view piece) {
  if (piece.empty()) {
    return;
  }
  BpeScratch scratch;
  std::vector<std::uint32_t> fast;
  bpe.encode(piece, scratch, fast);
  std::vector<std::uint32_t> slow(piece.size());
  slow.resize(heap_merge(bpe, piece, slow.data()));
  for (std::uint32_t& token : slow) {
    token = bpe.published(token);
  }
  check(fast == slow);
  check(count_by_parts(bpe, piece, scratch) == slow.size());
  check(bpe.count(piece, scratch) == slow.size());
}

const Bpe& large(std::string_view file) {
  auto vocabulary = read_bpe_pairs(file);
  check(vocabulary.has_value());
  auto built = Bpe::build(*std::move(vocabulary));
  check(built.has_value());
  return *built->release();  // as long as the program
}

// Two bytes make a merge of what there is: some letters, parts of Chinese characters, and the
// merges before. What is spelled already is left out, as in every real vocabulary.
Vocabulary small_vocabulary(std::string_view& input) {
  constexpr std::string_view kBytes = "ab\xE4\xBD\xA0\xE5\xA5\xBD";
  Vocabulary vocabulary;
  std::vector<std::string> texts;
  for (std::uint32_t byte = 0; byte < kByteTokens; ++byte) {
    vocabulary.bytes[byte] = static_cast<std::uint8_t>(byte);
    texts.emplace_back(1, static_cast<char>(byte));
  }
  const auto part = [&](std::uint8_t pick) {
    const std::size_t at = pick % (kBytes.size() + vocabulary.merges.size());
    return at < kBytes.size() ? static_cast<std::uint8_t>(kBytes[at])
                              : static_cast<std::uint32_t>(kByteTokens + at - kBytes.size());
  };
  const std::size_t merges = input.empty() ? 0 : static_cast<std::uint8_t>(input[0]) % 24;
  for (std::size_t i = 0; i < merges && input.size() >= 3; ++i, input.remove_prefix(2)) {
    const Pair pair{part(static_cast<std::uint8_t>(input[1])),
                    part(static_cast<std::uint8_t>(input[2]))};
    std::string text = texts[pair.left] + texts[pair.right];
    if (text.size() < 64 && std::find(texts.begin(), texts.end(), text) == texts.end()) {
      texts.push_back(std::move(text));
      vocabulary.merges.push_back(pair);
    }
  }
  return vocabulary;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const Bpe& qwen35 = large(embedded::qwen3_5_bpe());
  static const Bpe& o200k = large(embedded::o200k_bpe());
  std::string_view input(reinterpret_cast<const char*>(data), size);
  if (!input.empty() && input[0] != 'v') {  // a small vocabulary takes longer to build than to use
    compare(qwen35, input);
    compare(o200k, input);
    return 0;
  }
  input.remove_prefix(std::min<std::size_t>(1, input.size()));
  const auto bpe = Bpe::build(small_vocabulary(input));
  check(bpe.has_value());
  if ((*bpe)->unreachable_tokens().empty()) {  // a trainer makes no others
    compare(**bpe, input);
  }
  return 0;
}
