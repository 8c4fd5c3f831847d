#include "texts.h"

#include <array>
#include <cmath>
#include <string_view>

#include "weir/base/text.h"

namespace weir::bench {
namespace {

constexpr std::size_t kWords = 20000;

// Of the same words for every text, so that different texts are in one language.
template <class Choose>
std::string sentences(Random& random, std::size_t bytes, Choose choose) {
  Random of_words;
  const std::vector<std::string> words = make_words(of_words, kWords);
  std::string text;
  while (text.size() < bytes) {
    text += words[choose(words.size())];
    const std::uint64_t next = random.below(40);
    text += next == 0 ? ".\n" : next < 3 ? ", " : next == 3 ? ". " : " ";
  }
  return text;
}

}  // namespace

std::uint64_t Random::zipf(std::uint64_t limit) {
  const double part = static_cast<double>(below(1 << 30)) / (1 << 30);
  return static_cast<std::uint64_t>(std::pow(static_cast<double>(limit), part)) - 1;
}

std::vector<std::string> make_words(Random& random, std::size_t count) {
  constexpr std::array<std::string_view, 40> kSyllables = {
      "the", "and", "ing",  "ion", "ent", "er",  "re",   "con", "st",  "for",
      "pro", "ter", "ly",   "al",  "in",  "is",  "it",   "of",  "to",  "a",
      "be",  "com", "ment", "ed",  "es",  "ver", "tion", "ble", "per", "un",
      "dis", "man", "way",  "day", "use", "can", "not",  "all", "out", "ness"};
  std::vector<std::string> words;
  for (std::size_t i = 0; i < count; ++i) {
    std::string word;
    for (std::uint64_t n = 1 + random.below(3); n > 0; --n) {
      word += kSyllables[random.below(kSyllables.size())];
    }
    words.push_back(std::move(word));
  }
  return words;
}

std::string english(Random& random, std::size_t bytes) {
  return sentences(random, bytes, [&](std::size_t words) { return random.skewed(words); });
}

std::string prose(Random& random, std::size_t bytes) {
  return sentences(random, bytes, [&](std::size_t words) { return random.zipf(words); });
}

std::string chinese(Random& random, std::size_t bytes) {
  std::string text;
  while (text.size() < bytes) {
    base::append_utf8(text, 0x4E00 + static_cast<std::uint32_t>(random.skewed(0x5000)));
    const std::uint64_t next = random.below(24);
    text += next == 0 ? "，" : next == 1 ? "。" : "";
  }
  return text;
}

}  // namespace weir::bench
