// The families of Qwen and Llama 3: contractions; a word with at most one character before it;
// numbers; other characters with one space before and newlines after; white space.

#include "splitter.h"

#include "scanner.h"

namespace weir::tokenizer {
namespace {

struct Qwen2Rules {
  static constexpr bool kMarksAreLetters = false;  // else they are like other characters
  static constexpr bool kContractions = true;
  static constexpr bool kNewlinesJoin = true;   // newlines after other characters
  static constexpr bool kNumbersApart = false;  // they are cut out before all else
  static constexpr int kDigits = 1;             // of one piece
  static constexpr Case kContractionCase = Case::kAny;
};
struct Qwen35Rules : Qwen2Rules {
  static constexpr bool kMarksAreLetters = true;
};
struct Llama3Rules : Qwen2Rules {
  static constexpr int kDigits = 3;
};
struct Cl100kRules : Llama3Rules {
  static constexpr Case kContractionCase = Case::kFolded;
};
struct MiniCpm5Rules : Llama3Rules {
  static constexpr bool kNumbersApart = true;
};
struct SeedCoderRules : Qwen2Rules {
  static constexpr bool kNewlinesJoin = false;
};
struct UfakzekaRules : Qwen2Rules {
  static constexpr bool kContractions = false;
};

template <class Rules>
class WordScanner : private Scanner {
 public:
  using Scanner::Scanner;

  // The end of the piece that starts at `p`; p < end.
  const char* piece_end(const char* p) const {
    const Char first = classes_.at(p);
    const char* second = p + first.bytes;
    if (in_word(first.kind)) {
      return word_end(second);
    }
    if (first.kind == CharClass::kNumber) {
      return Rules::kDigits == 1 ? second : numbers_end(second, Rules::kDigits - 1);
    }
    if (first.kind == CharClass::kNewline) {
      return space_end(p);
    }
    if (Rules::kContractions && *p == '\'') {
      if (const char* end = contraction_end(second, Rules::kContractionCase)) {
        return end;
      }
    }
    return end_after_other(p, first, second);
  }

 private:
  static bool in_word(CharClass kind) {
    return kind == CharClass::kLetter || (Rules::kMarksAreLetters && kind == CharClass::kMark);
  }
  static bool in_punctuation(CharClass kind) {
    return kind <= CharClass::kSymbol || (!Rules::kMarksAreLetters && kind == CharClass::kMark);
  }

  // `first` may stand before a word, is white space or punctuation; decided by what follows.
  const char* end_after_other(const char* p, const Char& first, const char* second) const {
    if (second < end_) {
      const Char next = classes_.at(second);
      if (in_word(next.kind)) {
        return word_end(second + next.bytes);
      }
      if (*p == ' ' && in_punctuation(next.kind)) {
        return punctuation_end(second + next.bytes);
      }
    }
    return first.kind == CharClass::kSpace ? space_end(p) : punctuation_end(second);
  }

  const char* word_end(const char* p) const {
    while (true) {
      p = skip_ascii_letters(p, end_);
      if (p == end_ || static_cast<std::uint8_t>(*p) < 0x80) {
        return p;
      }
      const char* after = skip_wide_letters(p);
      if (after == p) {
        return p;
      }
      p = after;
    }
  }

  // Letters (and marks) above ASCII.
  const char* skip_wide_letters(const char* p) const {
    while (p < end_ && static_cast<std::uint8_t>(*p) >= 0x80) {
      const auto lead = static_cast<std::uint8_t>(*p);
      if (lead >= 0xE5 && lead <= 0xE8) {  // U+5000 to U+8FFF: all of them Han
        p += 3;
        continue;
      }
      const Char next = classes_.at(p);
      if (!in_word(next.kind)) {
        break;
      }
      p += next.bytes;
    }
    return p;
  }

  const char* punctuation_end(const char* p) const {
    p = run_end(p, in_punctuation);
    return Rules::kNewlinesJoin ? newlines_end(p) : p;
  }

  const char* space_end(const char* p) const {
    return lines_or_spaces_end(p, [this](const char* next) {
      return Rules::kNumbersApart && is_number(classes_.at(next).kind);
    });
  }
};

}  // namespace

std::size_t split_qwen2(const CharClasses& classes, std::string_view text, std::size_t from,
                        std::span<std::uint32_t> ends) {
  return split_with<WordScanner<Qwen2Rules>>(classes, text, from, ends);
}

std::size_t split_qwen35(const CharClasses& classes, std::string_view text, std::size_t from,
                         std::span<std::uint32_t> ends) {
  return split_with<WordScanner<Qwen35Rules>>(classes, text, from, ends);
}

std::size_t split_llama3(const CharClasses& classes, std::string_view text, std::size_t from,
                         std::span<std::uint32_t> ends) {
  return split_with<WordScanner<Llama3Rules>>(classes, text, from, ends);
}

std::size_t split_cl100k(const CharClasses& classes, std::string_view text, std::size_t from,
                         std::span<std::uint32_t> ends) {
  return split_with<WordScanner<Cl100kRules>>(classes, text, from, ends);
}

std::size_t split_minicpm5(const CharClasses& classes, std::string_view text, std::size_t from,
                           std::span<std::uint32_t> ends) {
  return split_with<WordScanner<MiniCpm5Rules>>(classes, text, from, ends);
}

std::size_t split_seed_coder(const CharClasses& classes, std::string_view text, std::size_t from,
                             std::span<std::uint32_t> ends) {
  return split_with<WordScanner<SeedCoderRules>>(classes, text, from, ends);
}

std::size_t split_ufakzeka(const CharClasses& classes, std::string_view text, std::size_t from,
                           std::span<std::uint32_t> ends) {
  return split_with<WordScanner<UfakzekaRules>>(classes, text, from, ends);
}

}  // namespace weir::tokenizer
