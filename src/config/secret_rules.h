#pragma once

// What a key of an API may look like.

#include <string>
#include <string_view>

namespace weir::config {

// "what is wrong; what would be right", without the key; empty when `key` can be sent. `key` has
// been trimmed.
std::string key_fault(std::string_view key);

// What stands in an example where a key belongs: "sk-...", "sk-xxxx", "<key>", "your-api-key". No
// server takes it. Sure of it rather than complete: a real key is never one.
bool is_placeholder_key(std::string_view key);

}  // namespace weir::config
