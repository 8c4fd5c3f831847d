#include "weir/base/secret.h"

namespace weir::base {

bool Secret::equals(std::string_view candidate) const {
  unsigned difference = value_.size() == candidate.size() ? 0U : 1U;
  for (std::size_t i = 0; i < candidate.size(); ++i) {
    const char mine = value_.empty() ? '\0' : value_[i % value_.size()];
    difference |= static_cast<unsigned char>(mine) ^ static_cast<unsigned char>(candidate[i]);
  }
  return difference == 0 && !value_.empty();
}

}  // namespace weir::base
