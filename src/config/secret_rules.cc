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

// "...", "xxxx", "****"; a single letter could be somebody's own key.
bool is_filling(std::string_view text) {
  return text.size() >= 3 && std::string_view(".x*").find(text[0]) != std::string_view::npos &&
         std::all_of(text.begin(), text.end(), [&](char c) { return c == text[0]; });
}

// "your-api-key", "your-taotoken-key-here".
bool is_invitation(std::string_view text) {
  constexpr std::string_view kHere = "-here";
  if (text.ends_with(kHere)) {
    text.remove_suffix(kHere.size());
  }
  const bool is_yours = text.starts_with("your-");
  return text == "changeme" || text == "change-me" || text == "replace-me" ||
         (is_yours && (text.ends_with("-key") || text.ends_with("-token")));
}

}  // namespace

bool is_placeholder_key(std::string_view key) {
  constexpr std::string_view kPrefix = "sk-";
  std::string text = base::ascii_lower(key);
  std::replace(text.begin(), text.end(), '_', '-');
  if (text.starts_with('<') && text.ends_with('>')) {
    return true;
  }
  if (text.starts_with(kPrefix)) {
    text.erase(0, kPrefix.size());
  }
  return text.empty() ? !key.empty() : is_filling(text) || is_invitation(text);
}

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
