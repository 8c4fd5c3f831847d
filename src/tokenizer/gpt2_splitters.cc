// GPT-2 and its relatives: a space belongs to the word, number or punctuation after it; newlines
// have no rule of their own.

#include "scanner.h"
#include "splitter.h"

namespace weir::tokenizer {
namespace {

constexpr int kAll = INT32_MAX;

// kDigitsApart: numbers are cut out first, each character alone, so that what stands before one
// ends there (StarCoder, Command-R, SmolLM).
template <bool kDigitsApart>
class Gpt2Scanner : private Scanner {
 public:
  using Scanner::Scanner;

  const char* piece_end(const char* p) const {
    if (*p == '\'') {
      if (const char* end = contraction_end(p + 1, Case::kLower)) {
        return end;
      }
    }
    const char* start = *p == ' ' ? p + 1 : p;
    const CharClass kind = at(start).kind;
    if (is_letter(kind)) {
      return letters_end(start);
    }
    if (is_number(kind) && !(kDigitsApart && start != p)) {
      return numbers_end(start, kDigitsApart ? 1 : kAll);
    }
    if (is_other(kind)) {
      return run_end(start, is_other);
    }
    return spaces_end(
        p, [this](const char* next) { return kDigitsApart && is_number(classes_.at(next).kind); });
  }
};

// Falcon, and llama.cpp's "default": punctuation is cut out first, digits by three last.
// kIsDefault: a backtick is no punctuation, and a space never joins a number.
template <bool kIsDefault>
class FalconScanner : private Scanner {
 public:
  using Scanner::Scanner;

  const char* piece_end(const char* p) const {
    if (is_cut(p)) {
      while (p < end_ && is_cut(p)) {
        p += classes_.at(p).bytes;
      }
      return p;
    }
    const char* start = *p == ' ' ? p + 1 : p;
    const CharClass kind = at(start).kind;
    if (is_letter(kind)) {
      return letters_end(start);
    }
    if (is_number(kind)) {
      return kIsDefault && start != p ? start : digits_end(p, start);
    }
    if (is_other(kind) && !is_cut(start)) {
      while (start < end_ && is_other(classes_.at(start).kind) && !is_cut(start)) {
        start += classes_.at(start).bytes;
      }
      return start;
    }
    return spaces_end(p, [this](const char* next) { return is_cut(next); });
  }

 private:
  // Punctuation, and the symbols of ASCII.
  bool is_cut(const char* p) const {
    const CharClass kind = classes_.at(p).kind;
    return kind == CharClass::kPunctuation ||
           (kind == CharClass::kSymbol && static_cast<std::uint8_t>(*p) < 0x80 &&
            !(kIsDefault && *p == '`'));
  }

  static bool is_digit(char c) { return c >= '0' && c <= '9'; }
  bool are_three_digits(const char* p) const {
    return end_ - p >= 3 && is_digit(p[0]) && is_digit(p[1]) && is_digit(p[2]);
  }

  // Three digits of ASCII, or what comes before the next three of them in the run of numbers that
  // starts at `start`.
  const char* digits_end(const char* p, const char* start) const {
    if (p == start && are_three_digits(p)) {
      return p + 3;
    }
    while (start < end_ && is_number(classes_.at(start).kind) && !are_three_digits(start)) {
      start += classes_.at(start).bytes;
    }
    return start;
  }
};

}  // namespace

std::size_t split_gpt2(const CharClasses& classes, std::string_view text, std::size_t from,
                       std::span<std::uint32_t> ends) {
  return split_with<Gpt2Scanner<false>>(classes, text, from, ends);
}

std::size_t split_starcoder(const CharClasses& classes, std::string_view text, std::size_t from,
                            std::span<std::uint32_t> ends) {
  return split_with<Gpt2Scanner<true>>(classes, text, from, ends);
}

std::size_t split_falcon(const CharClasses& classes, std::string_view text, std::size_t from,
                         std::span<std::uint32_t> ends) {
  return split_with<FalconScanner<false>>(classes, text, from, ends);
}

std::size_t split_default(const CharClasses& classes, std::string_view text, std::size_t from,
                          std::span<std::uint32_t> ends) {
  return split_with<FalconScanner<true>>(classes, text, from, ends);
}

}  // namespace weir::tokenizer
