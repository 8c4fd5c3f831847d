#include "weir/media/projector.h"

#include <algorithm>
#include <cmath>

#include "projector_rules.h"
#include "sound_rules.h"
#include "weir/base/text.h"
#include "weir/tokenizer/gguf_values.h"

namespace weir::media {
namespace {

using tokenizer::GgufValues;

// What is believed of a file. llama-server keeps the numbers of pixels as an int.
constexpr std::int64_t kSideMax = 65536;
constexpr std::int64_t kPixelsMax = 0x7FFFFFFF;
constexpr std::int64_t kMergeMax = 64;
constexpr std::int64_t kTilesMax = 64;

std::string key_of(std::string_view name) {
  return "clip.vision." + std::string(name);
}

// The number of that key if it is there and within 1..max; `absent` if it is not there. Where that
// is 0, a 0 in the file means the same.
std::optional<std::uint32_t> number_of(const GgufValues& values, std::string_view key,
                                       std::int64_t max, std::optional<std::int64_t> absent) {
  const std::optional<std::int64_t> number = values.number(key);
  const std::optional<std::int64_t> value = number ? number : absent;
  return value && *value >= (absent == 0 ? 0 : 1) && *value <= max
             ? std::optional(static_cast<std::uint32_t>(*value))
             : std::nullopt;
}

// Limits in tokens become limits in pixels of so many tokens' cells.
bool set_token_limits(const TokenLimits& limits, ProjectorSettings& settings) {
  const std::uint64_t side = std::uint64_t{settings.patch_size} * settings.merge;
  const std::uint64_t min = limits.min * side * side;
  const std::uint64_t max = limits.max * side * side;
  if (min > kPixelsMax || max > kPixelsMax) {
    return false;
  }
  settings.pixels_min = static_cast<std::uint32_t>(min);
  settings.pixels_max = static_cast<std::uint32_t>(max);
  return true;
}

TokenLimits limits_in_force(const ProjectorKind& kind, const TokenLimits& wanted) {
  return {wanted.min > 0 ? wanted.min : kind.limits.min,
          wanted.max > 0 ? wanted.max : kind.limits.max};
}

bool read_limits(const GgufValues& values, const ProjectorKind& kind, const TokenLimits& wanted,
                 ProjectorSettings& settings) {
  const auto min = number_of(values, key_of("image_min_pixels"), kPixelsMax, 0);
  const auto max = number_of(values, key_of("image_max_pixels"), kPixelsMax, 0);
  if (!min || !max) {
    return false;
  }
  const bool has_both = *min > 0 && *max > 0;
  if (kind.pixel_keys == PixelKeys::kFile && !has_both) {
    return false;
  }
  if (kind.pixel_keys != PixelKeys::kNone && has_both) {
    settings.pixels_min = *min;
    settings.pixels_max = *max;
    return true;
  }
  return set_token_limits(limits_in_force(kind, wanted), settings);
}

// Those of LLaVA stand in the file as a list of widths and heights.
bool read_pinpoints(const GgufValues& values, ProjectorSettings& settings) {
  const auto found = values.numbers.find(key_of("image_grid_pinpoints"));
  if (found == values.numbers.end()) {
    return true;
  }
  const std::vector<std::int64_t>& list = found->second;
  const bool is_good = list.size() % 2 == 0 && std::all_of(list.begin(), list.end(), [](auto side) {
                         return side >= 1 && side <= kSideMax;
                       });
  for (std::size_t i = 0; is_good && i < list.size(); i += 2) {
    settings.candidates.push_back(
        {static_cast<std::uint32_t>(list[i]), static_cast<std::uint32_t>(list[i + 1])});
  }
  return is_good;
}

void add_candidate(std::uint32_t columns, std::uint32_t rows, ProjectorSettings& settings) {
  settings.candidates.push_back({columns * settings.image_size, rows * settings.image_size});
}

bool set_internvl_candidates(const GgufValues& values, ProjectorSettings& settings) {
  const auto min = number_of(values, key_of("preproc_min_tiles"), kTilesMax, 1);
  const auto max = number_of(values, key_of("preproc_max_tiles"), kTilesMax, 12);
  if (!min || !max || *min > *max) {
    return false;
  }
  for (std::uint32_t columns = *min; columns <= *max; ++columns) {
    const std::uint32_t least = std::max(*min, (*min + columns - 1) / columns);
    for (std::uint32_t rows = least; rows <= *max / columns; ++rows) {
      add_candidate(columns, rows, settings);
    }
  }
  return true;
}

bool set_candidates(const GgufValues& values, std::string_view name, ProjectorSettings& settings) {
  if (name == "internvl") {
    return set_internvl_candidates(values, settings);
  }
  if (name != "llama4") {
    return read_pinpoints(values, settings);
  }
  for (std::uint32_t columns = 1; columns <= 3; ++columns) {
    for (std::uint32_t rows = columns == 1 ? 2 : 1; rows <= 3; ++rows) {
      add_candidate(columns, rows, settings);
    }
  }
  return true;
}

// MiniCPM-V.
bool read_resampler(const GgufValues& values, ProjectorSettings& settings) {
  const std::int64_t version = values.number("clip.minicpmv_version").value_or(0);
  settings.is_minicpmv2 = version == 0 || version == 2;
  const auto tokens =
      number_of(values, "clip.minicpmv_query_num", kSideMax, settings.is_minicpmv2 ? 96 : 64);
  settings.query_tokens = tokens.value_or(0);
  return tokens.has_value();
}

// False when the file lacks what the rule needs, or has what cannot be.
bool read_settings(const GgufValues& values, const ProjectorKind& kind, const TokenLimits& wanted,
                   ProjectorSettings& settings) {
  const auto image = number_of(values, key_of("image_size"), kSideMax, std::nullopt);
  const auto patch = number_of(values, key_of("patch_size"), kSideMax, std::nullopt);
  const auto merge = kind.merge_key.empty()
                         ? std::optional(kind.merge)
                         : number_of(values, key_of(kind.merge_key), kMergeMax, kind.merge);
  const auto edge = number_of(values, key_of("preproc_image_size"), kSideMax, 0);
  if (!image || !patch || !merge || !edge || *image < *patch ||
      (kind.merge == 2 && *merge != 2)) {  // llama-server cuts these by two whatever the file says
    return false;
  }
  settings.image_size = *image;
  settings.patch_size = *patch;
  settings.merge = *merge;
  settings.longest_edge = *edge;
  return read_limits(values, kind, wanted, settings) &&
         set_candidates(values, kind.name, settings) && read_resampler(values, settings);
}

// The projector's name: one for the file, or one for each kind of media.
std::string_view name_of(const GgufValues& values, std::string_view own_key) {
  const std::string_view name = values.text("clip.projector_type");
  return name.empty() ? values.text(own_key) : name;
}

struct Family {
  std::string_view letters;  // in the model's name, lower case, without '-', '_', '.' and blanks
  std::string_view kind;
  std::uint32_t image_size;
  std::uint32_t patch_size;
};

// The first that is found counts.
constexpr Family kFamilies[] = {
    {"qwen35", "qwen3vl_merger", 768, 16},  {"qwen36", "qwen3vl_merger", 768, 16},
    {"qwen3vl", "qwen3vl_merger", 768, 16}, {"qwen25vl", "qwen2.5vl_merger", 560, 14},
    {"qwen25omni", "qwen2.5o", 560, 14},    {"qwen2vl", "qwen2vl_merger", 560, 14},
    {"gemma3", "gemma3", 896, 14},          {"gemma4", "gemma4v", 768, 16},
};

}  // namespace

struct ProjectorReader {
  static Projector from_file(const GgufValues& values, const TokenLimits& limits) {
    Projector projector;
    const std::string_view name = name_of(values, "clip.vision.projector_type");
    projector.name_ = base::printable(name, 40);
    projector.sound_name_ = name_of(values, "clip.audio.projector_type");
    const auto stack =
        number_of(values, "clip.audio.projector.stack_factor", kMergeMax, std::int64_t{1});
    projector.settings_.stack_factor = stack.value_or(1);
    const ProjectorKind* kind = find_projector_kind(name);
    if (kind != nullptr && read_settings(values, *kind, limits, projector.settings_)) {
      projector.picture_kind_ = kind;
    }
    if (projector.picture_kind_ == nullptr) {
      projector.why_estimate_ =
          "how pictures count for the projector \"" + projector.name_ + "\" is not known";
    } else if (kind->varies && limits.max == 0) {
      projector.why_estimate_ = "versions of llama-server make pictures for \"" + projector.name_ +
                                "\" differently large; set tokenizer.image_max_tokens and the "
                                "server's --image-max-tokens";
    } else if (!kind->is_proved) {
      projector.why_estimate_ =
          "how large llama-server makes pictures for \"" + projector.name_ +
          "\" may depend on its --ubatch-size; set tokenizer.image_max_tokens";
    } else if (!kind->is_proved) {
      projector.why_estimate_ =
          "the rule for pictures of the projector \"" + projector.name_ + "\" is not proved";
    }
    return projector;
  }

