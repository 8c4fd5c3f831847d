#include <algorithm>
#include <cmath>

#include "placeholders.h"
#include "reading.h"
#include "secret_rules.h"
#include "shown.h"
#include "weir/base/text.h"

namespace weir::config {
namespace {

std::string_view kind_name(Node::Kind kind) {
  switch (kind) {
    case Node::Kind::kText:
      return "text in quotes";
    case Node::Kind::kInteger:
      return "a whole number";
    case Node::Kind::kNumber:
      return "a number with a fraction";
    case Node::Kind::kFlag:
      return "true or false";
    case Node::Kind::kTime:
      return "a date or time";
    case Node::Kind::kList:
      return "a list";
    case Node::Kind::kTable:
      return "a table";
  }
  return "something else";
}

bool is_control(char c) {
  return static_cast<unsigned char>(c) < 0x20 || c == '\x7F';
}

// "8000" and "30s" are numbers that someone put in quotes.
bool is_quoted_number(const Node& node) {
  return node.kind == Node::Kind::kText && !node.text.empty() && node.text.size() <= 20 &&
         std::all_of(node.text.begin(), node.text.end(),
                     [](char c) { return (c >= '0' && c <= '9') || c == '.' || c == '-'; });
}

bool is_quoted_flag(const Node& node) {
  return node.text == "true" || node.text == "false";
}

std::string last_part(const std::string& key) {
  return key.substr(key.rfind('.') + 1);
}

// "C:/x" and "C:\x" are absolute on Windows, also for a test that plays Windows elsewhere.
bool has_drive(std::string_view text) {
  const char letter = text.empty() ? '\0' : base::ascii_lower(text[0]);
  return text.size() >= 3 && letter >= 'a' && letter <= 'z' && text[1] == ':' &&
         (text[2] == '/' || text[2] == '\\');
}

}  // namespace

void Value::fault(std::string text) const {
  reading.fault(node.place, key, std::move(text));
}

void Value::wrong_type(std::string_view wanted) const {
  const std::string found = "found " + std::string(kind_name(node.kind)) + " where " +
                            std::string(wanted) + " is needed; ";
  if (is_quoted_number(node) || (node.kind == Node::Kind::kText && is_quoted_flag(node))) {
    fault(found + "write it without quotes: " + last_part(key) + " = " + node.text);
  } else {
    fault(found + "for example " + std::string(example));
  }
}

std::optional<std::int64_t> Value::integer(Range range) const {
  if (node.kind != Node::Kind::kInteger) {
    wrong_type("a whole number");
    return std::nullopt;
  }
  if (node.integer < range.min || node.integer > range.max) {
    fault(std::to_string(node.integer) + " is out of range; write a whole number from " +
          std::to_string(range.min) + " to " + std::to_string(range.max));
    return std::nullopt;
  }
  return node.integer;
}

std::optional<double> Value::number(NumberRange range) const {
  if (node.kind != Node::Kind::kInteger && node.kind != Node::Kind::kNumber) {
    wrong_type("a number");
    return std::nullopt;
  }
  const double found =
      node.kind == Node::Kind::kInteger ? static_cast<double>(node.integer) : node.number;
  if (!(found >= range.min && found <= range.max)) {  // NaN too
    const std::string what = std::isfinite(found) ? shown(found) : std::string("the number");
    fault(what + " is out of range; write a number from " + shown(range.min) + " to " +
          shown(range.max));
    return std::nullopt;
  }
  return found;
}

std::optional<bool> Value::flag() const {
  if (node.kind != Node::Kind::kFlag) {
    wrong_type("true or false");
    return std::nullopt;
  }
  return node.flag;
}

std::optional<std::string> Value::expanded() const {
  if (node.kind != Node::Kind::kText) {
    wrong_type("text in quotes");
    return std::nullopt;
  }
  Expansion expansion = expand(node.text, reading.directory(), reading.environment());
  for (std::string& wrong : expansion.faults) {
    fault(std::move(wrong));
  }
  reading.variables.insert(expansion.variables.begin(), expansion.variables.end());
  reading.credentials.insert(expansion.credentials.begin(), expansion.credentials.end());
  reading.files.insert(expansion.files.begin(), expansion.files.end());
  reading.origins.erase(key);  // a list has the same key for all its items
  if (!expansion.origin.empty()) {
    reading.origins[key] = expansion.origin;
  }
  if (!expansion.faults.empty()) {
    return std::nullopt;
  }
  return std::move(expansion.text);
}

std::optional<std::string> Value::text() const {
  auto found = expanded();
  if (found && std::any_of(found->begin(), found->end(), is_control)) {
    fault("a control character (line end, tab) in the text; " + std::string(kBackslashHint));
    return std::nullopt;
  }
  return found;
}

std::optional<std::vector<std::string>> Value::texts() const {
  if (node.kind != Node::Kind::kList) {
    wrong_type("a list");
    return std::nullopt;
  }
  std::vector<std::string> out;
  bool whole = true;
  for (const Node& item : node.items) {
    auto found = part(item, "").text();
    whole = whole && found.has_value();
    out.push_back(found.value_or(""));
  }
  return whole ? std::optional(std::move(out)) : std::nullopt;
}

std::optional<std::filesystem::path> Value::path() const {
  const auto found = text();
  if (!found) {
    return std::nullopt;
  }
  if (found->starts_with("~/") || found->starts_with("~\\")) {
    fault("~ is not replaced in paths; write ${HOME}/..., ${USERPROFILE}/... or the whole path");
    return std::nullopt;
  }
  if (has_drive(*found) && reading.environment().platform != Platform::kWindows) {
    fault("a path with a drive letter, and this system has none; write it as it is called here, "
          "for example /mnt/c/... in WSL, or relative to this file");
    return std::nullopt;
  }
  return found->empty() ? std::filesystem::path() : resolved(*found, reading.directory());
}

std::optional<std::filesystem::path> Value::file() const {
  auto found = path();
  const auto& file_fault = reading.environment().file_fault;
  const std::string wrong =
      found && !found->empty() && file_fault ? file_fault(*found) : std::string();
  if (!wrong.empty()) {
    fault(in_quotes(utf8_of(*found)) + ": " + wrong);
  }
  return found;
}

std::optional<base::Secret> Value::secret(bool may_be_empty) const {
  if (node.kind == Node::Kind::kText) {
    reading.hide(base::trim_pasted(node.text));
  }
  const auto found = expanded();
  if (!found) {
    return std::nullopt;
  }
  const std::string_view trimmed = base::trim_pasted(*found);
  reading.hide(trimmed);
  if (trimmed.empty() && may_be_empty && node.text.empty()) {
    return base::Secret();
  }
  const std::string wrong = key_fault(trimmed);
  if (!wrong.empty()) {
    const auto origin = reading.origins.find(key);
    fault(wrong + (origin == reading.origins.end() ? "" : " (from " + origin->second + ")"));
    return std::nullopt;
  }
  return base::Secret(std::string(trimmed));
}

std::optional<std::string> Value::choice(const std::vector<std::string_view>& choices) const {
  auto found = text();
  if (!found || std::find(choices.begin(), choices.end(), *found) != choices.end()) {
    return found;
  }
  const std::string_view nearest = base::nearest_of(base::ascii_lower(*found), choices);
  fault(shown_text(*found) + " is not known; write " +
        (nearest.empty() ? shown_choices(choices)
                         : in_quotes(nearest) + " (known are " + shown_choices(choices) + ")"));
  return std::nullopt;
}

Value Value::part(const Node& of, std::string_view name) const {
  return {reading, of, name.empty() ? key : key + "." + std::string(name), example};
}

std::filesystem::path resolved(std::string_view text, const std::filesystem::path& directory) {
  std::filesystem::path path = path_of(text);
  if (path.is_absolute() || has_drive(text)) {
    return path;
  }
  return (directory / path).lexically_normal();
}

}  // namespace weir::config
