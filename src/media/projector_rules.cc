#include "projector_rules.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <string>

#include "resize.h"

namespace weir::media {
namespace {

using Cost = std::optional<PictureCost>;
using Settings = ProjectorSettings;

constexpr std::uint64_t kTilesMax = 256;  // of one picture; real ones have at most 64

std::uint32_t cell(const Settings& settings) {
  return settings.patch_size * settings.merge;
}

// Tokens of a picture, or tile, that is not resized any more.
std::uint64_t cells(const PictureSize& size, const Settings& settings) {
  return std::uint64_t{size.width / cell(settings)} * (size.height / cell(settings));
}

std::uint64_t square_cells(const Settings& settings) {
  const std::uint64_t patches = settings.image_size / settings.patch_size;
  return patches * patches / (std::uint64_t{settings.merge} * settings.merge);
}

Cost tokens(std::uint64_t count) {
  return PictureCost{count, {}};
}

FitOptions fit_options(const Settings& settings) {
  return {cell(settings), settings.pixels_min, settings.pixels_max, 0};
}

// A token for each cell of the picture, resized within limits.
Cost by_cells(const PictureSize& size, const Settings& settings) {
  return tokens(cells(fitted(size, fit_options(settings)), settings));
}

// ... and one between two rows.
Cost by_cells_and_breaks(const PictureSize& size, const Settings& settings) {
  const PictureSize fit = fitted(size, fit_options(settings));
  return tokens(cells(fit, settings) + fit.height / cell(settings) - 1);
}

// ... and one behind each row, and one at either end.
Cost by_cells_and_lines(const PictureSize& size, const Settings& settings) {
  const PictureSize fit = fitted(size, fit_options(settings));
  return tokens(cells(fit, settings) + fit.height / cell(settings) + 2);
}

Cost by_longest_edge(const PictureSize& size, const Settings& settings) {
  FitOptions options = fit_options(settings);
  options.longest_edge = settings.longest_edge > 0 ? settings.longest_edge : settings.image_size;
  return tokens(cells(fitted(size, options), settings));
}

// Every picture is made a square of one size.
Cost by_square(const PictureSize&, const Settings& settings) {
  return tokens(square_cells(settings));
}

Cost by_square_quarter(const PictureSize&, const Settings& settings) {
  return tokens(square_cells(settings) / 4);
}

Cost by_square_quarter_and_ends(const PictureSize&, const Settings& settings) {
  return tokens(square_cells(settings) / 4 + 2);
}

Cost by_square_and_ends(const PictureSize&, const Settings& settings) {
  return tokens(square_cells(settings) + 2);
}

// Gemma 3n's encoder.
Cost by_side(const PictureSize&, const Settings& settings) {
  return tokens(settings.image_size / settings.patch_size);
}

// An overview, and tiles of the candidate that suits best when the picture is larger than a tile.
Cost by_candidates(const PictureSize& size, const Settings& settings) {
  const std::uint32_t side = settings.image_size;
  std::uint64_t count = square_cells(settings);
  if (size.width <= side && size.height <= side) {
    return tokens(count);
  }
  const PictureSize best = best_candidate(size, settings.candidates);
  if (Grid{best.width / side, best.height / side}.tiles() > kTilesMax) {
    return std::nullopt;
  }
  for (std::uint32_t y = 0; y < best.height; y += side) {
    for (std::uint32_t x = 0; x < best.width; x += side) {
      count += cells({std::min(side, best.width - x), std::min(side, best.height - y)}, settings);
    }
  }
  return tokens(count);
}

// LLaVA: with candidates if the file names some.
Cost by_square_or_candidates(const PictureSize& size, const Settings& settings) {
  return settings.candidates.empty() ? by_square(size, settings) : by_candidates(size, settings);
}

// MiniCPM-V: so many tokens for the overview and for each tile, with a token before and behind each
// and one between two rows; the first versions put the tiles between two more.
Cost by_slices(const PictureSize& size, const Settings& settings) {
  const std::uint64_t each = settings.query_tokens + 2;
  if (size.width <= settings.image_size && size.height <= settings.image_size) {
    return tokens(each);
  }
  const Grid grid = slice_grid(size, settings.image_size);
  return tokens(each * (1 + grid.tiles()) + grid.rows - 1 + (settings.is_minicpmv2 ? 2 : 0));
}

// Appends the mark that stands before each tile.
void append_marks(const Grid& grid, std::string_view before, std::string_view between,
                  std::string_view behind, PictureCost& cost) {
  for (std::uint32_t row = 1; row <= grid.rows; ++row) {
    for (std::uint32_t column = 1; column <= grid.columns; ++column) {
      std::string mark(before);
      mark += std::to_string(row);
      mark += between;
      mark += std::to_string(column);
      mark += behind;
      cost.texts.push_back(std::move(mark));
    }
  }
}

// The size before it is cut: the longer side is given, the other is even.
PictureSize idefics3_size(const PictureSize& size, std::uint32_t edge) {
  const double ratio = static_cast<double>(size.width) / size.height;
  if (size.width >= size.height) {
    const auto height = static_cast<std::uint32_t>(edge / ratio);
    return {edge, height + height % 2};
  }
  const auto width = static_cast<std::uint32_t>(edge * ratio);
  return {width + width % 2, edge};
}

// Idefics3 and SmolVLM: tiles with marks, a line feed between two rows, then the overview with
// three tokens before and one behind it.
Cost by_marked_tiles(const PictureSize& size, const Settings& settings) {
  const std::uint32_t side = settings.image_size;
  const bool is_plain =
      settings.longest_edge > 0 && settings.pixels_min == 0 && settings.pixels_max == 0;
  const PictureSize fit =
      is_plain
          ? idefics3_size(size, settings.longest_edge)
          : fitted(size, {side, settings.pixels_min, settings.pixels_max, settings.longest_edge});
  const Grid grid{(fit.width + side - 1) / side, (fit.height + side - 1) / side};
  if (grid.tiles() == 0 || grid.tiles() > kTilesMax) {
    return std::nullopt;
  }
  PictureCost cost{square_cells(settings) * (1 + grid.tiles()) + grid.rows - 1 + 4, {}};
  append_marks(grid, "<fake_token_around_image><row_", "_col_", ">", cost);
  return cost;
}

// LFM2: one picture, or tiles with marks and an overview with a token before it.
Cost by_tiles_when_large(const PictureSize& size, const Settings& settings) {
  constexpr std::uint32_t kTileSide = 512;
  const std::uint32_t align = cell(settings);
  const auto aligned = [&](std::uint32_t length) {
    return std::max<double>(settings.patch_size,
                            std::nearbyint(static_cast<double>(length) / align) * align);
  };
  const std::uint64_t overview = cells(fitted(size, fit_options(settings)), settings);
  if (aligned(size.width) * aligned(size.height) <= 2.0 * settings.pixels_max) {
    return tokens(overview);
  }
  const Grid grid = ratio_grid(size, kTileSide);
  PictureCost cost{overview + 1 + grid.tiles() * cells({kTileSide, kTileSide}, settings), {}};
  append_marks(grid, "<|img_row_", "_col_", "|>", cost);
  return cost;
}

constexpr std::string_view kScale = "projector.scale_factor";
constexpr std::string_view kSpatial = "spatial_merge_size";
constexpr auto kNone = PixelKeys::kNone;
constexpr auto kFile = PixelKeys::kFile;

// clang-format off
constexpr ProjectorKind kKinds[] = {
    {"qwen2vl_merger", by_cells, 2, kSpatial, {8, 4096}, kNone, "<|vision_start|>", "<|vision_end|>", true},
    {"qwen2.5vl_merger", by_cells, 2, kSpatial, {8, 4096}, kNone, "<|vision_start|>", "<|vision_end|>", true},
    {"qwen2.5o", by_cells, 2, kSpatial, {8, 4096}, kNone, "<|vision_start|>", "<|vision_end|>", false},
    {"qwen3vl_merger", by_cells, 2, kSpatial, {8, 4096}, kNone, "<|vision_start|>", "<|vision_end|>", true},
    {"gemma3", by_square, 4, kScale, {}, kNone, "<start_of_image>", "<end_of_image>", true},
    {"gemma3nv", by_side, 1, kScale, {}, kNone, "<start_of_image>", "<end_of_image>", false},
    // Of all but E2B and E4B at most the server's --ubatch-size, too, which is 512.
    {"gemma4v", by_cells, 3, kScale, {70, 1120}, kNone, "<|image>", "<image|>", true, true},
    {"gemma4uv", by_cells, 3, kScale, {70, 1120}, kNone, "<|image>", "<image|>", false},
    {"idefics3", by_marked_tiles, 1, kScale, {}, kNone, "", "", true},
    {"pixtral", by_cells_and_breaks, 1, kSpatial, {8, 1024}, kNone, "", "[IMG_END]", true},
    {"lightonocr", by_longest_edge, 1, kSpatial, {}, kNone, "<|im_start|>", "<|im_end|>", true},
    {"internvl", by_candidates, 1, kScale, {}, kNone, "<img>", "</img>", true},
    {"llama4", by_candidates, 1, kScale, {}, kNone, "<|image_start|>", "<|image_end|>", true},
    {"lfm2", by_tiles_when_large, 1, kScale, {64, 256}, kNone, "<|image_start|>", "<|image_end|>", true},
    {"kimivl", by_cells, 1, kScale, {8, 1024}, kNone, "<|media_start|>", "<|media_end|>", true},
    {"kimik25", by_cells, 1, kScale, {2, 4096}, PixelKeys::kEither, "<|media_begin|>", "<|media_end|>", false},
    {"glm4v", by_cells, 2, kSpatial, {8, 4096}, kNone, "<|begin_of_image|>", "<|end_of_image|>", true},
    {"minimax_m3", by_cells, 2, kSpatial, {8, 576}, kNone, "]<]start of image[>[", "]<]end of image[>[", false},
    {"exaone4_5", by_cells, 2, kSpatial, {}, kFile, "<vision>", "</vision>", false},
    {"mimovl", by_cells, 2, kSpatial, {}, kFile, "<|vision_start|>", "<|vision_end|>", false},
    {"paddleocr", by_cells, 2, "", {}, kFile, "<|IMAGE_START|>", "<|IMAGE_END|>", true},
    {"dots_ocr", by_cells, 1, kScale, {}, kFile, "<|img|>", "<|endofimg|>", false},
    {"hunyuanvl", by_cells_and_lines, 2, kSpatial, {256, 16384}, PixelKeys::kEither,
     "<\uFF5Chy_place\u2581holder\u2581no\u2581100\uFF5C>", "<\uFF5Chy_place\u2581holder\u2581no\u2581101\uFF5C>", false},
    {"phi4", by_cells, 1, "", {}, kFile, "", "", true},
    {"resampler", by_slices, 1, "", {}, kNone, "", "", true},
    {"mlp", by_square_or_candidates, 1, "", {}, kNone, "", "", true},
    {"ldp", by_square_quarter, 1, "", {}, kNone, "", "", false},
    {"ldpv2", by_square_quarter, 1, "", {}, kNone, "", "", false},
    {"adapter", by_square_quarter_and_ends, 1, "", {}, kNone, "", "", false},
    {"cogvlm", by_square_and_ends, 1, "", {}, kNone, "", "", false},
    {"janus_pro", by_square, 1, "", {}, kNone, "", "", false},
    {"nemotron_v2_vl", by_square, 1, kScale, {}, kNone, "", "", true},
};
// clang-format on

}  // namespace

const ProjectorKind* find_projector_kind(std::string_view name) {
  const auto* found = std::find_if(std::begin(kKinds), std::end(kKinds),
                                   [&](const ProjectorKind& kind) { return kind.name == name; });
  return found == std::end(kKinds) ? nullptr : found;
}

}  // namespace weir::media
