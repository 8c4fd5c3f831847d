#pragma once

// A configuration from a text, with a made-up environment.

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "weir/config/load.h"

namespace weir::config {

using Variables = std::map<std::string, std::string, std::less<>>;

inline Environment environment_with(Variables variables) {
  Environment environment;
  environment.variable =
      [variables = std::move(variables)](std::string_view name) -> std::optional<std::string> {
    const auto found = variables.find(name);
    return found == variables.end() ? std::nullopt : std::optional(found->second);
  };
  environment.working_directory = "/work-dir";
  environment.program_directory = "/program-dir";
  environment.home = "/home-dir";
  return environment;
}

inline constexpr std::string_view kSkeleton = R"([provider.taotoken]
base_url = "https://taotoken.net/api"
api_key = "sk-..."

[provider.taotoken.models]
long_context = "claude-3-5-sonnet"
fast_chat = "gpt-4o-mini"
code_agent = "claude-3-5-sonnet"

[local.llamacpp]
base_url = "http://127.0.0.1:8080/v1"
api_key = "no-key-needed"
model = "Qwen3.6-35B-Uncensored"

[routing]
threshold_tokens = 32768
long_route = "taotoken"
short_route = "local"
)";

// The least that loads; more keys can follow, they are in [local.a].
inline constexpr std::string_view kLeast = "[local.a]\nbase_url = \"http://127.0.0.1:8080\"\n";

inline base::Result<Loaded> parse(std::string_view text, Variables variables = {}) {
  return parse_config(text, "/etc/weir/config.toml", environment_with(std::move(variables)));
}

// The fault lines of `text`, or nothing when it loads.
inline std::vector<std::string> faults(std::string_view text, Variables variables = {}) {
  const auto loaded = parse(text, std::move(variables));
  std::vector<std::string> lines;
  if (loaded) {
    return lines;
  }
  std::string_view left = loaded.error().message;
  while (!left.empty()) {
    const auto end = std::min(left.find('\n'), left.size());
    lines.emplace_back(left.substr(0, end));
    left.remove_prefix(std::min(end + 1, left.size()));
  }
  return lines;
}

// The only fault of `text`, without the name of the file; otherwise what was wrong with that.
inline std::string fault(std::string_view text, Variables variables = {}) {
  const auto lines = faults(text, std::move(variables));
  constexpr std::string_view file = "/etc/weir/config.toml:";
  if (lines.size() != 1) {
    std::string all = std::to_string(lines.size()) + " faults";
    for (const std::string& line : lines) {
      all += "\n" + line;
    }
    return all;
  }
  return lines[0].starts_with(file) ? lines[0].substr(file.size()) : lines[0];
}

inline bool contains(std::string_view text, std::string_view part) {
  return text.find(part) != std::string_view::npos;
}

// kLeast with `more` behind it.
inline std::string with_least(std::string_view more) {
  return std::string(kLeast) + std::string(more);
}

// A folder that is gone with the test.
class TemporaryFolder {
 public:
  TemporaryFolder() {
    std::string name = (std::filesystem::temp_directory_path() / "weir-config-XXXXXX").string();
    path_ = mkdtemp(name.data());
  }
  ~TemporaryFolder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;

  const std::filesystem::path& path() const { return path_; }

  std::filesystem::path write(std::string_view name, std::string_view contents) const {
    const std::filesystem::path file = path_ / name;
    std::filesystem::create_directories(file.parent_path());
    std::ofstream(file, std::ios::binary) << contents;
    return file;
  }

 private:
  std::filesystem::path path_;
};

}  // namespace weir::config
