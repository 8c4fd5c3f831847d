#pragma once

// Remembers how many tokens long texts have, so that the next turn of a long conversation costs its
// new message only: the texts between special tokens are counted one by one, and most are old.

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "weir/base/mutex.h"

namespace weir::tokenizer {

// Thread-safe. It never holds a text: a text is known by a 128-bit hash under a key that is drawn
// from the system's random numbers for each memory and never leaves it. The hash is GHASH (NIST SP
// 800-38D): two texts of n bytes that were chosen without the key are taken for one another with a
// chance of at most n / 2^132, and nobody sees a hash who could learn something of the key from it.
class CountMemory {
 public:
  // Shorter texts are counted faster than they are looked up.
  static constexpr std::size_t kTextBytesMin = 1024;
  // How many texts are remembered; of those that share a place the one longest unused goes. 0.6 MB.
  static constexpr std::size_t kTextsMax = std::size_t{1} << 14;

  CountMemory();

  using Tag = std::array<std::uint64_t, 2>;

  // What `text` is known by, in the vocabulary of that number. Nothing when the hash cannot be had
  // (no memory, a text of 2 GiB).
  std::optional<Tag> tag_of(std::uint64_t vocabulary, std::string_view text) const;

  std::optional<std::uint64_t> find(const Tag& tag);
  void store(const Tag& tag, std::uint64_t tokens);

 private:
  struct Entry {
    Tag tag{};
    std::uint64_t tokens = 0;
    std::uint64_t used_at = 0;  // 0: free
  };
  static constexpr std::size_t kWays = 4;  // places that a text may take
  Entry* places_of(const Tag& tag) REQUIRES(mutex_);

  std::array<std::uint8_t, 16> key_{};
  bool has_key_ = false;
  base::Mutex mutex_;
  std::vector<Entry> entries_ GUARDED_BY(mutex_);  // made when the first text comes
  std::uint64_t clock_ GUARDED_BY(mutex_) = 0;
};

}  // namespace weir::tokenizer
