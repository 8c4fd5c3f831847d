// The families of Qwen and Llama 3: contractions; a word with at most one character before it;
// numbers; other characters with one space before and newlines after; white space.

#include "splitter.h"

#include <algorithm>
#include <array>

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
  static constexpr bool kSpacesHalve = false;  // long white space in pieces of 512, 256 and so on
  static constexpr bool kLinesApart = false;   // lines and runs of newlines are cut out first
};
struct Qwen35Rules : Qwen2Rules {
  static constexpr bool kMarksAreLetters = true;
};
struct Llama3Rules : Qwen2Rules {
  static constexpr int kDigits = 3;
};
// Long white space in pieces of 512, 256 and so on.
struct Jais2Rules : Llama3Rules {
  static constexpr bool kSpacesHalve = true;
};
// Lines are pieces before all else, and so are the newlines between them.
struct LagunaRules : Qwen2Rules {
  static constexpr bool kLinesApart = true;
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
    if (Rules::kLinesApart) {
      while (p < end_ && *p == '\r') {
        ++p;
      }
      return p;
    }
    return Rules::kNewlinesJoin ? newlines_end(p) : p;
  }

  const char* space_end(const char* p) const {
    if (Rules::kLinesApart) {
      return line_space_end(p);
    }
    if (Rules::kSpacesHalve) {
      return halved_space_end(p);
    }
    return lines_or_spaces_end(p, [this](const char* next) {
      return Rules::kNumbersApart && is_number(classes_.at(next).kind);
    });
  }

  // White space of one line, which ends as if the text did.
  const char* line_space_end(const char* p) const {
    if (*p == '\n') {
      while (p < end_ && *p == '\n') {
        ++p;
      }
      return p;
    }
    const char* start = p;
    const char* last = p;
    const char* after_return = nullptr;
    while (p < end_ && *p != '\n' && classes_.at(p).kind >= CharClass::kSpace) {
      last = p;
      p += classes_.at(p).bytes;
      after_return = *last == '\r' ? p : after_return;
    }
    if (after_return != nullptr) {
      return after_return;
    }
    return p == end_ || *p == '\n' || last == start ? p : last;
  }

  const char* halved_space_end(const char* p) const {
    constexpr std::array<int, 10> kSizes = {512, 256, 128, 64, 32, 16, 8, 4, 2, 1};
    std::array<const char*, 514> ends = {p};  // after so many of them
    int count = 0;
    const char* at = p;
    while (at < end_ && is_white(classes_.at(at).kind) && count < 513) {
      at += classes_.at(at).bytes;
      ends[static_cast<std::size_t>(++count)] = at;
    }
    const char* all = lines_or_spaces_end(p, [](const char*) { return false; });
    const auto has_newline = [&] {
      return std::any_of(p, all, [](char c) { return c == '\r' || c == '\n'; });
    };
    if (has_newline()) {
      return all;
    }
    for (const int size : kSizes) {
      if (count > size || (count == size && at == end_)) {
        return ends[static_cast<std::size_t>(size)];
      }
    }
    return ends[1];
  }
};

// EXAONE MoE: words that a single space joins.
class ExaoneMoeScanner : private Scanner {
 public:
  using Scanner::Scanner;

  const char* piece_end(const char* p) const {
    const Char first = classes_.at(p);
    const char* second = p + first.bytes;
    if (is_letter(first.kind)) {
      return words_end(p);
    }
    if (is_number(first.kind)) {
      return second;
    }
    if (*p == '\'') {
      if (const char* end = contraction_end(second, Case::kAny)) {
        return end;
      }
    }
    const CharClass next = at(second).kind;
    if (first.kind != CharClass::kNewline && is_letter(next)) {
      return words_end(second);
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
  const char* words_end(const char* p) const {
    while (true) {
      p = run_end(letters_end(p), [](CharClass kind) { return kind == CharClass::kMark; });
      if (is_letter(at(p).kind)) {
        continue;
      }
      if (p < end_ && *p == ' ' && is_letter(at(p + 1).kind)) {
        ++p;
        continue;
      }
      return p;
    }
  }

  const char* punctuation_end(const char* p) const {
    p = run_end(p, is_other);
    return p < end_ && (*p == '\r' || *p == '\n') ? p + 1 : p;
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

std::size_t split_jais2(const CharClasses& classes, std::string_view text, std::size_t from,
                        std::span<std::uint32_t> ends) {
  return split_with<WordScanner<Jais2Rules>>(classes, text, from, ends);
}

std::size_t split_laguna(const CharClasses& classes, std::string_view text, std::size_t from,
                         std::span<std::uint32_t> ends) {
  return split_with<WordScanner<LagunaRules>>(classes, text, from, ends);
}

std::size_t split_exaone_moe(const CharClasses& classes, std::string_view text, std::size_t from,
                             std::span<std::uint32_t> ends) {
  return split_with<ExaoneMoeScanner>(classes, text, from, ends);
}

}  // namespace weir::tokenizer
