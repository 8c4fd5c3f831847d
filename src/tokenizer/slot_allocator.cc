#include "slot_allocator.h"

#include <bit>

namespace weir::tokenizer {

bool SlotAllocator::fits(const Block& block, std::uint32_t base,
                         std::span<const std::uint8_t> labels) {
  if (has(block.bases, base)) {
    return false;
  }
  for (const std::uint8_t label : labels) {
    if (has(block.taken, base ^ label)) {
      return false;
    }
  }
  return true;
}

// kBlockSlots when there is none.
std::uint32_t SlotAllocator::find_base(const Block& block, std::span<const std::uint8_t> labels) {
  if (block.free < labels.size()) {
    return kBlockSlots;
  }
  for (std::uint32_t word = 0; word < block.taken.size(); ++word) {
    for (std::uint64_t free = ~block.taken[word]; free != 0; free &= free - 1) {
      const auto slot = word * 64 + static_cast<std::uint32_t>(std::countr_zero(free));
      if (fits(block, slot ^ labels[0], labels)) {
        return slot ^ labels[0];
      }
    }
  }
  return kBlockSlots;
}

void SlotAllocator::open_block() {
  if (open_.size() == kOpenBlocksMax) {
    open_.erase(open_.begin());
  }
  open_.push_back(static_cast<std::uint32_t>(blocks_.size()));
  blocks_.emplace_back();
  if (blocks_.size() == 1) {
    set(blocks_[0].bases, 0);  // base 0 belongs to nodes without children
  }
}

std::uint32_t SlotAllocator::place(std::span<const std::uint8_t> labels) {
  for (std::size_t i = 0;; ++i) {
    if (i == open_.size()) {
      open_block();
      i = open_.size() - 1;
    }
    Block& block = blocks_[open_[i]];
    const std::uint32_t base = find_base(block, labels);
    if (base == kBlockSlots) {
      ++block.misses;
      continue;
    }
    set(block.bases, base);
    for (const std::uint8_t label : labels) {
      set(block.taken, base ^ label);
    }
    block.free -= static_cast<std::uint32_t>(labels.size());
    const std::uint32_t answer = open_[i] * kBlockSlots + base;
    std::erase_if(open_, [this](std::uint32_t at) {
      return blocks_[at].free == 0 || blocks_[at].misses > kMissesMax;
    });
    return answer;
  }
}

}  // namespace weir::tokenizer
