// Words of letters (and marks) with a contraction after them, where some scripts stand apart: Kimi
// K2, Youtu, Tiny Aya. llama.cpp knows no capitals here: every letter goes with every other.

#include "code_points.h"
#include "scanner.h"
#include "splitter.h"

namespace weir::tokenizer {
namespace {

enum class Digits { kSingle, kThree, kGroups };

struct TinyAyaRules {
  static constexpr bool kMarks = true;  // are of words
  static constexpr bool kSlash = true;  // goes with newlines after other characters
  static constexpr Digits kDigits = Digits::kGroups;
  // Runs of characters of Han are pieces; nothing else changes where they stand.
  static constexpr bool kHanApart = false;
  // Characters of different zones are never in one piece, and a piece ends as if the text did.
  static int zone(const char*) { return 0; }
};

struct KimiRules : TinyAyaRules {
  static constexpr bool kMarks = false;
  static constexpr bool kSlash = false;
  static constexpr Digits kDigits = Digits::kThree;
  static constexpr bool kHanApart = true;
};

struct YoutuRules : TinyAyaRules {
  static constexpr Digits kDigits = Digits::kSingle;

  static int zone(const char* p) {
    static constexpr CodePoints kHangul[] = {{0xAC00, 0xD7A3}, {0x3131, 0x318E}};
    static constexpr CodePoints kSigns[] = {{0x2014, 0x2014}, {0x2018, 0x2019}, {0x201C, 0x201D},
                                            {0x2026, 0x2026}, {0x3001, 0x303F}, {0xFE30, 0xFE4F},
                                            {0xFF01, 0xFF01}, {0xFF0C, 0xFF0C}, {0xFF1A, 0xFF1B}};
    static constexpr CodePoints kBopomofo[] = {{0x3105, 0x312F}};
    static constexpr CodePoints kHanAndKana[] = {{0x4E00, 0x9FA5}, {0x3040, 0x30FF}};
    if (static_cast<std::uint8_t>(*p) < 0xE2) {
      return 0;
    }
    const std::uint32_t c = code_point_at(p);
    return is_in(c, kHangul)       ? 1
           : is_in(c, kSigns)      ? 2
           : is_in(c, kBopomofo)   ? 3
           : is_in(c, kHanAndKana) ? 4
                                   : 0;
  }
};

template <class Rules>
class ZoneScanner : private Scanner {
 public:
  using Scanner::Scanner;

  const char* piece_end(const char* p) const {
    const int zone = Rules::zone(p);
    if (is_apart(p)) {
      while (p < end_ && is_apart(p)) {
        p += classes_.at(p).bytes;
      }
      return p;
    }
    const Char first = classes_.at(p);
    const char* second = p + first.bytes;
    const bool is_last = ends_at(second, zone);
    if (starts_word(p)) {
      return word_end(p, zone);
    }
    if (is_number(first.kind)) {
      return digits_end(p);
    }
    if (first.kind != CharClass::kNewline && !is_last && starts_word(second)) {
      return word_end(second, zone);
    }
    if (is_other(first.kind)) {
      return punctuation_end(p, zone);
    }
    if (*p == ' ' && !is_last && is_other(classes_.at(second).kind)) {
      return punctuation_end(second, zone);
    }
    return lines_or_spaces_end(p, [&](const char* at) { return ends_at(at, zone); });
  }

 private:
  static bool is_apart(const char* p) { return Rules::kHanApart && is_han(code_point_at(p)); }
  bool ends_at(const char* p, int zone) const { return p == end_ || Rules::zone(p) != zone; }

  bool starts_word(const char* p) const {
    const CharClass kind = classes_.at(p).kind;
    return (is_letter(kind) && !is_apart(p)) || (Rules::kMarks && kind == CharClass::kMark);
  }

  const char* word_end(const char* p, int zone) const {
    while (!ends_at(p, zone) && starts_word(p)) {
      p += classes_.at(p).bytes;
    }
    if (!ends_at(p, zone) && *p == '\'') {
      if (const char* end = contraction_end(p + 1, Case::kAny)) {
        return end;
      }
    }
    return p;
  }

  const char* digits_end(const char* p) const {
    if (Rules::kDigits == Digits::kGroups) {
      return group_end(p);
    }
    return numbers_end(p, Rules::kDigits == Digits::kThree ? 3 : 1);
  }

  const char* punctuation_end(const char* p, int zone) const {
    while (!ends_at(p, zone) && is_other(classes_.at(p).kind)) {
      p += classes_.at(p).bytes;
    }
    while (!ends_at(p, zone) && (*p == '\r' || *p == '\n' || (Rules::kSlash && *p == '/'))) {
      ++p;
    }
    return p;
  }
};

}  // namespace

std::size_t split_tiny_aya(const CharClasses& classes, std::string_view text, std::size_t from,
                           std::span<std::uint32_t> ends) {
  return split_with<ZoneScanner<TinyAyaRules>>(classes, text, from, ends);
}

std::size_t split_kimi_k2(const CharClasses& classes, std::string_view text, std::size_t from,
                          std::span<std::uint32_t> ends) {
  return split_with<ZoneScanner<KimiRules>>(classes, text, from, ends);
}

std::size_t split_youtu(const CharClasses& classes, std::string_view text, std::size_t from,
                        std::span<std::uint32_t> ends) {
  return split_with<ZoneScanner<YoutuRules>>(classes, text, from, ends);
}

}  // namespace weir::tokenizer
