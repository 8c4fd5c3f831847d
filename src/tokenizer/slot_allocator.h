#pragma once

// Finds room in a double array (token_trie.h) while it is built.

#include <array>
#include <cstdint>
#include <span>
#include <vector>

namespace weir::tokenizer {

class SlotAllocator {
 public:
  // A base b that no other node has, not 0, such that all slots b ^ label are free; they are taken.
  std::uint32_t place(std::span<const std::uint8_t> labels);

  std::uint32_t size() const { return static_cast<std::uint32_t>(blocks_.size()) * kBlockSlots; }

 private:
  static constexpr std::uint32_t kBlockSlots = 256;  // a base and its slots share a block
  static constexpr std::size_t kOpenBlocksMax = 24;  // blocks that are still looked at
  static constexpr int kMissesMax = 24;  // a block that was of no use so often is closed

  using Bits = std::array<std::uint64_t, kBlockSlots / 64>;
  struct Block {
    Bits taken{};
    Bits bases{};
    std::uint32_t free = kBlockSlots;
    int misses = 0;
  };

  static bool has(const Bits& bits, std::uint32_t at) {
    return (bits[at / 64] >> (at % 64) & 1) != 0;
  }
  static void set(Bits& bits, std::uint32_t at) { bits[at / 64] |= std::uint64_t{1} << (at % 64); }
  static bool fits(const Block& block, std::uint32_t base, std::span<const std::uint8_t> labels);
  static std::uint32_t find_base(const Block& block, std::span<const std::uint8_t> labels);
  void open_block();

  std::vector<Block> blocks_;
  std::vector<std::uint32_t> open_;  // oldest first
};

}  // namespace weir::tokenizer
