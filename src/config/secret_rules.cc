#include "secret_rules.h"

#include <algorithm>

#include "weir/base/text.h"

namespace weir::config {
namespace {

// "$NAME", "${NAME}", "%NAME%": a variable that nobody replaced.
bool looks_like_variable(std::string_view key) {
  const bool percent = key.size() > 2 && key.starts_with('%') && key.ends_with('%');
  return key.starts_with('$') || key.find("${") != std::string_view::npos || percent;
}

bool any_of(std::string_view key, bool (*test)(unsigned char)) {
  return std::any_of(key.begin(), key.end(),
                     [&](char c) { return test(static_cast<unsigned char>(c)); });
}

}  // namespace

std::string key_fault(std::string_view key) {
  if (key.empty()) {
    return "the key is empty; write the key of this server";
  }
  if (base::starts_with_ignoring_case(key, "bearer ") ||
      base::starts_with_ignoring_case(key, "authorization:")) {
    return "the key begins with the word Bearer or a header name; write the key alone, weir adds "
           "the rest";
  }
  if (looks_like_variable(key)) {
    return "the key looks like a variable that was not replaced; write ${NAME} with the name of an "
           "environment variable that is set";
  }
  if (any_of(key, [](unsigned char c) { return c <= 0x20 || c == 0x7F; })) {
    return "white space or a control character inside the key; write it on one line without blanks";
  }
  if (any_of(key, [](unsigned char c) { return c == '"' || c == '\'' || c == '`'; })) {
    return "quotes inside the key; write the key without them";
  }
  if (any_of(key, [](unsigned char c) { return c >= 0x80; })) {
    return "letters inside the key that no key has (not ASCII); write the key of this server";
  }
  return "";
}

}  // namespace weir::config
