#pragma once

// What a picture costs at OpenAI, by the rules of its guide "Images and vision" (read in 2026).

#include <cstdint>
#include <optional>
#include <string_view>

#include "weir/media/picture_size.h"

namespace weir::media {

// "low" costs a base; "high", "auto", "original", anything else and nothing count by size, as a
// model that is not sure looks closely.
enum class Detail { kFull, kLow };
Detail detail_named(std::string_view name);

// Tokens of a picture for a model of that name ("gpt-4o-mini", "openai/gpt-5"); a name that is not
// known counts as gpt-4o. An estimate: OpenAI changes it without notice.
std::uint64_t openai_picture_tokens(std::string_view model, const PictureSize& size, Detail detail);

// Of a picture whose size is not known and whose detail is low; nothing when the size matters.
std::optional<std::uint64_t> openai_low_tokens(std::string_view model);

}  // namespace weir::media
