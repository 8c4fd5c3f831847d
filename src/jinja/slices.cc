#include "slices.h"

#include <algorithm>

#include "failure.h"

namespace weir::jinja {
namespace {

// Counted from the end when negative, and kept within [lowest, highest].
std::int64_t placed(std::int64_t index, std::int64_t size, std::int64_t lowest,
                    std::int64_t highest) {
  return index < lowest ? std::max(size + index, lowest) : std::min(index, highest);
}

}  // namespace

Range range_of_slice(const Call& call, std::size_t size) {
  call.expect_count(4, 4);
  call.expect_int(1);
  const std::int64_t step = integer_of(call.at(3));
  if (step == 0) {
    throw RenderFailure("a slice with a step of zero");
  }
  const auto length = static_cast<std::int64_t>(size);
  const std::int64_t highest = step > 0 ? length : length - 1;
  const std::int64_t first = placed(call.at(1).integer, length, 0, highest);
  const std::int64_t stop = placed(integer_of(call.at(2)), length, step > 0 ? 0 : -1, highest);
  const std::int64_t distance = step > 0 ? stop - first : first - stop;
  const bool is_inside = first >= 0 && first < length;  // an empty sequence has no inside
  if (distance <= 0 || !is_inside) {
    return {};
  }
  const auto stride =
      step > 0 ? static_cast<std::uint64_t>(step) : 0 - static_cast<std::uint64_t>(step);
  const auto span = static_cast<std::uint64_t>(distance);
  return {first, step, static_cast<std::size_t>((span - 1) / stride + 1)};
}

}  // namespace weir::jinja
