#pragma once

// A byte-level BPE vocabulary as plain numbers, before any table is built from it.

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "weir/base/result.h"

namespace weir::tokenizer {

// Limits of the packed tables: 18 bits for a token number, 10 bits for a token's length.
inline constexpr std::uint32_t kTokensMax = 1U << 18;
inline constexpr std::uint32_t kTokenBytesMax = 1023;
inline constexpr std::uint32_t kByteTokens = 256;  // tokens 0 to 255 are the single bytes

// Two tokens that merge into one.
struct Pair {
  std::uint32_t left = 0;
  std::uint32_t right = 0;
};

struct Vocabulary {
  std::array<std::uint8_t, kByteTokens> bytes{};  // the byte that token 0 to 255 stands for
  std::vector<Pair> merges;  // merges[k] makes token 256 + k; a lower number merges first

  std::uint32_t size() const { return kByteTokens + static_cast<std::uint32_t>(merges.size()); }
};

// Reads the BPEPAIR1 format (data/README.md). Checks sizes, that the bytes are all different and
// that parts are tokens; not that parts come before the tokens made of them: they need not.
// Errors: kBadConfig.
base::Result<Vocabulary> read_bpe_pairs(std::string_view file);

// The bytes of all tokens, one after the other.
class TokenTexts {
 public:
  // Parts must have smaller numbers than the tokens made of them (merge_order.h sees to it).
  // Errors: kBadConfig when a token is longer than kTokenBytesMax or all are too long together.
  static base::Result<TokenTexts> build(const Vocabulary& vocabulary);

  std::string_view operator[](std::uint32_t token) const {
    return std::string_view(blob_).substr(starts_[token], starts_[token + 1] - starts_[token]);
  }
  std::uint32_t size() const { return static_cast<std::uint32_t>(starts_.size()) - 1; }

 private:
  std::string blob_;
  std::vector<std::uint32_t> starts_;
};

}  // namespace weir::tokenizer
