#include "way.h"

#include <algorithm>

#include "weir/base/text.h"

namespace weir::proxy {
namespace {

constexpr std::size_t kNameBytesMax = 16;

// Names as weirs make them. Other words are a client's own, and no part of a way.
bool is_name(std::string_view word) {
  return !word.empty() && word.size() <= kNameBytesMax &&
         word.find_first_not_of("0123456789abcdef") == std::string_view::npos;
}

base::Error loop(std::string text) {
  return {base::ErrorCode::kLoop, std::move(text)};
}

}  // namespace

base::Result<std::string> way_from_here(std::string_view before, std::string_view own_name) {
  std::string way;
  std::size_t weirs = 0;
  while (!before.empty()) {
    const auto comma = std::min(before.find(','), before.size());
    const std::string_view name = base::trim_ascii(before.substr(0, comma));
    before.remove_prefix(std::min(comma + 1, before.size()));
    if (name == own_name) {
      return loop("the request came back to this weir; the base_url of an upstream leads here");
    }
    if (is_name(name)) {
      if (++weirs == kWayWeirsMax) {
        return loop("the request has come through " + std::to_string(weirs) +
                    " weirs; their base_urls seem to lead to each other");
      }
      way.append(name).append(", ");
    }
  }
  return way.append(own_name);
}

}  // namespace weir::proxy
