#include "weir/proxy/client.h"

#include <algorithm>

#include "weir/base/text.h"

namespace weir::proxy {

std::string_view ClientRequest::value_of(std::string_view name) const {
  const auto found = std::find_if(headers.begin(), headers.end(), [&](const HeaderField& field) {
    return base::equal_ignoring_case(field.name, name);
  });
  return found == headers.end() ? std::string_view() : found->value;
}

}  // namespace weir::proxy
