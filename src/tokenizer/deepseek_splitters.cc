// DeepSeek cuts a text in several passes, each through the pieces of the one before. A pass can be
// told from the characters next to a place, so here all of them are one walk.

#include "code_points.h"
#include "scanner.h"
#include "splitter.h"

namespace weir::tokenizer {
namespace {

// V3, R1: first numbers by three, then runs of Han and kana; both end what stands before them.
struct V3Rules {
  static constexpr bool kLines = true;    // newlines belong to what stands before them
  static constexpr int kDigits = 3;       // of one piece
  static constexpr bool kGroups = false;  // numbers in threes from the right; they end pieces only
  static bool is_apart(std::uint32_t c) {
    return (c >= 0x4E00 && c <= 0x9FA5) || (c >= 0x3040 && c <= 0x30FF);
  }
};
struct SparkRules : V3Rules {
  static constexpr bool kLines = false;
  static constexpr int kDigits = 1;
};
// Arcee's AFMoE.
struct AfmoeRules : V3Rules {
  static constexpr bool kGroups = true;
  static bool is_apart(std::uint32_t c) {
    static constexpr CodePoints kApart[] = {
        {0x0E40, 0x0EFF}, {0x1000, 0x109F}, {0x1100, 0x11FF}, {0x1780, 0x17FF},
        {0x2F00, 0x2FDF}, {0x3040, 0x30FF}, {0x3400, 0x4DBF}, {0x4E00, 0x9FFF},
        {0xA9E0, 0xA9FF}, {0xAA60, 0xAA7F}, {0x8C48, 0xFAFF}, {0xFF65, 0xFF9F},
    };
    return c >= kApart[0].first && is_in(c, kApart);
  }
};

template <class Rules>
class DeepseekV3Scanner : private Scanner {
 public:
  using Scanner::Scanner;

  const char* piece_end(const char* p) const {
    const Char first = classes_.at(p);
    if (is_apart(p)) {
      return apart_end(p);
    }
    if (is_number(first.kind)) {
      return Rules::kGroups ? group_rest_end(p) : numbers_end(p, Rules::kDigits);
    }
    const char* second = p + first.bytes;
    if (is_ascii_punctuation(*p) && second < end_ && is_ascii_letter(*second)) {
      return skip_ascii_letters(second, end_);
    }
    const CharClass next = ends_at(second) ? CharClass::kNewline : classes_.at(second).kind;
    if (first.kind != CharClass::kNewline && !is_sign(first.kind) &&
        (is_word(first.kind) || is_word(next))) {
      return word_end(second);
    }
    if (is_sign(first.kind)) {
      return lines_end(signs_end(p));
    }
    if (*p == ' ' && is_sign(next)) {
      return lines_end(signs_end(second));
    }
    return is_white(first.kind) ? white_end(p) : rest_end(p);
  }

 private:
  bool is_apart(const char* p) const {
    const bool is_own = Rules::is_apart(code_point_at(p));
    return is_own && (Rules::kGroups || !is_number(classes_.at(p).kind));
  }

  const char* apart_end(const char* p) const {
    while (p < end_ && is_apart(p)) {
      if (!is_number(classes_.at(p).kind)) {
        p += classes_.at(p).bytes;
        continue;
      }
      for (const char* group = group_end(p); p < group; p += classes_.at(p).bytes) {
        if (!is_apart(p)) {
          return p;
        }
      }
      return p;
    }
    return p;
  }

  // The rest of a group of numbers, all of them apart or none.
  const char* group_rest_end(const char* p) const {
    for (const char* group = group_end(p); p < group; p += classes_.at(p).bytes) {
      if (is_apart(p)) {
        break;
      }
    }
    return p;
  }

  const char* lines_end(const char* p) const { return Rules::kLines ? newlines_end(p) : p; }

  const char* white_end(const char* p) const {
    const auto is_end = [this](const char* at) { return ends_at(at); };
    if (Rules::kLines) {
      return lines_or_spaces_end(p, is_end);
    }
    return classes_.at(p).kind == CharClass::kNewline ? p + 1 : spaces_end(p, is_end);
  }

