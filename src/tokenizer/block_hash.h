#pragma once

// A fast 128-bit sum over long blocks, for damage and mix-ups, not against intent: a change within
// eight bytes in a row always changes it, anything else does but for a chance of 2^-64.

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace weir::tokenizer {

class BlockHash {
 public:
  using Sum = std::array<std::uint64_t, 2>;

  // Each part but the last must be a multiple of kStripeBytes long.
  static constexpr std::size_t kStripeBytes = 32;
  void add(std::string_view part);
  Sum sum() const;

  static Sum of(std::string_view bytes) {
    BlockHash hash;
    hash.add(bytes);
    return hash.sum();
  }

 private:
  std::array<std::uint64_t, 4> lanes_{0x9E3779B97F4A7C15, 0xC2B2AE3D27D4EB4F, 0x165667B19E3779F9,
                                      0x27D4EB2F165667C5};
  std::uint64_t bytes_ = 0;
};

}  // namespace weir::tokenizer
