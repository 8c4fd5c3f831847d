// Any text as the source of a picture or a sound: a size and a length that can be believed, or
// none; and every projector counts the size. The text as bytes of a file, too, which gets further.

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

#include "../media/media_files.h"
#include "projector_rules.h"
#include "weir/media/openai_pictures.h"
#include "weir/media/picture_size.h"
#include "weir/media/projector.h"
#include "weir/media/sound_length.h"

namespace {

using namespace weir::media;

constexpr std::uint64_t kTokensMax = std::uint64_t{1} << 24;

void count(const PictureSize& size) {
  ProjectorSettings settings;
  settings.image_size = 448;
  settings.patch_size = 14;
  settings.longest_edge = 1792;
  settings.query_tokens = 64;
  settings.pixels_min = 3136;
  settings.pixels_max = 1003520;
  settings.candidates = {{448, 896}, {896, 448}, {896, 896}};
  for (const char* name : {"qwen3vl_merger", "pixtral", "hunyuanvl", "lightonocr", "gemma3",
                           "llama4", "idefics3", "lfm2", "resampler", "mlp"}) {
    const ProjectorKind* kind = find_projector_kind(name);
    settings.merge = kind->merge;
    const auto cost = kind->rule(size, settings);
    if (cost && cost->tokens > kTokensMax) {
      std::abort();
    }
  }
  if (openai_picture_tokens("gpt-5-mini", size, Detail::kFull) > kTokensMax ||
      openai_picture_tokens("gpt-4o", size, Detail::kFull) > kTokensMax) {
    std::abort();
  }
}

void read(std::string_view source) {
  if (const auto header = picture_header(source)) {
    if (header->size.width == 0 || header->size.width > kPictureSideMax ||
        header->size.height == 0 || header->size.height > kPictureSideMax) {
      std::abort();
    }
    count(header->size);
  }
  const auto seconds = sound_seconds(source);
  if (seconds && !(*seconds >= 0 && *seconds <= kSoundSecondsMax)) {
    std::abort();
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  read(text);
  const std::string encoded = test::base64(text);
  read("data:image/png;base64," + encoded);
  read(test::replaced(encoded, "/", "\\/"));
  return 0;
}
