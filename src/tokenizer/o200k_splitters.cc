// GPT-4o and Mistral's Tekken, as llama.cpp reads them: capitals are A to Z only, small letters a
// to z, every other letter is both, and marks are no letters.

#include "scanner.h"
#include "splitter.h"

namespace weir::tokenizer {
namespace {

template <bool kContractions, int kDigits>
class O200kScanner : private Scanner {
 public:
  using Scanner::Scanner;

  const char* piece_end(const char* p) const {
    const Char first = classes_.at(p);
    const char* second = p + first.bytes;
    if (is_letter(first.kind)) {
      return word_end(p);
    }
    if (is_number(first.kind)) {
      return numbers_end(p, kDigits);
    }
    const CharClass next = at(second).kind;
    if (first.kind != CharClass::kNewline && is_letter(next)) {
      return word_end(second);
    }
    if (is_other(first.kind)) {
      return punctuation_end(p);
    }
    if (*p == ' ' && is_other(next)) {
      return punctuation_end(second);
    }
    return lines_or_spaces_end(p, [](const char*) { return false; });
  }

 private:
  static bool is_capital(char c) { return c >= 'A' && c <= 'Z'; }
  static bool is_small(char c) { return c >= 'a' && c <= 'z'; }

  // Capitals, then small letters; without small ones after them the capitals end with the last
  // letter that is both, if there is one.
  const char* word_end(const char* p) const {
    const char* after_both = nullptr;
    while (p < end_ && is_letter(classes_.at(p).kind) && !is_small(*p)) {
      const bool is_both = !is_capital(*p);
      p += classes_.at(p).bytes;
      after_both = is_both ? p : after_both;
    }
    if (p < end_ && is_small(*p)) {
      while (p < end_ && is_letter(classes_.at(p).kind) && !is_capital(*p)) {
        p += classes_.at(p).bytes;
      }
    } else if (after_both != nullptr) {
      p = after_both;
    }
    if (kContractions && p < end_ && *p == '\'') {
      if (const char* end = contraction_end(p + 1, Case::kAny)) {
        return end;
      }
    }
    return p;
  }

  const char* punctuation_end(const char* p) const {
    p = run_end(p, is_other);
    while (p < end_ && (*p == '\r' || *p == '\n' || *p == '/')) {
      ++p;
    }
    return p;
  }
};

}  // namespace

std::size_t split_gpt4o(const CharClasses& classes, std::string_view text, std::size_t from,
                        std::span<std::uint32_t> ends) {
  return split_with<O200kScanner<true, 3>>(classes, text, from, ends);
}

std::size_t split_tekken(const CharClasses& classes, std::string_view text, std::size_t from,
                         std::span<std::uint32_t> ends) {
  return split_with<O200kScanner<false, 1>>(classes, text, from, ends);
}

}  // namespace weir::tokenizer
