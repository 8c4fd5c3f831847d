#pragma once

// What a key of an API may look like.

#include <string>
#include <string_view>

namespace weir::config {

// "what is wrong; what would be right", without the key; empty when `key` can be sent. `key` has
// been trimmed.
std::string key_fault(std::string_view key);

}  // namespace weir::config
