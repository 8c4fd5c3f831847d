// Splitters that say between which characters a piece ends: DeepSeek LLM, BLOOM and its relatives,
// SuperBPE, Chameleon. Their expressions run one after the other, each through the pieces of the
// one before; what all of them do to a place can be told from the characters around it.

#include "code_points.h"
#include "scanner.h"
#include "splitter.h"

namespace weir::tokenizer {
namespace {

class CutScanner : protected Scanner {
 public:
  using Scanner::Scanner;

 protected:
  // The character before `p`, which is not the first.
  static const char* before(const char* p) {
    do {
      --p;
    } while ((static_cast<std::uint8_t>(*p) & 0xC0) == 0x80);
    return p;
  }
  bool is_white_at(const char* p) const { return is_white(classes_.at(p).kind); }
  bool is_number_at(const char* p) const { return is_number(classes_.at(p).kind); }
};

// Newlines; cased letters with one white space before them; signs of ASCII and the like (its
// letters among them) with one before; white space at the end of a piece; the middle of Unicode's
// first plane; numbers.
class DeepseekLlmScanner : public CutScanner {
 public:
  using CutScanner::CutScanner;

  const char* piece_end(const char* p) const { return end_by_cuts(*this, p, end_, classes_); }

  bool cuts(const char* p) const {
    const Place a = place(before(p));
    const Place b = place(p);
    if (a.is_newline || b.is_newline || a.is_middle != b.is_middle || a.is_number != b.is_number) {
      return true;
    }
    if (b.is_white) {
      return cuts_before_white(p, a);
    }
    if (a.is_white) {
      return false;
    }
    return a.is_cased != b.is_cased || a.is_sign != b.is_sign;
  }

 private:
  struct Place {
    bool is_newline, is_white, is_cased, is_sign, is_middle, is_number;
  };

  Place place(const char* p) const {
    const std::uint32_t c = code_point_at(p);
    const CharClass kind = classes_.at(p).kind;
    const bool white = is_white(kind);
    const bool is_ascii = c < 0x80;
    return {c == '\r' || c == '\n',
            white,
            is_ascii ? is_ascii_letter(*p) : is_cased_letter(c),
            is_ascii ? c > ' ' && c < 0x7F && !(c >= '0' && c <= '9') : !white && is_wide_sign(c),
            !white && c >= 0x800 && ((c <= 0x9FA5) || (c >= 0xAC00 && c <= 0xD7FF)),
            is_number(kind)};
  }
  static bool is_wide_sign(std::uint32_t c) {
    static constexpr CodePoints kSigns[] = {
        {0x2018, 0x201F}, {0x3000, 0x3002}, {0xFF01, 0xFF0F}, {0xFF1A, 0xFF5E}};
    return is_in(c, kSigns);
  }
  bool takes_white(const char* p) const {
    const Place next = place(p);
    return next.is_cased || next.is_sign;
  }

  bool cuts_before_white(const char* p, const Place& a) const {
    const char* next = p + classes_.at(p).bytes;
    if (next < end_ && takes_white(next)) {
      return true;
    }
    if (a.is_white) {
      return false;
    }
    if (a.is_cased || a.is_sign) {
      return true;
    }
    // White space at the end of a piece, unless the piece goes on behind it.
    while (next < end_ && is_white_at(next) && !place(next).is_newline) {
      next += classes_.at(next).bytes;
    }
    return next == end_ || place(next).is_newline || takes_white(next);
  }
};

// Runs of all but white space and some signs, with one space before them. kNumbers: each apart.
template <bool kNumbers>
class BloomScanner : public CutScanner {
 public:
  using CutScanner::CutScanner;

  const char* piece_end(const char* p) const { return end_by_cuts(*this, p, end_, classes_); }

  bool cuts(const char* p) const {
    const char* a = before(p);
    if (kNumbers && (is_number_at(a) || is_number_at(p))) {
      return true;
    }
    if (is_sign(p)) {
      const bool starts_run = *p == ' ' && p + 1 < end_ && !is_sign(p + 1);
      return starts_run || !is_sign(a);
    }
    return is_sign(a) && *a != ' ';
  }

 private:
  bool is_sign(const char* p) const {
    static constexpr CodePoints kSigns[] = {{'!', '!'},       {'(', ')'},       {',', ','},
                                            {'.', '.'},       {'?', '?'},       {'|', '|'},
                                            {0x060C, 0x060C}, {0x06D4, 0x06D4}, {0x0964, 0x0964},
                                            {0x2026, 0x2026}, {0x3001, 0x3002}, {0xFF0C, 0xFF0C}};
    return is_white_at(p) || is_in(code_point_at(p), kSigns);
  }
};

// Numbers, and digits of ASCII in threes from the right; all else is one piece.
class SuperBpeScanner : public CutScanner {
 public:
  using CutScanner::CutScanner;

