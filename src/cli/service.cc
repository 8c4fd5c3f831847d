#include <algorithm>
#include <chrono>
#include <cstdio>

#include "commands.h"
#include "weir/os/command.h"
#include "weir/os/process.h"
#include "weir/service/systemd_service.h"

namespace weir::cli {
namespace {

namespace fs = std::filesystem;
using base::Error;
using base::ErrorCode;
using base::Result;

// systemctl waits for the service: longer than systemd's own 90 s for a start and 45 s for a stop.
constexpr std::chrono::seconds kSystemctlMax{180};
constexpr const char* kSystemConfig = "/etc/weir/config.toml";
constexpr const char* kSystemUnits = "/etc/systemd/system";

void say(const std::string& line) {
  std::printf("%s\n", line.c_str());
  std::fflush(stdout);
}

fs::path user_units(const config::Environment& environment) {
  const auto home = environment.get("XDG_CONFIG_HOME");
  const fs::path config = home && os::path_from_utf8(*home).is_absolute()
                              ? os::path_from_utf8(*home)
                              : environment.home / ".config";
  return config / "systemd" / "user";
}

weir::service::SystemdService service_for(const ServiceOptions& options) {
  const fs::path units = options.user ? user_units(process_environment()) : fs::path(kSystemUnits);
  return weir::service::SystemdService(
      {units, options.user, options.dry_run, options.replace},
      [](const std::vector<std::string>& words) { return os::run_command(words, kSystemctlMax); },
      say);
}

bool is_below(const fs::path& path, const fs::path& folder) {
  const auto [end, at] = std::mismatch(folder.begin(), folder.end(), path.begin(), path.end());
  static_cast<void>(at);
  return end == folder.end();
}

// The unit hides these from the service.
Result<void> check_program(const fs::path& program) {
  for (const char* hidden : {"/home", "/root", "/run/user", "/tmp", "/var/tmp"}) {
    if (is_below(program, hidden)) {
      return Error{ErrorCode::kCannotRun,
                   "a service of the system cannot see " + os::path_to_utf8(program) +
                       "; first: sudo install " + os::path_to_utf8(program) +
                       " /usr/local/bin/weir; then: sudo /usr/local/bin/weir service install"};
    }
  }
  return {};
}

// The service runs as a user of its own, which reads the file as anybody does.
Result<void> check_config_file(const fs::path& file) {
  std::error_code failed;
  const auto readable = fs::status(file, failed).permissions() & fs::perms::others_read;
  if (is_below(file, "/home") || is_below(file, "/root") || readable == fs::perms::none) {
    return Error{ErrorCode::kCannotRun,
                 "the service's own user cannot read " + os::path_to_utf8(file) +
                     "; keep keys out of it (api_key = \"${credential:cloud.key}\"), then: sudo "
                     "install -D -m 644 " +
                     os::path_to_utf8(file) + " " + kSystemConfig};
  }
  return {};
}

// The configuration that the service will read, without faults.
Result<config::Loaded> load_for(const ServiceOptions& options) {
  if (options.config || options.user) {
    return load(options.config);
  }
  std::error_code failed;
  if (!fs::exists(kSystemConfig, failed)) {
    return Error{ErrorCode::kCannotRun, std::string("there is no ") + kSystemConfig +
                                            "; sudo install -D -m 644 config.toml " +
                                            kSystemConfig + ", or name another with --config"};
  }
  return load(kSystemConfig);
}

void say_notes(const config::Loaded& loaded, const ServiceOptions& options) {
  for (const std::string& warning : loaded.warnings) {
    say("note: " + warning);
  }
  const std::string edit = options.user ? "systemctl --user edit weir" : "systemctl edit weir";
  for (const std::string& name : loaded.variables) {
    std::string note = "note: the configuration takes the environment variable " + name;
    note.append(", and a service has none of yours: give it one with \"").append(edit);
    note.append("\" (Environment=").append(name).append("=...), or use ${credential:NAME}");
    say(note);
  }
  if (options.user) {
    say("note: it ends with your session unless you say: loginctl enable-linger");
  }
}

Result<void> install(const ServiceOptions& options) {
  const auto loaded = load_for(options);
  if (!loaded) {
    return loaded.error();
  }
  const fs::path program = os::program_file();
  if (!options.user) {
    if (auto fit = check_program(program); !fit) {
      return fit;
    }
    if (auto fit = check_config_file(loaded->config.path); !fit) {
      return fit;
    }
  }
  say_notes(*loaded, options);
  return service_for(options).install({.for_user = options.user,
                                       .program = program,
                                       .config = loaded->config.path,
                                       .credentials = loaded->credentials});
}

Result<void> uninstall(const ServiceOptions& options) {
  auto done = service_for(options).uninstall();
  if (done) {
    say("the configuration and its keys stay where they are");
  }
  return done;
}

Result<void> may_change(const ServiceOptions& options) {
  if (!options.user && !options.dry_run && !os::is_privileged()) {
    return Error{ErrorCode::kCannotRun,
                 "a service of the system takes root: say sudo; or --user for one of your own"};
  }
  return {};
}

Result<int> show_status(const ServiceOptions& options) {
  const auto runs = service_for(options).show_status();
  if (!runs) {
    return runs.error();
  }
  return static_cast<int>(*runs ? kExitDone : kExitNo);
}

Result<int> act(const ServiceOptions& options) {
  if (os::is_windows()) {
    return Error{ErrorCode::kCannotRun, "this version of weir is no service on Windows yet"};
  }
  if (options.action == "status") {
    return show_status(options);
  }
  if (auto allowed = may_change(options); !allowed) {
    return allowed.error();
  }
  const auto done = options.action == "install" ? install(options) : uninstall(options);
  if (!done) {
    return done.error();
  }
  return static_cast<int>(kExitDone);
}

}  // namespace

int service(const ServiceOptions& options) {
  const auto exit_code = act(options);
  return exit_code ? *exit_code : report(exit_code.error());
}

}  // namespace weir::cli
