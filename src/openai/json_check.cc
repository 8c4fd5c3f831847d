#include "json_check.h"

#include <array>

#include "json_reader.h"
#include "json_scan.h"
#include "weir/base/text.h"

namespace weir::openai {
namespace {

bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

bool is_hex_digit(char c) {
  return is_digit(c) || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F');
}

bool is_escape_letter(char c) {
  switch (c) {
    case '"':
    case '\\':
    case '/':
    case 'b':
    case 'f':
    case 'n':
    case 'r':
    case 't':
    case 'u':
      return true;
    default:
      return false;
  }
}

class Checker {
 public:
  explicit Checker(std::string_view text)
      : begin_(text.data()), at_(begin_), end_(begin_ + text.size()) {}

  std::optional<JsonFault> run();

 private:
  // What may come next.
  enum class Expect { kValue, kValueOrEnd, kKey, kKeyOrEnd, kCommaOrEnd, kNothing };

  bool step();
  bool value();
  bool open(bool is_object);
  bool close();
  bool key();
  bool comma_or_end();
  bool string();
  bool escape();
  bool number();
  bool digits();
  bool word(std::string_view word);

  bool fail(const char* what) {
    what_ = what;
    return false;
  }
  char peek() const { return at_ == end_ ? '\0' : *at_; }
  void behind_value() { expect_ = depth_ == 0 ? Expect::kNothing : Expect::kCommaOrEnd; }
  bool in_object() const { return is_object_[depth_ - 1]; }

  const char* begin_;
  const char* at_;
  const char* end_;
  const char* what_ = nullptr;
  Expect expect_ = Expect::kValue;
  std::size_t depth_ = 0;
  std::array<bool, kJsonDepthMax> is_object_{};  // for each open bracket: is it a brace
};

std::optional<JsonFault> Checker::run() {
  bool good = true;
  while (good) {
    at_ = skip_json_space(at_, end_);
    if (at_ == end_) {
      break;
    }
    good = step();
  }
  if (good && expect_ == Expect::kNothing) {
    return std::nullopt;
  }
  if (good) {
    fail(begin_ == end_ ? "it is empty" : "it ends in the middle of a value");
  }
  return JsonFault{static_cast<std::size_t>(at_ - begin_), what_};
}

bool Checker::step() {
  switch (expect_) {
    case Expect::kValueOrEnd:
      return *at_ == ']' ? close() : value();
    case Expect::kValue:
      return value();
    case Expect::kKeyOrEnd:
      return *at_ == '}' ? close() : key();
    case Expect::kKey:
      return key();
    case Expect::kCommaOrEnd:
      return comma_or_end();
    case Expect::kNothing:
      break;
  }
  return fail("there is something behind the end");
}

bool Checker::value() {
  const char first = *at_;
  if (first == '{' || first == '[') {
    return open(first == '{');
  }
  behind_value();
  switch (first) {
    case '"':
      return string();
    case 't':
      return word("true");
    case 'f':
      return word("false");
    case 'n':
      return word("null");
    default:
      return first == '-' || is_digit(first) ? number() : fail("a value was expected");
  }
}

bool Checker::open(bool is_object) {
  if (depth_ == kJsonDepthMax) {
    return fail("it is nested more than 256 levels deep");
  }
  static_assert(kJsonDepthMax == 256, "the message names it");
  is_object_[depth_++] = is_object;
  expect_ = is_object ? Expect::kKeyOrEnd : Expect::kValueOrEnd;
  ++at_;
  return true;
}

bool Checker::close() {
  --depth_;
  ++at_;
  behind_value();
  return true;
}

bool Checker::key() {
  if (*at_ != '"') {
    return fail("a key in double quotes was expected");
  }
  if (!string()) {
    return false;
  }
  at_ = skip_json_space(at_, end_);
  if (peek() != ':') {
    return fail("a colon was expected");
  }
  ++at_;
  expect_ = Expect::kValue;
  return true;
}

bool Checker::comma_or_end() {
  if (*at_ == ',') {
    ++at_;
    expect_ = in_object() ? Expect::kKey : Expect::kValue;
    return true;
  }
  if (*at_ == (in_object() ? '}' : ']')) {
    return close();
  }
  return fail(in_object() ? "a comma or a closing brace was expected"
                          : "a comma or a closing bracket was expected");
}

bool Checker::string() {
  ++at_;
  for (;;) {
    at_ = find_string_mark(at_, end_);
    if (at_ == end_) {
      return fail("a string has no closing quote");
    }
    if (*at_ == '"') {
      ++at_;
      return true;
    }
    if (*at_ != '\\') {
      return fail("a control character in a string must be escaped");
    }
    if (!escape()) {
      return false;
    }
  }
}

bool Checker::escape() {
  ++at_;
  if (!is_escape_letter(peek())) {
    return fail("an unknown escape in a string");
  }
  if (*at_++ != 'u') {
    return true;
  }
  for (int i = 0; i < 4; ++i, ++at_) {
    if (!is_hex_digit(peek())) {
      return fail("\\u needs four hexadecimal digits");
    }
  }
  return true;
}

bool Checker::digits() {
  if (!is_digit(peek())) {
    return fail("a number is missing a digit");
  }
  while (is_digit(peek())) {
    ++at_;
  }
  return true;
}

bool Checker::number() {
  at_ += *at_ == '-' ? 1 : 0;
  if (peek() == '0') {
    ++at_;
    if (is_digit(peek())) {
      return fail("a number must not start with 0");
    }
  } else if (!digits()) {
    return false;
  }
  if (peek() == '.') {
    ++at_;
    if (!digits()) {
      return false;
    }
  }
  if (peek() == 'e' || peek() == 'E') {
    ++at_;
    at_ += peek() == '+' || peek() == '-' ? 1 : 0;
    return digits();
  }
  return true;
}

bool Checker::word(std::string_view word) {
  if (std::string_view(at_, static_cast<std::size_t>(end_ - at_)).substr(0, word.size()) != word) {
    return fail("a value was expected");
  }
  at_ += word.size();
  return true;
}

}  // namespace

std::optional<JsonFault> check_json(std::string_view text) {
  const std::size_t invalid = base::find_invalid_utf8(text);
  if (invalid != std::string_view::npos) {
    return JsonFault{invalid, "a byte that is no valid UTF-8"};
  }
  return Checker(text).run();
}

}  // namespace weir::openai
