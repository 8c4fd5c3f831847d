#pragma once

// What may be shown of a user's text, and values as TOML.

#include <concepts>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "weir/config/config.h"

namespace weir::config {

inline constexpr std::string_view kBackslashHint =
    "in double quotes a backslash starts an escape; write a path in single quotes "
    "('C:\\models\\x.gguf') or with / (\"C:/models/x.gguf\")";

// The name of a key, table or upstream that the user chose. One that may be a key of an API (long,
// or beginning with "sk-") is not shown.
std::string shown_name(std::string_view name);

// A short text in quotes, under the same caution.
std::string shown_text(std::string_view text);

// "a", "b" or "c".
std::string shown_choices(const std::vector<std::string_view>& choices);

// A basic string of TOML with its quotes.
std::string in_quotes(std::string_view text);

// Values as TOML. Empty: not set.
std::string shown(bool value);
std::string shown(double value);
std::string shown(Seconds value);
std::string shown(const std::string& value);
std::string shown(const std::filesystem::path& value);
std::string shown(const std::vector<std::string>& value);

template <std::integral T>
std::string shown(T value) {
  return std::to_string(value);
}

template <class T>
std::string shown(const std::optional<T>& value) {
  return value ? shown(*value) : std::string();
}

// Paths are UTF-8 in files and messages, whatever the system uses.
std::string utf8_of(const std::filesystem::path& path);
std::filesystem::path path_of(std::string_view utf8);

}  // namespace weir::config
