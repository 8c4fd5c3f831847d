#include "text_index.h"

#include <bit>
#include <functional>

namespace weir::tokenizer {
namespace {

std::uint32_t hash_of(std::string_view text) {
  const std::uint64_t hash = std::hash<std::string_view>()(text);
  return static_cast<std::uint32_t>(hash ^ hash >> 32);
}

}  // namespace

TextIndex::TextIndex(const StringList& texts) : texts_(texts) {
  const auto count = static_cast<std::uint32_t>(texts.size());
  slots_.assign(std::bit_ceil(2 * count + 2), kNone);
  mask_ = static_cast<std::uint32_t>(slots_.size()) - 1;
  for (std::uint32_t i = 0; i < count; ++i) {
    std::uint32_t at = hash_of(texts[i]) & mask_;
    int probes = 0;
    while (slots_[at] != kNone && probes < kProbesMax) {
      at = (at + 1) & mask_;
      ++probes;
    }
    if (slots_[at] == kNone) {
      slots_[at] = i;
    } else {
      is_overfull_ = true;
    }
  }
}

std::uint32_t TextIndex::find(std::string_view text) const {
  std::uint32_t at = hash_of(text) & mask_;
  for (int probes = 0; probes <= kProbesMax && slots_[at] != kNone; ++probes) {
    if (texts_[slots_[at]] == text) {
      return slots_[at];
    }
    at = (at + 1) & mask_;
  }
  return kNone;
}

}  // namespace weir::tokenizer
