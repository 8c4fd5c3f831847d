#pragma once

// weir as a service under systemd: its unit file is written, enabled and started, or all of that
// taken back. Every step is said in a line of its own.

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "weir/base/result.h"
#include "weir/os/command.h"
#include "weir/service/systemd_unit.h"

namespace weir::service {

class SystemdService {
 public:
  // Runs systemctl with its arguments.
  using Run = std::function<base::Result<os::CommandResult>(const std::vector<std::string>& words)>;
  using Say = std::function<void(const std::string& line)>;

  struct Options {
    std::filesystem::path unit_folder;  // "/etc/systemd/system", "~/.config/systemd/user"
    bool for_user = false;
    bool dry_run = false;  // only says what it would do; nothing is written and nothing is run
    bool replace = false;  // also a unit that was changed by hand; the old one is kept beside it
  };
  SystemdService(Options options, Run run, Say say);

  // Does nothing twice: a second call with the same settings leaves the file alone and the service
  // running. Errors: kCannotRun when no such systemd runs here, the unit was changed by hand (it is
  // left as it is), or a step fails; what was done before it has been said.
  base::Result<void> install(const UnitSettings& settings);
  // The configuration, its keys and the cache stay. Errors: kCannotRun.
  base::Result<void> uninstall();
  // Says what there is; true when the service runs. Errors: kCannotRun.
  base::Result<bool> show_status();

 private:
  std::filesystem::path unit_file() const { return options_.unit_folder / kUnitName; }
  base::Result<void> require_manager();
  base::Result<bool> write_unit(const UnitSettings& settings);
  base::Result<void> keep_old();
  base::Result<void> systemctl(std::vector<std::string> words);
  base::Result<os::CommandResult> ask(std::vector<std::string> words);
  void say_unit();

  const Options options_;
  const Run run_;
  const Say say_;
};

}  // namespace weir::service