  const char* piece_end(const char* p) const {
    if (!is_number_at(p)) {
      return run_end(p, [](CharClass kind) { return !is_number(kind); });
    }
    const char* start = p;
    if (is_digit(p) && p > begin_ && is_digit(p - 1)) {  // after a group
      p += 3;
      if (is_digit(p)) {
        return p;
      }
    }
    while (p < end_ && is_number_at(p)) {
      if (!is_digit(p)) {
        p += classes_.at(p).bytes;
        continue;
      }
      const std::ptrdiff_t over = digits_at(p) % 3;
      if (over == 0 && p > start) {
        return p;
      }
      p += over == 0 ? 3 : over;
      if (is_digit(p)) {
        return p;
      }
    }
    return p;
  }

 private:
  bool is_digit(const char* p) const { return p < end_ && *p >= '0' && *p <= '9'; }
  std::ptrdiff_t digits_at(const char* p) const {
    const char* end = p;
    while (is_digit(end)) {
      ++end;
    }
    return end - p;
  }
};

// Names of pictures; tabs, newlines and pairs of spaces; numbers and signs one by one; then as
// GPT-2.
class ChameleonScanner : public CutScanner {
 public:
  using CutScanner::CutScanner;

  const char* piece_end(const char* p) const {
    if (const char* end = picture_end(p)) {
      return end;
    }
    if (are_spaces(p, 2)) {
      return p + (are_spaces(p, 4) ? 4 : 2);
    }
    if (is_apart(p)) {
      return p + classes_.at(p).bytes;
    }
    const char* start = *p == ' ' ? p + 1 : p;
    const CharClass kind = is_apart(start) ? CharClass::kSpace : at(start).kind;
    if (is_letter(kind) || is_other(kind)) {
      while (start < end_ && !is_apart(start) &&
             (is_letter(kind) ? is_letter(at(start).kind) : is_other(at(start).kind))) {
        start += classes_.at(start).bytes;
      }
      return start;
    }
    return white_end(p);
  }

 private:
  bool are_spaces(const char* p, std::ptrdiff_t count) const {
    return end_ - p >= count && std::string_view("    ", static_cast<std::size_t>(count)) ==
                                    std::string_view(p, static_cast<std::size_t>(count));
  }

  // IMGIMG, one to four letters from A to I, Z.
  const char* picture_end(const char* p) const {
    constexpr std::string_view kName = "IMGIMG";
    std::string_view rest(p, static_cast<std::size_t>(end_ - p));
    if (!rest.starts_with(kName)) {
      return nullptr;
    }
    p += kName.size();
    int letters = 0;
    while (p < end_ && *p >= 'A' && *p <= 'I' && letters < 4) {
      ++p;
      ++letters;
    }
    return letters > 0 && p < end_ && *p == 'Z' ? p + 1 : nullptr;
  }

  // Whether a piece ends here as if the text did.
  bool is_apart(const char* p) const {
    if (p == end_ || are_spaces(p, 2) || picture_end(p) != nullptr) {
      return true;
    }
    const CharClass kind = classes_.at(p).kind;
    return *p == '\t' || *p == '\n' || is_number(kind) || kind == CharClass::kPunctuation ||
           (kind == CharClass::kSymbol && static_cast<std::uint8_t>(*p) < 0x80);
  }

  const char* white_end(const char* p) const {
    const char* last = p;
    const char* start = p;
    while (!(p > start && is_apart(p)) && p < end_ && is_white_at(p)) {
      last = p;
      p += classes_.at(p).bytes;
    }
    return is_apart(p) || last == start ? p : last;
  }
};

}  // namespace

std::size_t split_deepseek_llm(const CharClasses& classes, std::string_view text, std::size_t from,
                               std::span<std::uint32_t> ends) {
  return split_with<DeepseekLlmScanner>(classes, text, from, ends);
}

std::size_t split_bloom(const CharClasses& classes, std::string_view text, std::size_t from,
                        std::span<std::uint32_t> ends) {
  return split_with<BloomScanner<false>>(classes, text, from, ends);
}

std::size_t split_viking(const CharClasses& classes, std::string_view text, std::size_t from,
                         std::span<std::uint32_t> ends) {
  return split_with<BloomScanner<true>>(classes, text, from, ends);
}

std::size_t split_superbpe(const CharClasses& classes, std::string_view text, std::size_t from,
                           std::span<std::uint32_t> ends) {
  return split_with<SuperBpeScanner>(classes, text, from, ends);
}

std::size_t split_chameleon(const CharClasses& classes, std::string_view text, std::size_t from,
                            std::span<std::uint32_t> ends) {
  return split_with<ChameleonScanner>(classes, text, from, ends);
}

}  // namespace weir::tokenizer