  static bool is_ascii_punctuation(char c) {
    return c > ' ' && c < 0x7F && !is_ascii_letter(c) && !(c >= '0' && c <= '9');
  }
  static bool is_word(CharClass kind) {
    return kind == CharClass::kLetter || kind == CharClass::kMark;
  }
  static bool is_sign(CharClass kind) {
    return kind == CharClass::kPunctuation || kind == CharClass::kSymbol;
  }
  bool ends_at(const char* p) const {
    return p == end_ || is_apart(p) || (!Rules::kGroups && is_number(classes_.at(p).kind));
  }

  const char* word_end(const char* p) const {
    while (!ends_at(p) && is_word(classes_.at(p).kind)) {
      p = skip_ascii_letters(p + classes_.at(p).bytes, end_);
    }
    return p;
  }

  const char* signs_end(const char* p) const {
    while (!ends_at(p) && is_sign(classes_.at(p).kind)) {
      p += classes_.at(p).bytes;
    }
    return p;
  }

  // Control characters and the like, which no rule takes: as many as there are, but the last of
  // them goes with a word that follows. Numbers in groups are among them.
  const char* rest_end(const char* p) const {
    p += classes_.at(p).bytes;
    while (!ends_at(p) && classes_.at(p).kind == CharClass::kOther) {
      const char* after = p + classes_.at(p).bytes;
      if (!ends_at(after) && is_word(classes_.at(after).kind)) {
        break;
      }
      p = after;
    }
    return Rules::kGroups && !ends_at(p) && is_number(classes_.at(p).kind) ? group_rest_end(p) : p;
  }
};

// DeepSeek Coder: newlines alone; words and punctuation, each with at most one white space before
// them; then whatever is in the middle of Unicode's first plane, and digits, apart.
class DeepseekCoderScanner : private Scanner {
 public:
  using Scanner::Scanner;

  const char* piece_end(const char* p) const {
    const Char first = classes_.at(p);
    if (first.kind == CharClass::kNewline || is_number(first.kind)) {
      return p + first.bytes;
    }
    const char* start = first.kind == CharClass::kSpace ? p + first.bytes : p;
    const CharClass kind = at(start).kind;
    if (is_letter(kind) || kind == CharClass::kPunctuation) {
      return same_side_end(p, run_end(start, [kind](CharClass next) { return next == kind; }));
    }
    return same_side_end(p, rest_end(p + first.bytes));
  }

 private:
  bool is_middle(const char* p) const {
    const std::uint32_t c = code_point_at(p);
    return c >= 0x800 && c <= 0xD7FF && (c <= 0x9FA5 || c >= 0xAC00) &&
           !is_white(classes_.at(p).kind);
  }

  // From `p` as far as all characters are in the middle, or none; at most to `end`.
  const char* same_side_end(const char* p, const char* end) const {
    const bool side = is_middle(p);
    while (p < end && is_middle(p) == side) {
      p += classes_.at(p).bytes;
    }
    return p;
  }

  // What is neither word nor punctuation, up to where one of them starts.
  const char* rest_end(const char* p) const {
    while (p < end_) {
      const Char next = classes_.at(p);
      const CharClass after = at(p + next.bytes).kind;
      const bool joins =
          next.kind == CharClass::kSpace && (is_letter(after) || after == CharClass::kPunctuation);
      if (joins || is_letter(next.kind) || is_number(next.kind) ||
          next.kind == CharClass::kPunctuation || next.kind == CharClass::kNewline) {
        break;
      }
      p += next.bytes;
    }
    return p;
  }
};

}  // namespace

std::size_t split_deepseek_v3(const CharClasses& classes, std::string_view text, std::size_t from,
                              std::span<std::uint32_t> ends) {
  return split_with<DeepseekV3Scanner<V3Rules>>(classes, text, from, ends);
}

std::size_t split_spark(const CharClasses& classes, std::string_view text, std::size_t from,
                        std::span<std::uint32_t> ends) {
  return split_with<DeepseekV3Scanner<SparkRules>>(classes, text, from, ends);
}

std::size_t split_afmoe(const CharClasses& classes, std::string_view text, std::size_t from,
                        std::span<std::uint32_t> ends) {
  return split_with<DeepseekV3Scanner<AfmoeRules>>(classes, text, from, ends);
}

std::size_t split_deepseek_coder(const CharClasses& classes, std::string_view text,
                                 std::size_t from, std::span<std::uint32_t> ends) {
  return split_with<DeepseekCoderScanner>(classes, text, from, ends);
}

}  // namespace weir::tokenizer
