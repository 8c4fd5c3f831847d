#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace weir::openai {

// usage.prompt_tokens of a complete JSON object; nullopt when there is none.
std::optional<std::uint64_t> usage_of_object(std::string_view object);

}  // namespace weir::openai
