#pragma once

// How llama-server sizes and cuts a picture before its projector sees it. The numbers come out of
// the same steps in the same types, float where it has float: a rounding that differs is a token.

#include <cstdint>
#include <vector>

#include "weir/media/picture_size.h"

namespace weir::media {

struct FitOptions {
  std::uint32_t align = 1;       // both sides become multiples of it
  std::uint32_t pixels_min = 0;  // 0: no limit
  std::uint32_t pixels_max = 0;
  std::uint32_t longest_edge = 0;  // 0: the picture's own
};

// The size nearest to `size` within the limits that keeps its proportions but for the alignment.
PictureSize fitted(const PictureSize& size, const FitOptions& options);

// Columns and rows of tiles.
struct Grid {
  std::uint32_t columns = 0;
  std::uint32_t rows = 0;

  std::uint64_t tiles() const { return std::uint64_t{columns} * rows; }
};

// The candidate that loses least of the picture; {0, 0} when there is none.
PictureSize best_candidate(const PictureSize& size, const std::vector<PictureSize>& candidates);

// For tiles of `side`: at most nine, of the picture's proportions (MiniCPM-V).
Grid slice_grid(const PictureSize& size, std::uint32_t side);

// For two to ten tiles, of the picture's proportions (LFM2).
Grid ratio_grid(const PictureSize& size, std::uint32_t side);

}  // namespace weir::media
