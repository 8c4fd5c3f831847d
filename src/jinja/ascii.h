#pragma once

// Classes of characters as the C locale has them: bytes above 127 belong to none.

namespace weir::jinja {

constexpr bool is_ascii_space(char c) {
  return c == ' ' || (c >= '\t' && c <= '\r');
}
constexpr bool is_ascii_digit(char c) {
  return c >= '0' && c <= '9';
}
constexpr bool is_ascii_upper(char c) {
  return c >= 'A' && c <= 'Z';
}
constexpr bool is_ascii_lower(char c) {
  return c >= 'a' && c <= 'z';
}
constexpr bool is_ascii_alnum(char c) {
  return is_ascii_digit(c) || is_ascii_upper(c) || is_ascii_lower(c);
}
constexpr char to_ascii_upper(char c) {
  return is_ascii_lower(c) ? char(c - 'a' + 'A') : c;
}
constexpr char to_ascii_lower(char c) {
  return is_ascii_upper(c) ? char(c - 'A' + 'a') : c;
}

}  // namespace weir::jinja
