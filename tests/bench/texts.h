#pragma once

// Texts for measurements, made from a seed. They never repeat a sentence: a tokenizer with a piece
// cache looks ten times faster on one repeated sentence than it is.

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace weir::bench {

class Random {
 public:
  explicit Random(std::uint64_t seed = 42) : state_(seed) {}
  std::uint64_t below(std::uint64_t limit) {
    state_ = state_ * 6364136223846793005ULL + 1442695040888963407ULL;
    return (state_ >> 33) % limit;
  }
  // Small numbers more often than large ones.
  std::uint64_t skewed(std::uint64_t limit) {
    const std::uint64_t top = 1 + below(limit);
    return below(1 + below(top));
  }

  // From 0 on, n with a probability of 1 / (n + 1).
  std::uint64_t zipf(std::uint64_t limit);

 private:
  std::uint64_t state_;
};

// Words from English syllables: many are one token, many are not.
std::vector<std::string> make_words(Random& random, std::size_t count);

// Sentences of such words, of `bytes` bytes and a few more. Rare words come nearly as often as
// common ones, which is hard on caches.
std::string english(Random& random, std::size_t bytes);
// The same with words as frequent as in a language: the n-th comes 1/n times as often (Zipf). A
// tokenizer takes as long for it as for licence texts.
std::string prose(Random& random, std::size_t bytes);
// Frequent and rare Chinese characters, with commas and full stops.
std::string chinese(Random& random, std::size_t bytes);

}  // namespace weir::bench
