#pragma once

// Where the base64 text of a picture or a sound is.

#include <optional>
#include <string_view>

namespace weir::media {

// `source` is what stands between the quotes of a JSON string: a data URL, or base64 alone, as
// llama-server takes both. Nothing for an address of any other kind, and for a data URL that is not
// base64.
std::optional<std::string_view> base64_of(std::string_view source);

}  // namespace weir::media
