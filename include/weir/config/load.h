#pragma once

// Reads config.toml: finds the file, turns it into a Config, and says what is in force.
//
// Every fault of a file is found in one pass. No function here shows a key, neither in a fault nor
// in a print. Nothing here reads the process environment: it comes in through Environment.

#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "weir/base/result.h"
#include "weir/config/config.h"

namespace weir::config {

enum class Platform { kUnix, kWindows };

// The outside world of a configuration. A default-constructed one has no variables.
struct Environment {
  std::function<std::optional<std::string>(std::string_view name)> variable;
  // Why a file cannot be read, "there is no such file"; "" when nothing speaks against it. Empty:
  // the files that a configuration names are not looked at.
  std::function<std::string(const std::filesystem::path& file)> file_fault;
  std::filesystem::path working_directory;
  std::filesystem::path program_directory;
  std::filesystem::path home;
  Platform platform = Platform::kUnix;

  std::optional<std::string> get(std::string_view name) const;
};

// One value in force, for a person.
struct Setting {
  std::string table;   // "server", "provider.taotoken"; empty at top level
  std::string key;     // "listen"
  std::string value;   // as TOML, keys as "***"; empty: not set
  std::string origin;  // "config.toml:12", "variable NAME, config.toml:12" or "default"
};

struct Loaded {
  Config config;
  std::vector<Setting> settings;
  std::vector<std::string> warnings;     // "file:line:column: key: ...": it works, but look at it
  std::vector<std::string> variables;    // environment variables that ${NAME} takes, sorted
  std::vector<std::string> credentials;  // names in ${credential:NAME}, sorted
  std::vector<std::filesystem::path> files;  // of ${file:PATH} and ${credential:NAME}, sorted
};

// Errors: kCannotRun when the file cannot be read. kBadConfig when it has faults: the message holds
// all of them, one a line, each "file:line:column: key: what is wrong; what would be right".
base::Result<Loaded> load_config(const std::filesystem::path& path, const Environment& environment);

// The same for a text that is at hand. `path` is used for messages and for relative paths.
base::Result<Loaded> parse_config(std::string_view text, const std::filesystem::path& path,
                                  const Environment& environment);

// Where a configuration is looked for when no option and no WEIR_CONFIG names one, best first.
std::vector<std::filesystem::path> search_list(Platform platform, const Environment& environment);

// Where files go that weir can make again: the folder that systemd gives a service, else the user's
// own. Nothing when the environment names none.
std::optional<std::filesystem::path> cache_folder(const Environment& environment);

// The file to read. `from_option` is the value of --config.
// Errors: kCannotRun when the named one is not there, or none is found; the message has the list.
base::Result<std::filesystem::path> find_config(
    const std::optional<std::filesystem::path>& from_option, const Environment& environment);

// "127.0.0.1:8090", "[::1]:8090", "localhost:8090". Errors: kBadConfig, says what is wrong.
base::Result<ListenAddress> parse_listen(std::string_view text);

// Nothing when `server` may be started as it is; otherwise kBadConfig: an address that others reach
// needs [[server.keys]]. For whoever changes `listen` after the file was read (--listen).
base::Result<void> check_listen(const Server& server);

// Nothing when no upstream is weir itself; otherwise kBadConfig, "TABLE.base_url: ...": a request
// to it would come back for ever. Names that lead here by other ways show up when they are used
// (proxy/way.h). For whoever changes `listen` after the file was read.
base::Result<void> check_no_loop(const Config& config);

// The configuration in force as TOML, each line with its origin, keys as "***".
std::string print_config(const Loaded& loaded);

// The text of config/config.toml.
std::string_view example_config();

// A key that may stand in the file. NAME in `table` stands for a name that the user gives.
struct KeyDoc {
  std::string table;         // "", "server", "provider.NAME", ...
  std::string key;           // "listen"; "ALIAS" in provider.NAME.models
  std::string type;          // "integer", "number", "text", "path", "key", "flag", "list", "table"
  std::string unit;          // "seconds", "tokens", "bytes", ...; empty: none
  std::string default_text;  // as TOML; empty: not set
  std::string example;       // as TOML
  std::string summary;       // one line
  bool is_required = false;
};

// All of them, in the order of the documentation. The defaults are read from the structs.
std::vector<KeyDoc> known_keys();

}  // namespace weir::config