  static Projector of_family(const Family& family, const TokenLimits& limits) {
    Projector projector;
    projector.picture_kind_ = find_projector_kind(family.kind);
    projector.name_ = family.kind;
    ProjectorSettings& settings = projector.settings_;
    settings.image_size = family.image_size;
    settings.patch_size = family.patch_size;
    settings.merge = projector.picture_kind_->merge;
    if (!set_token_limits(limits_in_force(*projector.picture_kind_, limits), settings)) {
      projector.picture_kind_ = nullptr;
    }
    projector.why_estimate_ =
        "pictures count as for the model's family; set tokenizer.mmproj to the projector's file";
    return projector;
  }
};

base::Result<Projector> Projector::load(const std::string& path, const TokenLimits& limits) {
  auto values = tokenizer::read_gguf_values(path, "clip.");
  if (!values) {
    return values.error();
  }
  if (values->text("general.architecture") != "clip") {
    return base::Error{base::ErrorCode::kBadConfig,
                       base::printable(path, 400) +
                           ": this is no projector file; it is the one that llama-server gets with "
                           "--mmproj"};
  }
  return ProjectorReader::from_file(*values, limits);
}

std::optional<Projector> Projector::of_model(std::string_view model_name,
                                             const TokenLimits& limits) {
  std::string letters = base::ascii_lower(model_name);
  std::erase_if(letters, [](char c) { return c == '-' || c == '_' || c == '.' || c == ' '; });
  for (const Family& family : kFamilies) {
    if (letters.find(family.letters) != std::string::npos) {
      return ProjectorReader::of_family(family, limits);
    }
  }
  return std::nullopt;
}

std::optional<PictureCost> Projector::picture_cost(const PictureSize& size) const {
  if (picture_kind_ == nullptr || size.width == 0 || size.height == 0) {
    return std::nullopt;
  }
  std::optional<PictureCost> cost = picture_kind_->rule(size, settings_);
  for (const std::string_view text : {picture_kind_->begin, picture_kind_->end}) {
    if (cost && !text.empty()) {
      cost->texts.emplace_back(text);
    }
  }
  return cost;
}

std::uint64_t Projector::sound_tokens(double seconds) const {
  return media::sound_tokens(sound_name_, settings_.stack_factor, seconds);
}

std::uint64_t default_sound_tokens(double seconds) {
  return static_cast<std::uint64_t>(std::ceil(std::max(seconds, 0.0) * kDefaultSoundTokens));
}

}  // namespace weir::media
