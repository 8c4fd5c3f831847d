#pragma once

// A value for each code point. Most blocks of them are alike and stand in memory once.

#include <array>
#include <cstdint>
#include <cstring>
#include <map>
#include <string_view>
#include <vector>

namespace weir::tokenizer {

inline constexpr std::uint32_t kCodePoints = 0x110000;

// T has no padding. Built once, then read by any thread.
template <class T>
class BlockTable {
 public:
  BlockTable() = default;  // of no use
  // `all` has kCodePoints values.
  explicit BlockTable(const std::vector<T>& all) {
    std::map<std::string_view, std::uint16_t> known;
    for (std::uint32_t start = 0; start < kCodePoints; start += kBlock) {
      const auto* block = all.data() + start;
      const std::string_view bytes(reinterpret_cast<const char*>(block), sizeof(Block));
      const auto [at, is_new] =
          known.try_emplace(bytes, static_cast<std::uint16_t>(blocks_.size()));
      if (is_new) {
        std::memcpy(blocks_.emplace_back().data(), block, sizeof(Block));
      }
      block_of_.push_back(at->second);
    }
  }

  // `code_point` is below kCodePoints.
  T operator[](std::uint32_t code_point) const {
    return blocks_[block_of_[code_point >> kBlockBits]][code_point & (kBlock - 1)];
  }

 private:
  static constexpr std::uint32_t kBlockBits = 7;
  static constexpr std::uint32_t kBlock = 1U << kBlockBits;
  using Block = std::array<T, kBlock>;

  std::vector<std::uint16_t> block_of_;
  std::vector<Block> blocks_;  // all different
};

}  // namespace weir::tokenizer
