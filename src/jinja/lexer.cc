#include "lexer.h"

#include <algorithm>
#include <array>
#include <utility>

#include "ascii.h"
#include "failure.h"

namespace weir::jinja {
namespace {

using Kind = TokenKind;

// In the order in which they are tried: the longer one first.
constexpr std::array<std::pair<std::string_view, Kind>, 31> kSymbols{{
    {"{%-", Kind::kOpenStatement},
    {"-%}", Kind::kCloseStatement},
    {"{{-", Kind::kOpenExpression},
    {"-}}", Kind::kCloseExpression},
    {"{%", Kind::kOpenStatement},
    {"%}", Kind::kCloseStatement},
    {"{{", Kind::kOpenExpression},
    {"}}", Kind::kCloseExpression},
    {"(", Kind::kOpenParen},
    {")", Kind::kCloseParen},
    {"{", Kind::kOpenBrace},
    {"}", Kind::kCloseBrace},
    {"[", Kind::kOpenBracket},
    {"]", Kind::kCloseBracket},
    {",", Kind::kComma},
    {".", Kind::kDot},
    {":", Kind::kColon},
    {"|", Kind::kPipe},
    {"<=", Kind::kComparison},
    {">=", Kind::kComparison},
    {"==", Kind::kComparison},
    {"!=", Kind::kComparison},
    {"<", Kind::kComparison},
    {">", Kind::kComparison},
    {"+", Kind::kAdditive},
    {"-", Kind::kAdditive},
    {"~", Kind::kAdditive},
    {"*", Kind::kMultiplicative},
    {"/", Kind::kMultiplicative},
    {"%", Kind::kMultiplicative},
    {"=", Kind::kEquals},
}};

constexpr std::string_view kBlanks = " \t\r\n";

bool is_word(char c) {
  return is_ascii_alnum(c) || c == '_';
}

// What may stand to the left of a binary operator. A closing brace is not among them: after {...}
// llama.cpp reads "-" as a sign.
bool is_operand_end(Kind kind) {
  return kind == Kind::kIdentifier || kind == Kind::kNumber || kind == Kind::kString ||
         kind == Kind::kCloseParen || kind == Kind::kCloseBracket;
}

class Lexer {
 public:
  explicit Lexer(std::string_view source) : source_(source) {}

  std::vector<Token> run() {
    while (at_ < source_.size()) {
      if (!is_outside_tags()) {
        read_in_tag();
      } else if (!read_text()) {
        read_in_tag();
      }
    }
    return std::move(tokens_);
  }

 private:
  // The character `ahead` of the current one, or NUL behind the end.
  char peek(std::size_t ahead = 0) const {
    return at_ + ahead < source_.size() ? source_[at_ + ahead] : '\0';
  }
  Kind last() const { return tokens_.empty() ? Kind::kEnd : tokens_.back().kind; }

  bool is_outside_tags() const {
    return tokens_.empty() || last() == Kind::kCloseStatement || last() == Kind::kCloseExpression ||
           last() == Kind::kComment;
  }

  void add(Kind kind, std::string_view text, std::size_t offset) {
    tokens_.push_back({kind, std::string(text), offset});
  }

  [[noreturn]] void fail(const std::string& what) const { throw SyntaxFailure(what, at_); }

  bool is_tag_start(std::size_t at) const {
    if (source_[at] != '{' || at + 1 >= source_.size()) {
      return false;
    }
    const char next = source_[at + 1];
    return next == '%' || next == '{' || next == '#';
  }

  // Where the text that ends at `end` ends without the indentation of a block tag. Faithful to a
  // slip of llama.cpp: reaching the very first character of the template takes that one too,
  // whatever it is.
  std::size_t without_indentation(std::size_t start, std::size_t end) const {
    for (std::size_t current = end; current > start; --current) {
      const char c = source_[current - 1];
      if (current == 1) {
        return 0;
      }
      if (c == '\n') {
        return current;
      }
      if (!is_ascii_space(c)) {
        break;
      }
    }
    return end;
  }

  // Reads up to the next tag. False when no text is left of it.
  bool read_text() {
    const std::size_t start = at_;
    const bool after_tag = start > 3;
    const char second_last = after_tag ? source_[start - 2] : '\0';
    const bool closes = after_tag && source_[start - 1] == '}';
    const bool is_block =
        closes && (second_last == '%' || second_last == '#' || second_last == '-');
    const bool strips = closes && source_[start - 3] == '-' &&
                        (second_last == '%' || second_last == '}' || second_last == '#');
    while (at_ < source_.size() && !is_tag_start(at_)) {
      ++at_;
    }
    std::size_t end = at_;
    if (peek() == '{' && (peek(1) == '%' || peek(1) == '#')) {
      end = without_indentation(start, end);
    }
    std::string_view text = source_.substr(start, end - start);
    if (is_block && text.starts_with('\n')) {
      text.remove_prefix(1);
    }
    if (strips) {
      text.remove_prefix(std::min(text.find_first_not_of(kBlanks), text.size()));
    }
    if (peek() == '{' && peek(2) == '-') {
      text = text.substr(0, text.find_last_not_of(kBlanks) + 1);
    }
    if (!text.empty()) {
      add(Kind::kText, text, start);
    }
    return !text.empty();
  }

