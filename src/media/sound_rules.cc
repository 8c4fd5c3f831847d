#include "sound_rules.h"

#include <algorithm>
#include <cmath>
#include <iterator>

#include "weir/media/projector.h"

namespace weir::media {
namespace {

constexpr double kChunkSeconds = 30;  // Whisper's encoder takes chunks of 30 s, the last one filled
constexpr std::uint64_t kChunkFrames = 3000;
constexpr std::uint64_t kEndTokens = 2;  // before and behind a sound

// Of an encoder that takes chunks, tokens = frames / stack / divisor + extra of each. Qwen3's takes
// seconds. Of any other, tokens a second.
struct SoundKind {
  std::string_view name;
  bool is_stacked;
  std::uint64_t divisor;  // 0: by `rate`
  std::uint64_t extra;
  double rate;
  bool is_by_begun_seconds = false;
};

constexpr SoundKind kKinds[] = {
    {"qwen2a", false, 4, 0, 0},        {"qwen2.5o", false, 4, 0, 0},
    {"musicflamingo", false, 4, 0, 0}, {"ultravox", true, 2, 0, 0},
    {"voxtral", true, 4, 0, 0},        {"meralion", true, 2, 0, 0},
    {"glma", true, 2, 2, 0},           {"qwen3a", false, 0, 0, 13, true},
    {"gemma4a", false, 0, 0, 25},      {"lfm2a", false, 0, 0, 12.5},
    {"parakeet", false, 0, 0, 12.5},   {"granite_speech", false, 0, 0, 10},
};

std::uint64_t of_chunks(const SoundKind& kind, std::uint32_t stack_factor, double seconds) {
  const std::uint64_t chunks = static_cast<std::uint64_t>(seconds / kChunkSeconds) + 1;
  const std::uint64_t stack = kind.is_stacked ? std::max(1U, stack_factor) : 1;
  return chunks * ((kChunkFrames + stack - 1) / stack / kind.divisor + kind.extra) + kEndTokens;
}

}  // namespace

std::uint64_t sound_tokens(std::string_view projector, std::uint32_t stack_factor, double seconds) {
  seconds = std::max(seconds, 0.0);
  const auto* kind = std::find_if(std::begin(kKinds), std::end(kKinds),
                                  [&](const SoundKind& known) { return known.name == projector; });
  if (kind == std::end(kKinds)) {
    return default_sound_tokens(seconds);
  }
  if (kind->is_by_begun_seconds) {
    seconds = std::floor(seconds) + 1;
  }
  return kind->divisor > 0
             ? of_chunks(*kind, stack_factor, seconds)
             : static_cast<std::uint64_t>(std::ceil(seconds * kind->rate)) + kEndTokens;
}

}  // namespace weir::media
