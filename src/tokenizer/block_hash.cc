#include "block_hash.h"

#include <bit>
#include <cstring>

namespace weir::tokenizer {
namespace {

// One-to-one in `lane` and in `word`.
std::uint64_t mixed(std::uint64_t lane, std::uint64_t word) {
  return std::rotl((lane ^ word) * 0x9E3779B97F4A7C15ULL, 29);
}

}  // namespace

void BlockHash::add(std::string_view part) {
  bytes_ += part.size();
  const char* p = part.data();
  const char* end = p + part.size() / kStripeBytes * kStripeBytes;
  std::array<std::uint64_t, 4> lanes = lanes_;
  std::array<std::uint64_t, 4> words{};
  const auto take = [&] {
    for (std::size_t i = 0; i < lanes.size(); ++i) {
      lanes[i] = mixed(lanes[i], words[i]);
    }
  };
  for (; p < end; p += kStripeBytes) {
    std::memcpy(words.data(), p, kStripeBytes);
    take();
  }
  if (const std::size_t rest = part.size() % kStripeBytes; rest > 0) {
    words = {};
    std::memcpy(words.data(), p, rest);
    take();
  }
  lanes_ = lanes;
}

BlockHash::Sum BlockHash::sum() const {
  Sum sum{bytes_, ~bytes_};
  for (const std::uint64_t lane : lanes_) {
    sum[0] = mixed(sum[0], lane);
    sum[1] = mixed(sum[1], std::rotl(lane, 32));
  }
  for (std::uint64_t& half : sum) {
    half ^= half >> 32;
    half *= 0xC2B2AE3D27D4EB4FULL;
    half ^= half >> 29;
  }
  return sum;
}

}  // namespace weir::tokenizer
