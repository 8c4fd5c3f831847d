#include "json_reader.h"

#include <charconv>

#include "json_check.h"
#include "json_scan.h"

namespace weir::openai {
namespace {

constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";

const char* end_of(std::string_view text) {
  return text.data() + text.size();
}

const char* skip_good_container(const char* at, const char* end) {
  std::size_t depth = 0;
  while (at != end) {
    const char c = *at++;
    if (c == '"') {
      at = skip_good_string(at, end);
    } else if (c == '{' || c == '[') {
      ++depth;
    } else if ((c == '}' || c == ']') && --depth == 0) {
      break;
    }
  }
  return at;
}

// `at` is at the first byte of a good value; answers the position behind its last.
const char* skip_good_value(const char* at, const char* end) {
  if (*at == '"') {
    return skip_good_string(at + 1, end);
  }
  if (*at == '{' || *at == '[') {
    return skip_good_container(at, end);
  }
  while (at != end && *at != ',' && *at != ']' && *at != '}' && !is_json_space(*at)) {
    ++at;
  }
  return at;
}

// Cuts the value at the front of `rest` off, with the white space before it and the comma or colon
// behind it. Absent when there is none.
JsonView take_value(std::string_view& rest) {
  const char* const end = end_of(rest);
  const char* const begin = skip_json_space(rest.data(), end);
  if (begin == end) {
    rest = {};
    return {};
  }
  const char* const behind = skip_good_value(begin, end);
  const char* next = skip_json_space(behind, end);
  if (next != end) {
    ++next;
  }
  rest = {next, static_cast<std::size_t>(end - next)};
  return JsonView({begin, static_cast<std::size_t>(behind - begin)});
}

// What is between the brackets.
std::string_view inside(JsonView container, JsonKind kind) {
  return container.is(kind) ? container.raw().substr(1, container.raw().size() - 2)
                            : std::string_view();
}

std::uint32_t hex_digit(char c) {
  return static_cast<std::uint32_t>(c <= '9' ? c - '0' : (c | 0x20) - 'a' + 10);
}

std::uint32_t hex4(const char* at) {
  return hex_digit(at[0]) << 12 | hex_digit(at[1]) << 8 | hex_digit(at[2]) << 4 | hex_digit(at[3]);
}

// `at` is behind `\u` of a good string; reads one character and moves `at` behind it. Half a pair
// is read as U+FFFD.
std::uint32_t take_unicode_escape(const char*& at, const char* end) {
  const std::uint32_t code = hex4(at);
  at += 4;
  if (code < 0xD800 || code > 0xDFFF) {
    return code;
  }
  if (code <= 0xDBFF && end - at >= 6 && at[0] == '\\' && at[1] == 'u') {
    const std::uint32_t low = hex4(at + 2);
    if (low >= 0xDC00 && low <= 0xDFFF) {
      at += 6;
      return 0x10000 + ((code - 0xD800) << 10) + (low - 0xDC00);
    }
  }
  return 0xFFFD;
}

char* put_utf8(char* to, std::uint32_t code) {
  if (code < 0x80) {
    *to++ = static_cast<char>(code);
    return to;
  }
  if (code < 0x800) {
    *to++ = static_cast<char>(0xC0 | (code >> 6));
  } else {
    if (code < 0x10000) {
      *to++ = static_cast<char>(0xE0 | (code >> 12));
    } else {
      *to++ = static_cast<char>(0xF0 | (code >> 18));
      *to++ = static_cast<char>(0x80 | ((code >> 12) & 0x3F));
    }
    *to++ = static_cast<char>(0x80 | ((code >> 6) & 0x3F));
  }
  *to++ = static_cast<char>(0x80 | (code & 0x3F));
  return to;
}

char plain_escape(char letter) {
  switch (letter) {
    case 'b':
      return '\b';
    case 'f':
      return '\f';
    case 'n':
      return '\n';
    case 'r':
      return '\r';
    case 't':
      return '\t';
    default:
      return letter;
  }
}

// Copies up to the next backslash. Decoding never makes a string longer, so as many bytes may be
// written as could be read.
char* put_plain_run(char* to, const char*& at, const char* end) {
#if defined(WEIR_JSON_SSE2)
  for (; end - at >= kBlock; at += kBlock, to += kBlock) {
    const __m128i block = load_block(at);
    _mm_storeu_si128(reinterpret_cast<__m128i*>(to), block);
    if (const std::uint16_t slashes = bytes_equal(block, '\\'); slashes != 0) {
      at += std::countr_zero(slashes);
      return to + std::countr_zero(slashes);
    }
  }
#endif
  while (at != end && *at != '\\') {
    *to++ = *at++;
  }
  return to;
}

void append_decoded(std::string& out, std::string_view quoted) {
  const std::size_t before = out.size();
  out.resize(before + quoted.size());
  char* to = out.data() + before;
  const char* at = quoted.data();
  const char* const end = end_of(quoted);
  while (at != end) {
    to = put_plain_run(to, at, end);
    if (at == end) {
      break;
    }
    const char letter = at[1];
    at += 2;
    if (letter == 'u') {
      to = put_utf8(to, take_unicode_escape(at, end));
    } else {
      *to++ = plain_escape(letter);
    }
  }
  out.resize(static_cast<std::size_t>(to - out.data()));
}

}  // namespace

JsonKind JsonView::kind() const {
  if (raw_.empty()) {
    return JsonKind::kAbsent;
  }
  switch (raw_[0]) {
    case 'n':
      return JsonKind::kNull;
    case 't':
    case 'f':
      return JsonKind::kBool;
    case '"':
      return JsonKind::kString;
    case '[':
      return JsonKind::kArray;
    case '{':
      return JsonKind::kObject;
    default:
      return JsonKind::kNumber;
  }
}

bool JsonView::is_empty_container() const {
  return raw_.size() >= 2 && skip_json_space(raw_.data() + 1, end_of(raw_)) + 1 == end_of(raw_);
}

std::string_view JsonView::text(std::string& storage) const {
  if (!is(JsonKind::kString)) {
    return {};
  }
  const std::string_view quoted = raw_.substr(1, raw_.size() - 2);
  if (find_string_mark(quoted.data(), end_of(quoted)) == end_of(quoted)) {
    return quoted;
  }
  storage.clear();
  append_decoded(storage, quoted);
  return storage;
}

void JsonView::append_text(std::string& out) const {
  if (is(JsonKind::kString)) {
    append_decoded(out, raw_.substr(1, raw_.size() - 2));
  }
}

bool JsonView::equals(std::string_view text) const {
  if (!is(JsonKind::kString) || raw_.size() < text.size() + 2) {
    return false;  // decoding never makes a string longer
  }
  if (raw_.size() == text.size() + 2) {
    return raw_.substr(1, text.size()) == text;
  }
  if (raw_.size() > 6 * text.size() + 2) {
    return false;  // even with every byte escaped
  }
  std::string storage;
  return this->text(storage) == text;
}

std::optional<double> JsonView::number() const {
  double value = 0;
  const auto [behind, fault] = std::from_chars(raw_.data(), end_of(raw_), value);
  if (!is(JsonKind::kNumber) || fault != std::errc() || behind != end_of(raw_)) {
    return std::nullopt;
  }
  return value;
}

JsonView JsonView::member(std::string_view name) const {
  JsonView found;
  for (MemberCursor at(*this); at.next();) {
    if (at.key().equals(name)) {
      found = at.value();
    }
  }
  return found;
}

MemberCursor::MemberCursor(JsonView object) : rest_(inside(object, JsonKind::kObject)) {
}

bool MemberCursor::next() {
  key_ = take_value(rest_);
  value_ = key_.is_absent() ? JsonView() : take_value(rest_);
  return !key_.is_absent();
}

ElementCursor::ElementCursor(JsonView array) : rest_(inside(array, JsonKind::kArray)) {
}

bool ElementCursor::next() {
  value_ = take_value(rest_);
  return !value_.is_absent();
}

std::size_t good_value_length(std::string_view text) {
  return text.empty()
             ? 0
             : static_cast<std::size_t>(skip_good_value(text.data(), end_of(text)) - text.data());
}

base::Result<JsonView> read_json(std::string_view text, std::string_view name) {
  const std::size_t skipped = text.starts_with(kByteOrderMark) ? kByteOrderMark.size() : 0;
  text.remove_prefix(skipped);
  if (const std::optional<JsonFault> fault = check_json(text)) {
    return base::Error{base::ErrorCode::kBadJson,
                       std::string(name) + " is not valid JSON: at byte " +
                           std::to_string(fault->offset + skipped) + ": " + fault->what + "."};
  }
  while (is_json_space(text.front())) {
    text.remove_prefix(1);
  }
  while (is_json_space(text.back())) {
    text.remove_suffix(1);
  }
  return JsonView(text);
}

}  // namespace weir::openai
