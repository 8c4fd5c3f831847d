#pragma once

// Names for things that only have to differ from each other: no secrets.

#include <string>

namespace weir::base {

// 16 hexadecimal digits, other ones at every call. Any thread.
std::string random_id();

}  // namespace weir::base
