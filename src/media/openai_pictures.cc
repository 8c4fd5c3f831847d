#include "weir/media/openai_pictures.h"

#include <algorithm>
#include <cmath>
#include <iterator>

#include "weir/base/text.h"

namespace weir::media {
namespace {

// By tiles: a base, and so much for each tile of 512 pixels. By patches: the patches of 32 pixels,
// at most 1536, times a factor.
struct Price {
  std::string_view letters;  // in the model's name
  std::uint32_t base;        // 0: by patches
  std::uint32_t tile;
  double factor;
};

// The first that is found counts: longer names stand before their own beginnings. The guide gives
// gpt-5-mini 1.62 and gpt-5-nano 2.46; what is billed, and the calculator of the price page, is 1.2
// and 1.5.
constexpr Price kPrices[] = {
    {"gpt-4.1-mini", 0, 0, 1.62}, {"gpt-4.1-nano", 0, 0, 2.46}, {"gpt-5-mini", 0, 0, 1.2},
    {"gpt-5-nano", 0, 0, 1.5},    {"o4-mini", 0, 0, 1.72},      {"gpt-4o-mini", 2833, 5667, 0},
    {"gpt-5", 70, 140, 0},        {"computer-use", 65, 129, 0}, {"o1", 75, 150, 0},
    {"o3", 75, 150, 0},           {"gpt-4o", 85, 170, 0},       {"gpt-4.1", 85, 170, 0},
};
constexpr Price kOther{"", 85, 170, 0};  // gpt-4o

constexpr double kFrameSide = 2048;
constexpr double kShortSide = 768;
constexpr double kTileSide = 512;
constexpr double kPatchSide = 32;
constexpr double kPatchesMax = 1536;

const Price& price_of(std::string_view model) {
  const std::string name = base::ascii_lower(model);
  const auto* found = std::find_if(std::begin(kPrices), std::end(kPrices), [&](const Price& price) {
    return name.find(price.letters) != std::string::npos;
  });
  return found == std::end(kPrices) ? kOther : *found;
}

// Fits into a square, then its shorter side into a smaller length; never made larger.
std::uint64_t tiles_of(const PictureSize& size) {
  const double longer = std::max(size.width, size.height);
  const double shorter = std::min(size.width, size.height);
  double scale = std::min(1.0, kFrameSide / longer);
  scale = std::min(scale, kShortSide / shorter);
  const auto count = [scale](double side) { return std::ceil(side * scale / kTileSide); };
  return static_cast<std::uint64_t>(count(size.width) * count(size.height));
}

// Above the limit it is shrunk until it fits, and then so that one side is whole patches.
double patches_of(const PictureSize& size) {
  const double width = size.width;
  const double height = size.height;
  const double patches = std::ceil(width / kPatchSide) * std::ceil(height / kPatchSide);
  if (patches <= kPatchesMax) {
    return patches;
  }
  const double shrink = std::sqrt(kPatchSide * kPatchSide * kPatchesMax / (width * height));
  const double columns = width * shrink / kPatchSide;
  const double rows = height * shrink / kPatchSide;
  const double whole = shrink * std::min(std::floor(columns) / columns, std::floor(rows) / rows);
  const double shrunk =
      std::ceil(width * whole / kPatchSide) * std::ceil(height * whole / kPatchSide);
  return std::clamp(shrunk, 1.0, kPatchesMax);
}

}  // namespace

Detail detail_named(std::string_view name) {
  return name == "low" ? Detail::kLow : Detail::kFull;
}

std::optional<std::uint64_t> openai_low_tokens(std::string_view model) {
  const Price& price = price_of(model);
  return price.base > 0 ? std::optional<std::uint64_t>(price.base) : std::nullopt;
}

std::uint64_t openai_picture_tokens(std::string_view model, const PictureSize& size,
                                    Detail detail) {
  const Price& price = price_of(model);
  if (price.base == 0) {
    return static_cast<std::uint64_t>(std::ceil(patches_of(size) * price.factor));
  }
  return detail == Detail::kLow ? price.base : price.base + price.tile * tiles_of(size);
}

}  // namespace weir::media
