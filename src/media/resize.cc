#include "resize.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

namespace weir::media {
namespace {

std::uint32_t whole(float value) {
  return value >= 4294967040.0F ? 4294967040U : static_cast<std::uint32_t>(std::max(value, 0.0F));
}

std::uint32_t rounded(float value, std::uint32_t align) {
  return whole(std::round(value / static_cast<float>(align))) * align;
}
std::uint32_t raised(float value, std::uint32_t align) {
  return whole(std::ceil(value / static_cast<float>(align))) * align;
}
std::uint32_t lowered(float value, std::uint32_t align) {
  return whole(std::floor(value / static_cast<float>(align))) * align;
}

// As large as fits into `frame`.
PictureSize inside(const PictureSize& size, const PictureSize& frame) {
  const auto width = static_cast<float>(size.width);
  const auto height = static_cast<float>(size.height);
  const float scale =
      std::min(static_cast<float>(frame.width) / width, static_cast<float>(frame.height) / height);
  return {whole(width * scale), whole(height * scale)};
}

std::uint64_t area(const PictureSize& size) {
  return std::uint64_t{size.width} * size.height;
}

}  // namespace

PictureSize fitted(const PictureSize& size, const FitOptions& options) {
  const auto width = static_cast<float>(size.width);
  const auto height = static_cast<float>(size.height);
  PictureSize fit;
  if (options.longest_edge > 0) {
    const auto edge = static_cast<float>(options.longest_edge);
    const float scale = std::min(edge / width, edge / height);
    fit = {raised(width * scale, options.align), raised(height * scale, options.align)};
  } else {
    fit = {std::max(options.align, rounded(width, options.align)),
           std::max(options.align, rounded(height, options.align))};
  }
  if (options.pixels_max > 0 && area(fit) > options.pixels_max) {
    const float beta = std::sqrt(height * width / static_cast<float>(options.pixels_max));
    return {std::max(options.align, lowered(width / beta, options.align)),
            std::max(options.align, lowered(height / beta, options.align))};
  }
  if (options.pixels_min > 0 && area(fit) < options.pixels_min) {
    const float beta = std::sqrt(static_cast<float>(options.pixels_min) / (height * width));
    return {raised(width * beta, options.align), raised(height * beta, options.align)};
  }
  return fit;
}

PictureSize best_candidate(const PictureSize& size, const std::vector<PictureSize>& candidates) {
  PictureSize best;
  std::uint64_t most_kept = 0;
  std::int64_t least_wasted = std::numeric_limits<std::int64_t>::max();
  for (const PictureSize& candidate : candidates) {
    const std::uint64_t kept = std::min(area(inside(size, candidate)), area(size));
    const auto wasted =
        static_cast<std::int64_t>(area(candidate)) - static_cast<std::int64_t>(kept);
    if (kept > most_kept || (kept == most_kept && wasted < least_wasted)) {
      most_kept = kept;
      least_wasted = wasted;
      best = candidate;
    }
  }
  return best;
}

Grid slice_grid(const PictureSize& size, std::uint32_t side) {
  constexpr int kSlicesMax = 9;
  const auto width = static_cast<float>(size.width);
  const auto height = static_cast<float>(size.height);
  const auto log_ratio = static_cast<float>(std::log(static_cast<double>(width / height)));
  const float tiles = width * height / static_cast<float>(std::uint64_t{side} * side);
  const int wanted = static_cast<int>(std::min(static_cast<float>(kSlicesMax), std::ceil(tiles)));
  Grid best{1, 1};
  float least_error = std::numeric_limits<float>::infinity();
  for (const int count : {wanted - 1, wanted, wanted + 1}) {
    for (int columns = 1; count != 1 && count <= kSlicesMax && columns <= count; ++columns) {
      if (count % columns != 0) {
        continue;
      }
      const int rows = count / columns;
      const auto error = static_cast<float>(
          std::abs(static_cast<double>(log_ratio) - std::log(1.0 * columns / rows)));
      if (error < least_error) {
        least_error = error;
        best = {static_cast<std::uint32_t>(columns), static_cast<std::uint32_t>(rows)};
      }
    }
  }
  return best;
}

Grid ratio_grid(const PictureSize& size, std::uint32_t side) {
  constexpr std::uint32_t kTilesMin = 2;
  constexpr std::uint32_t kTilesMax = 10;
  const float ratio = static_cast<float>(size.width) / static_cast<float>(size.height);
  const auto pixels = static_cast<float>(area(size));
  Grid best{1, 1};
  float least = std::numeric_limits<float>::max();
  for (std::uint32_t tiles = kTilesMin; tiles <= kTilesMax; ++tiles) {
    for (std::uint32_t columns = 1; columns <= tiles; ++columns) {
      if (tiles % columns != 0) {
        continue;
      }
      const std::uint32_t rows = tiles / columns;
      const float difference =
          std::abs(ratio - static_cast<float>(columns) / static_cast<float>(rows));
      const float target = static_cast<float>(std::uint64_t{side} * side * tiles);
      if (difference < least || (difference == least && pixels > 0.5F * target)) {
        least = difference;
        best = {columns, rows};
      }
    }
  }
  return best;
}

}  // namespace weir::media
