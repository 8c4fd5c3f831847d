// DeepSeek cuts a text in several passes, each through the pieces of the one before. A pass can be
// told from the characters next to a place, so here all of them are one walk.

#include "scanner.h"
#include "splitter.h"

namespace weir::tokenizer {
namespace {

// The code point of a character of three bytes, else 0.
std::uint32_t three_byte_code_point(const char* p) {
  const auto byte = [p](int i) {
    return static_cast<std::uint32_t>(static_cast<std::uint8_t>(p[i]));
  };
  return (byte(0) & 0xF0) == 0xE0
             ? (byte(0) & 0x0F) << 12 | (byte(1) & 0x3F) << 6 | (byte(2) & 0x3F)
             : 0;
}

// V3, R1: first numbers by three, then runs of Han and kana; both end what stands before them.
class DeepseekV3Scanner : private Scanner {
 public:
  using Scanner::Scanner;

  const char* piece_end(const char* p) const {
    const Char first = classes_.at(p);
    if (is_number(first.kind)) {
      return numbers_end(p, 3);
    }
    if (is_east_asian(p)) {
      while (p < end_ && is_east_asian(p)) {
        p += 3;
      }
      return p;
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
      return newlines_end(signs_end(p));
    }
    if (*p == ' ' && is_sign(next)) {
      return newlines_end(signs_end(second));
    }
    return is_white(first.kind)
               ? lines_or_spaces_end(p, [this](const char* at) { return ends_at(at); })
               : rest_end(second);
  }

 private:
  static bool is_east_asian(const char* p) {
    const std::uint32_t c = three_byte_code_point(p);
    return (c >= 0x4E00 && c <= 0x9FA5) || (c >= 0x3040 && c <= 0x30FF);
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
    return p == end_ || is_east_asian(p) || is_number(classes_.at(p).kind);
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
  // them goes with a word that follows.
  const char* rest_end(const char* p) const {
    while (!ends_at(p) && classes_.at(p).kind == CharClass::kOther) {
      const char* after = p + classes_.at(p).bytes;
      if (!ends_at(after) && is_word(classes_.at(after).kind)) {
        break;
      }
      p = after;
    }
    return p;
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
    const std::uint32_t c = three_byte_code_point(p);
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
  return split_with<DeepseekV3Scanner>(classes, text, from, ends);
}

std::size_t split_deepseek_coder(const CharClasses& classes, std::string_view text,
                                 std::size_t from, std::span<std::uint32_t> ends) {
  return split_with<DeepseekCoderScanner>(classes, text, from, ends);
}

}  // namespace weir::tokenizer
