#include "data_url.h"

#include <algorithm>

namespace weir::media {
namespace {

constexpr std::size_t kPrefixBytesMax = 256;  // "data:", type and parameters; real ones have 30

}  // namespace

std::optional<std::string_view> base64_of(std::string_view source) {
  if (source.starts_with("http") || source.starts_with("file:")) {
    return std::nullopt;
  }
  if (!source.starts_with("data:")) {
    return source;
  }
  const std::size_t comma = source.substr(0, kPrefixBytesMax).find(',');
  if (comma == std::string_view::npos || !source.substr(0, comma).ends_with("base64")) {
    return std::nullopt;
  }
  return source.substr(comma + 1);
}

}  // namespace weir::media
