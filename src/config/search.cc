#include <fstream>

#include "shown.h"
#include "weir/base/text.h"
#include "weir/config/load.h"

namespace weir::config {
namespace {

using base::Error;
using base::ErrorCode;
using base::Result;
using std::filesystem::path;

constexpr std::string_view kFileName = "config.toml";

bool is_file(const path& candidate) {
  std::error_code failed;
  return std::filesystem::exists(candidate, failed) &&
         !std::filesystem::is_directory(candidate, failed);
}

// ~/.config/config.toml may be anyone's: it counts when it has a [routing] table.
path shared_file(const Environment& environment) {
  return environment.home.empty() ? path() : environment.home / ".config" / kFileName;
}

bool has_routing_table(const path& file) {
  std::ifstream in(file, std::ios::binary);
  std::string line;
  while (std::getline(in, line)) {
    std::erase_if(line, [](char c) { return c == ' ' || c == '\t'; });
    if (base::trim_pasted(line).starts_with("[routing]")) {
      return true;
    }
  }
  return false;
}

void add_variable_path(std::vector<path>& list, const Environment& environment,
                       std::string_view variable) {
  const auto value = environment.get(variable);
  if (value && !value->empty()) {
    list.push_back(path_of(*value) / "weir" / kFileName);
  }
}

void add_unix_paths(std::vector<path>& list, const Environment& environment) {
  const auto config_home = environment.get("XDG_CONFIG_HOME");
  if (config_home && path_of(*config_home).is_absolute()) {
    add_variable_path(list, environment, "XDG_CONFIG_HOME");
  } else if (!environment.home.empty()) {
    list.push_back(environment.home / ".config" / "weir" / kFileName);
  }
  if (!environment.home.empty()) {
    list.push_back(shared_file(environment));
  }
  list.push_back(path("/etc/weir") / kFileName);
}

Result<path> named(const path& wanted, const std::string& by, const Environment& environment) {
  const path file = wanted.is_absolute() ? wanted : environment.working_directory / wanted;
  if (is_file(file)) {
    return wanted;
  }
  return Error{ErrorCode::kCannotRun,
               "no file " + utf8_of(wanted) + ", which " + by + " names; check the path"};
}

std::optional<path> absolute_path(const Environment& environment, std::string_view variable) {
  const auto value = environment.get(variable);
  return value && path_of(*value).is_absolute() ? std::optional(path_of(*value)) : std::nullopt;
}

}  // namespace

std::optional<path> cache_folder(const Environment& environment) {
  if (environment.platform == Platform::kWindows) {
    const auto local = absolute_path(environment, "LOCALAPPDATA");
    return local ? std::optional(*local / "weir" / "cache") : std::nullopt;
  }
  // systemd's; of several folders the first.
  const std::string given = environment.get("CACHE_DIRECTORY").value_or("");
  if (const path first = path_of(given.substr(0, given.find(':'))); first.is_absolute()) {
    return first;
  }
  if (const auto xdg = absolute_path(environment, "XDG_CACHE_HOME")) {
    return *xdg / "weir";
  }
  return environment.home.is_absolute() ? std::optional(environment.home / ".cache" / "weir")
                                        : std::nullopt;
}

std::vector<path> search_list(Platform platform, const Environment& environment) {
  std::vector<path> list{environment.working_directory / kFileName};
  if (platform == Platform::kWindows) {
    add_variable_path(list, environment, "APPDATA");
    add_variable_path(list, environment, "PROGRAMDATA");
  } else {
    add_unix_paths(list, environment);
  }
  if (!environment.program_directory.empty()) {
    list.push_back(environment.program_directory / kFileName);
  }
  return list;
}

Result<path> find_config(const std::optional<path>& from_option, const Environment& environment) {
  if (from_option) {
    return named(*from_option, "--config", environment);
  }
  const auto from_variable = environment.get("WEIR_CONFIG");
  if (from_variable && !from_variable->empty()) {
    return named(path_of(*from_variable), "the variable WEIR_CONFIG", environment);
  }
  std::string tried;
  for (const path& candidate : search_list(environment.platform, environment)) {
    const bool is_shared = candidate == shared_file(environment);
    if (is_file(candidate) && (!is_shared || has_routing_table(candidate))) {
      return candidate;
    }
    tried += "\n  " + utf8_of(candidate) + (is_shared ? " (with a [routing] table)" : "");
  }
  return Error{
      ErrorCode::kCannotRun,
      "no config.toml found; make one with: weir config --example > config.toml\ntried:" + tried};
}

}  // namespace weir::config
