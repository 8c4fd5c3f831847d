#pragma once

// The weirs that a request has come through. Each adds its own name to a header of what it sends to
// its upstreams, so that one that gets a request back (by a tunnel, another name of the machine, or
// a second weir whose upstream is the first) can tell, and end the circle.

#include <cstddef>
#include <string>
#include <string_view>

#include "weir/base/result.h"

namespace weir::proxy {

inline constexpr std::string_view kWayHeader = "Weir-Way";
inline constexpr std::size_t kWayWeirsMax = 8;

// `before` is the header of the request ("" when it has none), `own_name` the name of this weir.
// Gives what the header says from here on: "3f2a..., 09bc...". Errors: kLoop when this weir is in
// it already, or more than kWayWeirsMax are.
base::Result<std::string> way_from_here(std::string_view before, std::string_view own_name);

}  // namespace weir::proxy
