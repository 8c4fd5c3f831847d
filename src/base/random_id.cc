#include "weir/base/random_id.h"

#include <cstdint>
#include <random>
#include <string_view>

namespace weir::base {

std::string random_id() {
  thread_local std::mt19937_64 random{std::random_device{}()};
  constexpr std::string_view kHex = "0123456789abcdef";
  std::string id;
  for (std::uint64_t bits = random(), i = 0; i < 16; ++i, bits >>= 4) {
    id.push_back(kHex[bits & 0xF]);
  }
  return id;
}

}  // namespace weir::base
