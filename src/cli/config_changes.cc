#include "config_changes.h"

#include <algorithm>
#include <map>
#include <set>
#include <utility>

namespace weir::cli {
namespace {

// Every value as it is printed, by its full key.
std::map<std::string, std::string> printed_values(const config::Loaded& loaded) {
  std::map<std::string, std::string> values;
  for (const config::Setting& setting : loaded.settings) {
    const std::string key = setting.table.empty() ? setting.key : setting.table + "." + setting.key;
    values[key] += setting.value + "\n";  // some tables come more than once
  }
  return values;
}

// The printed values do not tell keys apart.
void add_secret_changes(const config::Config& before, const config::Config& after,
                        std::set<std::string>& changed) {
  if (before.server.keys != after.server.keys) {
    changed.insert("server.keys");
  }
  for (const config::Upstream& upstream : after.upstreams) {
    const config::Upstream* old = before.find(upstream.full_name());
    if (old == nullptr) {
      continue;
    }
    if (old->api_key != upstream.api_key) {
      changed.insert(upstream.full_name() + ".api_key");
    }
    if (old->headers != upstream.headers) {
      changed.insert(upstream.full_name() + ".headers");
    }
  }
}

}  // namespace

std::vector<std::string> changed_keys(const config::Loaded& before, const config::Loaded& after) {
  const auto old_values = printed_values(before);
  const auto new_values = printed_values(after);
  std::set<std::string> changed;
  for (const auto& [key, value] : new_values) {
    const auto old = old_values.find(key);
    if (old == old_values.end() || old->second != value) {
      changed.insert(key);
    }
  }
  for (const auto& [key, value] : old_values) {
    if (!new_values.contains(key)) {
      changed.insert(key);
    }
  }
  add_secret_changes(before.config, after.config, changed);
  return {changed.begin(), changed.end()};
}

std::vector<std::string> changed_contents(const FileContents& before, const FileContents& after,
                                          const std::vector<std::string>& changed) {
  std::vector<std::string> keys;
  for (const auto& [key, content] : after) {
    const auto old = before.find(key);
    if (old != before.end() && old->second != content &&
        std::find(changed.begin(), changed.end(), key) == changed.end()) {
      keys.push_back(key + " (contents)");
    }
  }
  return keys;
}

std::vector<std::string> keep_what_needs_a_start(const config::Config& in_force,
                                                 config::Config& config) {
  std::vector<std::string> kept;
  const auto keep = [&kept](const char* key, const auto& old, auto& value) {
    if (value != old) {
      kept.emplace_back(key);
      value = old;
    }
  };
  keep("server.listen", in_force.server.listen, config.server.listen);
  keep("log.file", in_force.log.file, config.log.file);
  keep("log.format", in_force.log.format, config.log.format);
  keep("log.rotate_mb", in_force.log.rotate_mb, config.log.rotate_mb);
  keep("log.keep", in_force.log.keep, config.log.keep);
  return kept;
}

}  // namespace weir::cli
