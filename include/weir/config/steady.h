#pragma once

#include <chrono>

#include "weir/config/config.h"

namespace weir::config {

// A setting in seconds as a duration of the clock that waits are measured by.
inline std::chrono::steady_clock::duration steady(Seconds seconds) {
  return std::chrono::duration_cast<std::chrono::steady_clock::duration>(seconds);
}

}  // namespace weir::config
