#pragma once

// What the splitters have in common: how far a run of something goes in a text.

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

#include "char_classes.h"
#include "letter_run.h"

namespace weir::tokenizer {

// kFolded is any case as Unicode folds it: U+017F is an s.
enum class Case { kAny, kLower, kFolded };

class Scanner {
 public:
  Scanner(const CharClasses& classes, std::string_view text)
      : classes_(classes), begin_(text.data()), end_(text.data() + text.size()) {}

 protected:
  static bool is_letter(CharClass kind) {
    return kind >= CharClass::kLetter && kind <= CharClass::kSmall;
  }
  static bool is_number(CharClass kind) { return kind == CharClass::kNumber; }
  static bool is_white(CharClass kind) {
    return kind == CharClass::kSpace || kind == CharClass::kNewline;
  }
  // No letter, number or white space. Marks are among it.
  static bool is_other(CharClass kind) {
    return kind <= CharClass::kSymbol || kind == CharClass::kMark;
  }

  // The character at `p`; at the end of the text white space of no length, which joins nothing.
  Char at(const char* p) const { return p < end_ ? classes_.at(p) : Char{CharClass::kSpace, 0}; }

  template <class Wanted>
  const char* run_end(const char* p, Wanted wanted) const {
    while (p < end_) {
      const Char next = classes_.at(p);
      if (!wanted(next.kind)) {
        break;
      }
      p += next.bytes;
    }
    return p;
  }

  const char* letters_end(const char* p) const {
    while (true) {
      p = skip_ascii_letters(p, end_);
      if (p == end_ || static_cast<std::uint8_t>(*p) < 0x80) {
        return p;
      }
      const char* after = p;
      while (after < end_ && static_cast<std::uint8_t>(*after) >= 0x80) {
        const Char next = classes_.at(after);
        if (!is_letter(next.kind)) {
          break;
        }
        after += next.bytes;
      }
      if (after == p) {
        return p;
      }
      p = after;
    }
  }

  // At most `count` number characters.
  const char* numbers_end(const char* p, int count) const {
    for (; count > 0 && p < end_; --count) {
      const Char next = classes_.at(p);
      if (!is_number(next.kind)) {
        break;
      }
      p += next.bytes;
    }
    return p;
  }

  const char* newlines_end(const char* p) const {
    while (p < end_ && (*p == '\r' || *p == '\n')) {
      ++p;
    }
    return p;
  }

  // Behind an apostrophe: s, t, m, d, re, ve, ll; nullptr when it is none of them.
  const char* contraction_end(const char* p, Case letters) const {
    const auto letter = [&](const char* at) {
      const int c = at < end_ ? *at : 0;
      return letters == Case::kLower ? c : c | 0x20;
    };
    if (letters == Case::kFolded && end_ - p >= 2 && p[0] == '\xC5' && p[1] == '\xBF') {
      return p + 2;
    }
    const int a = letter(p);
    if (a == 's' || a == 't' || a == 'm' || a == 'd') {
      return p + 1;
    }
    if (a != 'r' && a != 'v' && a != 'l') {
      return nullptr;
    }
    return letter(p + 1) == (a == 'l' ? 'l' : 'e') ? p + 2 : nullptr;
  }

  // White space up to and including the last newline of the run; without one, `spaces_end`.
  // `is_end(p)` is true where the text counts as ended.
  template <class IsEnd>
  const char* lines_or_spaces_end(const char* start, IsEnd is_end) const {
    const char* after_newline = nullptr;
    const char* p = start;
    while (p < end_) {
      const Char next = classes_.at(p);
      if (!is_white(next.kind)) {
        break;
      }
      p += next.bytes;
      after_newline = next.kind == CharClass::kNewline ? p : after_newline;
    }
    return after_newline != nullptr ? after_newline : spaces_end(start, is_end);
  }

  // All but the last character of the run, which belongs to what follows; all of it at the end of
  // the text or if there is only one.
  template <class IsEnd>
  const char* spaces_end(const char* start, IsEnd is_end) const {
    const char* last = start;
    const char* p = start;
    while (p < end_) {
      const Char next = classes_.at(p);
      if (!is_white(next.kind)) {
        break;
      }
      last = p;
      p += next.bytes;
    }
    return p == end_ || last == start || is_end(p) ? p : last;
  }

  // The end of a group of three numbers, counted from the end of their run; what is left over is
  // the first group. `p` is at a number.
  const char* group_end(const char* p) const {
    if (follows_number(p)) {
      return numbers_end(p, 3);
    }
    int numbers = 0;
    for (const char* at = p; at < end_ && is_number(classes_.at(at).kind); ++numbers) {
      at += classes_.at(at).bytes;
    }
    return numbers_end(p, numbers % 3 == 0 ? 3 : numbers % 3);
  }

  bool follows_number(const char* p) const {
    if (p == begin_) {
      return false;
    }
    --p;
    while (p > begin_ && (static_cast<std::uint8_t>(*p) & 0xC0) == 0x80) {
      --p;
    }
    return is_number(classes_.at(p).kind);
  }

  const CharClasses& classes_;
  const char* begin_;
  const char* end_;
};

// A scanner that ends a piece where `Kind::cuts(p)` is true, which looks at the characters around
// p.
template <class Kind>
const char* end_by_cuts(const Kind& scanner, const char* p, const char* end,
                        const CharClasses& classes) {
  do {
    p += classes.at(p).bytes;
  } while (p < end && !scanner.cuts(p));
  return p;
}

// Runs a scanner, a class with `const char* piece_end(const char*)`, as a Splitter.
template <class Kind>
std::size_t split_with(const CharClasses& classes, std::string_view text, std::size_t from,
                       std::span<std::uint32_t> ends) {
  const Kind scanner(classes, text);
  std::size_t count = 0;
  for (; count < ends.size() && from < text.size(); ++count) {
    from = static_cast<std::size_t>(scanner.piece_end(text.data() + from) - text.data());
    ends[count] = static_cast<std::uint32_t>(from);
  }
  return count;
}

}  // namespace weir::tokenizer
