#pragma once

// How many tokens a picture or a sound becomes in llama-server: the rules of the projectors, the
// part of a model that turns them into tokens (the mmproj file).

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "weir/base/result.h"
#include "weir/media/picture_size.h"

namespace weir::media {

// What llama-server's --image-min-tokens and --image-max-tokens say; 0: not set.
struct TokenLimits {
  std::uint32_t min = 0;
  std::uint32_t max = 0;
};

// What a projector's file says about it, numbers as in the file.
struct ProjectorSettings {
  std::uint32_t image_size = 0;
  std::uint32_t patch_size = 0;
  std::uint32_t merge = 1;       // patches a token on each side
  std::uint32_t pixels_min = 0;  // of the resized picture; 0: no limit
  std::uint32_t pixels_max = 0;
  std::uint32_t longest_edge = 0;
  std::uint32_t query_tokens = 0;
  bool is_minicpmv2 = false;
  std::vector<PictureSize> candidates;  // sizes that a picture is cut from
  std::uint32_t stack_factor = 1;       // of sound
};

struct PictureCost {
  std::uint64_t tokens = 0;
  // Texts that come with them, each of which is tokenized for itself: begin, end, marks of tiles.
  std::vector<std::string> texts;
};

struct ProjectorKind;  // a row of the table of rules

// Nothing changes after it is made.
class Projector {
 public:
  // From the header of an mmproj file (GGUF). `why_estimate` says when its rule is not known or not
  // proved.
  // Errors: kBadConfig when it is no such file; the message begins with the path.
  static base::Result<Projector> load(const std::string& path, const TokenLimits& limits);

  // The one that models of that name come with; nothing when the name does not tell. Its counts are
  // estimates, as the file may differ.
  static std::optional<Projector> of_model(std::string_view model_name, const TokenLimits& limits);

  // Nothing when the rule is not known, or the picture is so odd that nobody could decode it.
  std::optional<PictureCost> picture_cost(const PictureSize& size) const;

  // Always an estimate; by kDefaultSoundTokens a second when the rule is not known.
  std::uint64_t sound_tokens(double seconds) const;

  std::string_view name() const { return name_; }  // clip.projector_type
  // Why a picture's count is an estimate, in one line; "" when it is exact.
  const std::string& why_estimate() const { return why_estimate_; }

 private:
  friend struct ProjectorReader;
  std::string name_;
  const ProjectorKind* picture_kind_ = nullptr;
  std::string sound_name_;
  ProjectorSettings settings_;
  std::string why_estimate_;
};

// Tokens a second of a sound when the projector is not known: those of Qwen2-Audio and Gemma 4.
inline constexpr double kDefaultSoundTokens = 25;
std::uint64_t default_sound_tokens(double seconds);

}  // namespace weir::media