  void read_comment() {
    const std::size_t start = at_;
    at_ += 2;
    const std::size_t end = source_.find("#}", at_);
    if (end == std::string_view::npos) {
      at_ = start;
      fail("a comment is not closed");
    }
    add(Kind::kComment, "", start);
    at_ = end + 2;
  }

  void read_in_tag() {
    if (peek() == '{' && peek(1) == '#') {
      return read_comment();
    }
    if (peek() == '-' && (last() == Kind::kOpenExpression || last() == Kind::kOpenStatement)) {
      ++at_;
    }
    while (is_ascii_space(peek())) {
      ++at_;
    }
    if (at_ >= source_.size() || read_sign() || read_symbol() || read_string()) {
      return;
    }
    const std::size_t start = at_;
    if (is_ascii_digit(peek())) {
      read_digits();
      add(Kind::kNumber, source_.substr(start, at_ - start), start);
    } else if (is_word(peek())) {
      while (is_word(peek())) {
        ++at_;
      }
      add(Kind::kIdentifier, source_.substr(start, at_ - start), start);
    } else {
      fail("a character that means nothing here");
    }
  }

  // A sign and the number that follows it at once are one number: -1|abs is 1.
  bool read_sign() {
    const bool closes = peek() == '-' && (peek(1) == '%' || peek(1) == '}');
    if ((peek() != '-' && peek() != '+') || closes || is_operand_end(last())) {
      return false;
    }
    if (tokens_.empty() || last() == Kind::kText) {
      fail("a character that means nothing here");
    }
    const std::size_t start = at_++;
    read_digits();
    const std::string_view text = source_.substr(start, at_ - start);
    add(text.size() == 1 ? Kind::kSign : Kind::kNumber, text, start);
    return true;
  }

  void read_digits() {
    while (is_ascii_digit(peek())) {
      ++at_;
    }
    if (peek() == '.' && is_ascii_digit(peek(1))) {
      ++at_;
      while (is_ascii_digit(peek())) {
        ++at_;
      }
    }
  }

  bool read_symbol() {
    for (const auto& [symbol, kind] : kSymbols) {
      if (symbol == "}}" && open_braces_ > 0) {
        continue;  // two ends of objects
      }
      if (!source_.substr(at_).starts_with(symbol)) {
        continue;
      }
      if (kind == Kind::kOpenExpression) {
        open_braces_ = 0;
      } else if (kind == Kind::kOpenBrace) {
        ++open_braces_;
      } else if (kind == Kind::kCloseBrace) {
        --open_braces_;  // below zero it wraps, here as there: no "}}" ends a tag from then on
      }
      add(kind, symbol, at_);
      at_ += symbol.size();
      return true;
    }
    return false;
  }

  bool read_string() {
    const char quote = peek();
    if (quote != '\'' && quote != '"') {
      return false;
    }
    const std::size_t start = at_++;
    std::string text;
    while (at_ < source_.size() && source_[at_] != quote) {
      text += source_[at_] == '\\' ? read_escape() : source_[at_++];
    }
    if (at_ >= source_.size()) {
      at_ = start;
      fail("a string is not closed");
    }
    ++at_;
    tokens_.push_back({Kind::kString, std::move(text), start});
    return true;
  }

  char read_escape() {
    constexpr std::string_view kLetters = "ntrbfv\\'\"";
    constexpr std::string_view kMeant = "\n\t\r\b\f\v\\'\"";
    ++at_;
    const std::size_t found = at_ < source_.size() ? kLetters.find(source_[at_]) : kLetters.npos;
    if (found == kLetters.npos) {
      fail("an unknown escape in a string");
    }
    ++at_;
    return kMeant[found];
  }

  std::string_view source_;
  std::size_t at_ = 0;
  std::size_t open_braces_ = 0;
  std::vector<Token> tokens_;
};

}  // namespace

std::string normalized_lines(std::string_view source) {
  std::string text;
  text.reserve(source.size());
  for (std::size_t i = 0; i < source.size(); ++i) {
    if (source[i] != '\r') {
      text += source[i];
    } else if (i + 1 >= source.size() || source[i + 1] != '\n') {
      text += '\n';
    }
  }
  if (source.ends_with('\n')) {
    text.pop_back();
  }
  return text;
}

std::vector<Token> tokenize(std::string_view source) {
  return Lexer(source).run();
}

}  // namespace weir::jinja
