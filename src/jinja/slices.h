#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "functions.h"

namespace weir::jinja {

// What a[start:stop:step] takes of a sequence.
struct Range {
  std::int64_t first = 0;
  std::int64_t step = 1;
  std::size_t count = 0;
};

// Of the method slice(start, stop, step) for a sequence of `size`. RenderFailure when an argument
// is missing or no integer, or the step is zero.
Range range_of_slice(const Call& call, std::size_t size);

}  // namespace weir::jinja
