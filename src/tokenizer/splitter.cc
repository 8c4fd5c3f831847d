#include "splitter.h"

#include "letter_run.h"

namespace weir::tokenizer {
namespace {

// The Qwen family: contractions; a word with at most one character before it; one digit; other
// characters with one space before and newlines after; white space. kMarksAreLetters is the
// difference between qwen35 (true) and qwen2 (false, where marks are like other characters).
template <bool kMarksAreLetters>
class QwenScanner {
 public:
  QwenScanner(const CharClasses& classes, std::string_view text)
      : classes_(classes), end_(text.data() + text.size()) {}

  // The end of the piece that starts at `p`; p < end.
  const char* piece_end(const char* p) const {
    const Char first = classes_.at(p);
    const char* second = p + first.bytes;
    if (in_word(first.kind)) {
      return word_end(second);
    }
    if (first.kind == CharClass::kNumber) {
      return second;
    }
    if (first.kind == CharClass::kNewline) {
      return space_end(p);
    }
    if (*p == '\'') {
      if (const char* end = contraction_end(second)) {
        return end;
      }
    }
    return end_after_other(p, first, second);
  }

 private:
  static bool in_word(CharClass kind) {
    return kind == CharClass::kLetter || (kMarksAreLetters && kind == CharClass::kMark);
  }
  static bool in_punctuation(CharClass kind) {
    return kind == CharClass::kOther || (!kMarksAreLetters && kind == CharClass::kMark);
  }
  static bool is_white(CharClass kind) {
    return kind == CharClass::kSpace || kind == CharClass::kNewline;
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

  // Behind an apostrophe: s, t, m, d, re, ve, ll in either case; nullptr when it is none of them.
  const char* contraction_end(const char* p) const {
    const auto lower = [this](const char* at) { return at < end_ ? *at | 0x20 : 0; };
    const int a = lower(p);
    if (a == 's' || a == 't' || a == 'm' || a == 'd') {
      return p + 1;
    }
    if (a != 'r' && a != 'v' && a != 'l') {
      return nullptr;
    }
    return lower(p + 1) == (a == 'l' ? 'l' : 'e') ? p + 2 : nullptr;
  }

  const char* punctuation_end(const char* p) const {
    while (p < end_) {
      const Char next = classes_.at(p);
      if (!in_punctuation(next.kind)) {
        break;
      }
      p += next.bytes;
    }
    while (p < end_ && (*p == '\r' || *p == '\n')) {
      ++p;
    }
    return p;
  }

  // Up to and including the last newline of the run; without one all but the last character,
  // which belongs to what follows; all at the end of the text or if there is only one.
  const char* space_end(const char* start) const {
    const char* p = start;
    const char* last = start;
    const char* after_newline = nullptr;
    while (p < end_) {
      const Char next = classes_.at(p);
      if (!is_white(next.kind)) {
        break;
      }
      last = p;
      p += next.bytes;
      if (next.kind == CharClass::kNewline) {
        after_newline = p;
      }
    }
    if (after_newline != nullptr) {
      return after_newline;
    }
    return p == end_ || last == start ? p : last;
  }

  const CharClasses& classes_;
  const char* end_;
};

template <bool kMarksAreLetters>
std::size_t split_qwen(const CharClasses& classes, std::string_view text, std::size_t from,
                       std::span<std::uint32_t> ends) {
  const QwenScanner<kMarksAreLetters> scanner(classes, text);
  std::size_t count = 0;
  for (; count < ends.size() && from < text.size(); ++count) {
    from = static_cast<std::size_t>(scanner.piece_end(text.data() + from) - text.data());
    ends[count] = static_cast<std::uint32_t>(from);
  }
  return count;
}

}  // namespace

std::size_t split_qwen2(const CharClasses& classes, std::string_view text, std::size_t from,
                        std::span<std::uint32_t> ends) {
  return split_qwen<false>(classes, text, from, ends);
}

std::size_t split_qwen35(const CharClasses& classes, std::string_view text, std::size_t from,
                         std::span<std::uint32_t> ends) {
  return split_qwen<true>(classes, text, from, ends);
}

}  // namespace weir::tokenizer
