#pragma once

// The rule of each kind of projector, as a pure function of the picture's size and the settings.

#include <optional>
#include <string_view>

#include "weir/media/projector.h"

namespace weir::media {

using PictureRule = std::optional<PictureCost> (*)(const PictureSize& size,
                                                   const ProjectorSettings& settings);

// Which of the file's pixel limits count.
enum class PixelKeys {
  kNone,   // those in tokens, of the table or of the command line
  kFile,   // clip.vision.image_min_pixels and image_max_pixels
  kEither  // those of the file when it has both, else those in tokens
};

// A row of the table. `merge_key`, below "clip.vision.", replaces `merge` where the file has it.
struct ProjectorKind {
  std::string_view name;  // clip.projector_type
  PictureRule rule;
  std::uint32_t merge;
  std::string_view merge_key;
  TokenLimits limits;  // 0: none of its own
  PixelKeys pixel_keys;
  std::string_view begin;  // texts around the picture
  std::string_view end;
  bool is_proved;       // compared with a real llama-server, see docs/tokenizer.md
  bool varies = false;  // its largest size depends on the server's --ubatch-size
};

// nullptr when the kind is not known.
const ProjectorKind* find_projector_kind(std::string_view name);

}  // namespace weir::media
