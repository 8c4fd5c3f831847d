// GPT-4o and Mistral's Tekken as llama.cpp reads them, and o200k as OpenAI's own tiktoken does.

#include "scanner.h"
#include "splitter.h"

namespace weir::tokenizer {
namespace {

// What a character can be in a word: capitals stand before small ones, some may be either.
enum class Part { kNone, kCapital, kSmall, kEither };

// llama.cpp: capitals are A to Z only, small letters a to z, every other letter is either, and
// marks are not part of a word.
struct AsciiCase {
  static Part part_of(CharClass kind, char first_byte) {
    if (kind != CharClass::kLetter) {
      return Part::kNone;
    }
    return first_byte >= 'A' && first_byte <= 'Z'   ? Part::kCapital
           : first_byte >= 'a' && first_byte <= 'z' ? Part::kSmall
                                                    : Part::kEither;
  }
};

// Needs a table that was read with Letters::kByCase.
struct UnicodeCase {
  static Part part_of(CharClass kind, char) {
    switch (kind) {
      case CharClass::kCapital:
        return Part::kCapital;
      case CharClass::kSmall:
        return Part::kSmall;
      case CharClass::kLetter:
      case CharClass::kMark:
        return Part::kEither;
      default:
        return Part::kNone;
    }
  }
};

struct Gpt4oRules : AsciiCase {
  static constexpr bool kContractions = true;
  static constexpr Case kContractionCase = Case::kAny;
  static constexpr int kDigits = 3;  // of one piece
};
struct TekkenRules : AsciiCase {
  static constexpr bool kContractions = false;
  static constexpr Case kContractionCase = Case::kAny;
  static constexpr int kDigits = 1;
};
// As GPT-4o, but marks are part of a word.
struct GraniteEmbedRules : Gpt4oRules {
  static Part part_of(CharClass kind, char first_byte) {
    return kind == CharClass::kMark ? Part::kEither : AsciiCase::part_of(kind, first_byte);
  }
};
struct O200kRules : UnicodeCase {
  static constexpr bool kContractions = true;
  static constexpr Case kContractionCase = Case::kFolded;
  static constexpr int kDigits = 3;
};

template <class Rules>
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
      return numbers_end(p, Rules::kDigits);
    }
    if (first.kind == CharClass::kMark && part_of(p) != Part::kNone) {
      return end_after_mark(second);
    }
    if (first.kind != CharClass::kNewline && part_of(second) != Part::kNone) {
      return word_end(second);
    }
    if (is_other(first.kind)) {
      return punctuation_end(p);
    }
    if (*p == ' ' && is_other(at(second).kind)) {
      return punctuation_end(second);
    }
    return lines_or_spaces_end(p, [](const char*) { return false; });
  }

 private:
  Part part_of(const char* p) const {
    return p < end_ ? Rules::part_of(classes_.at(p).kind, *p) : Part::kNone;
  }

  struct Capitals {
    const char* end;         // of capitals and those that are either
    const char* after_both;  // behind the last that is either, or nullptr
    bool small_follows;
  };
  Capitals skip_capitals(const char* p) const {
    Capitals capitals{p, nullptr, false};
    while (true) {
      const Part part = part_of(capitals.end);
      if (part != Part::kCapital && part != Part::kEither) {
        capitals.small_follows = part == Part::kSmall;
        return capitals;
      }
      capitals.end += classes_.at(capitals.end).bytes;
      capitals.after_both = part == Part::kEither ? capitals.end : capitals.after_both;
    }
  }

  // Capitals, then small letters; without small ones after them the capitals end with the last
  // letter that is either, if there is one.
  const char* word_end(const char* p) const {
    const Capitals capitals = skip_capitals(p);
    if (capitals.small_follows) {
      return with_contraction(small_end(capitals.end));
    }
    return with_contraction(capitals.after_both != nullptr ? capitals.after_both : capitals.end);
  }

  // A mark goes before a word like any other character, but not before capitals alone: there, or
  // when nothing follows, it is a word itself.
  const char* end_after_mark(const char* second) const {
    const Capitals capitals = skip_capitals(second);
    if (!capitals.small_follows && capitals.after_both == nullptr) {
      return with_contraction(second);
    }
    return word_end(second);
  }

  const char* small_end(const char* p) const {
    while (true) {
      p = skip_ascii_small_letters(p, end_);
      const Part part = part_of(p);
      if (part != Part::kSmall && part != Part::kEither) {
        return p;
      }
      p += classes_.at(p).bytes;
    }
  }

  const char* with_contraction(const char* p) const {
    if (Rules::kContractions && p < end_ && *p == '\'') {
      if (const char* end = contraction_end(p + 1, Rules::kContractionCase)) {
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
  return split_with<O200kScanner<Gpt4oRules>>(classes, text, from, ends);
}

std::size_t split_tekken(const CharClasses& classes, std::string_view text, std::size_t from,
                         std::span<std::uint32_t> ends) {
  return split_with<O200kScanner<TekkenRules>>(classes, text, from, ends);
}

std::size_t split_o200k(const CharClasses& classes, std::string_view text, std::size_t from,
                        std::span<std::uint32_t> ends) {
  return split_with<O200kScanner<O200kRules>>(classes, text, from, ends);
}

std::size_t split_granite_embed(const CharClasses& classes, std::string_view text, std::size_t from,
                                std::span<std::uint32_t> ends) {
  return split_with<O200kScanner<GraniteEmbedRules>>(classes, text, from, ends);
}

}  // namespace weir::tokenizer
