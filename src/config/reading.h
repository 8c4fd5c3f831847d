#pragma once

// One pass over a file: collects faults, warnings and settings, and reads single values.

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "node.h"
#include "weir/base/secret.h"
#include "weir/config/load.h"

namespace weir::config {

class Reading {
 public:
  // `file` is used in messages; `directory` is absolute, relative paths start there.
  Reading(std::filesystem::path file, std::filesystem::path directory,
          const Environment& environment);

  void fault(Place place, std::string key, std::string text);
  void warn(Place place, std::string key, std::string text);

  // `secret` will not be in any message or setting.
  void hide(std::string_view secret);

  // Where the value at `place` comes from: "config.toml:12".
  std::string origin_at(Place place) const;

  const std::filesystem::path& directory() const { return directory_; }
  const Environment& environment() const { return environment_; }

  // All lines in the order of the file.
  std::string fault_lines();
  std::vector<std::string> warning_lines();
  std::vector<Setting> take_settings();
  std::size_t fault_count() const { return faults_.size(); }

  std::vector<Setting> settings;               // in the order in which they are printed
  std::map<std::string, std::string> origins;  // full key -> "variable NAME"
  std::set<std::string> variables;             // as in Loaded
  std::set<std::string> credentials;
  std::set<std::filesystem::path> files;  // that placeholders were taken from
  bool is_partial = false;  // lines were left out: do not complain of what is missing

 private:
  std::string line(const Fault& fault) const;
  std::string without_secrets(std::string text) const;

  std::filesystem::path file_;
  std::filesystem::path directory_;
  const Environment& environment_;
  std::vector<Fault> faults_;
  std::vector<Fault> warnings_;
  std::vector<std::string> secrets_;
};

struct Range {
  std::int64_t min = 0;
  std::int64_t max = 0;
};

struct NumberRange {
  double min = 0;
  double max = 0;
};

// A value of the file on its way into a struct. Each reader gives nothing when it does not fit,
// and has then reported a fault.
struct Value {
  Reading& reading;
  const Node& node;
  std::string key;           // full name
  std::string_view example;  // as TOML: "timeout = 600"

  void fault(std::string text) const;
  // "a whole number", "text in quotes", ...
  void wrong_type(std::string_view wanted) const;

  std::optional<std::int64_t> integer(Range range) const;
  std::optional<double> number(NumberRange range) const;
  std::optional<bool> flag() const;
  std::optional<std::string> text() const;  // placeholders replaced; no control characters
  std::optional<std::vector<std::string>> texts() const;
  std::optional<std::filesystem::path> path() const;  // absolute, or empty when ""
  // The same for a file that is read: one that is not there is reported, and given all the same.
  std::optional<std::filesystem::path> file() const;
  // Trimmed. Empty only when `may_be_empty` and "" is what stands in the file.
  std::optional<base::Secret> secret(bool may_be_empty) const;
  // One of `choices`.
  std::optional<std::string> choice(const std::vector<std::string_view>& choices) const;

  // This value's item or entry as a value of its own.
  Value part(const Node& of, std::string_view name) const;

 private:
  std::optional<std::string> expanded() const;
};

// `text`, which must be a relative or absolute path, against `directory`.
std::filesystem::path resolved(std::string_view text, const std::filesystem::path& directory);

}  // namespace weir::config
