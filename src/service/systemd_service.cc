#include "weir/service/systemd_service.h"

#include <algorithm>
#include <fstream>
#include <map>
#include <optional>
#include <system_error>

#include "weir/os/process.h"

namespace weir::service {
namespace {

namespace fs = std::filesystem;
using base::Error;
using base::ErrorCode;
using base::Result;

constexpr std::uint64_t kUnitBytesMax = 262144;
constexpr auto kUnitPermissions =
    fs::perms::owner_read | fs::perms::owner_write | fs::perms::group_read | fs::perms::others_read;

Error cannot(const std::string& what, const std::string& why) {
  return {ErrorCode::kCannotRun, "cannot " + what + ": " + why};
}

std::string joined(const std::vector<std::string>& words) {
  std::string text;
  for (const std::string& word : words) {
    text += (text.empty() ? "" : " ") + word;
  }
  return text;
}

std::string first_line(const std::string& text) {
  return text.substr(0, text.find('\n'));
}

// Nothing when there is no such file.
Result<std::optional<std::string>> text_of(const fs::path& file) {
  std::error_code failed;
  if (!fs::exists(file, failed)) {
    return std::optional<std::string>();
  }
  auto text = os::read_file(file, kUnitBytesMax);
  if (!text) {
    return text.error();
  }
  return std::optional(*std::move(text));
}

// The file appears as a whole or not at all.
Result<void> write_file(const fs::path& file, const std::string& text) {
  const fs::path fresh = os::path_from_utf8(os::path_to_utf8(file) + ".new");
  std::error_code failed;
  fs::create_directories(file.parent_path(), failed);
  std::ofstream(fresh, std::ios::binary | std::ios::trunc) << text << std::flush;
  if (fs::file_size(fresh, failed) != text.size() || failed) {
    return cannot("write " + os::path_to_utf8(fresh), "is the folder there, and may you write?");
  }
  fs::permissions(fresh, kUnitPermissions, failed);
  fs::rename(fresh, file, failed);
  if (failed) {
    return cannot("write " + os::path_to_utf8(file), failed.message());
  }
  return {};
}

// "ActiveState=active" and so on, one a line.
std::map<std::string, std::string> properties_of(const std::string& output) {
  std::map<std::string, std::string> properties;
  for (std::size_t at = 0; at < output.size();) {
    const auto end = std::min(output.find('\n', at), output.size());
    const auto equals = output.find('=', at);
    if (equals < end) {
      properties[output.substr(at, equals - at)] = output.substr(equals + 1, end - equals - 1);
    }
    at = end + 1;
  }
  return properties;
}

}  // namespace

SystemdService::SystemdService(Options options, Run run, Say say)
    : options_(std::move(options)), run_(std::move(run)), say_(std::move(say)) {
}

Result<void> SystemdService::install(const UnitSettings& settings) {
  if (auto there = require_manager(); !there) {
    return there;
  }
  const auto is_new = write_unit(settings);
  if (!is_new) {
    return is_new.error();
  }
  const std::string unit(kUnitName);
  if (*is_new) {
    if (auto done = systemctl({"daemon-reload"}); !done) {
      return done;
    }
  }
  if (auto done = systemctl({"enable", unit}); !done) {
    return done;
  }
  return systemctl({*is_new ? "restart" : "start", unit});
}

Result<void> SystemdService::uninstall() {
  const auto text = text_of(unit_file());
  if (!text) {
    return text.error();
  }
  const std::string file = os::path_to_utf8(unit_file());
  if (!*text) {
    say_("there is no " + file + ": nothing to do");
    return {};
  }
  if (auto there = require_manager(); !there) {
    return there;
  }
  if (auto done = systemctl({"disable", "--now", std::string(kUnitName)}); !done) {
    return done;
  }
  if (origin_of_unit(**text) == UnitOrigin::kEdited) {
    if (auto kept = keep_old(); !kept) {
      return kept;
    }
  } else {
    say_((options_.dry_run ? "would remove " : "remove ") + file);
    std::error_code failed;
    if (!options_.dry_run && !fs::remove(unit_file(), failed)) {
      return cannot("remove " + file, failed.message());
    }
  }
  return systemctl({"daemon-reload"});
}

Result<bool> SystemdService::show_status() {
  say_unit();
  auto shown = ask({"show", std::string(kUnitName),
                    "--property=UnitFileState,ActiveState,SubState,StatusText,MainPID,NRestarts,"
                    "Result,FragmentPath"});
  if (!shown) {
    return shown.error();
  }
  if (shown->exit_code != 0) {
    return cannot("ask systemd", first_line(shown->output));
  }
  auto properties = properties_of(shown->output);
  const bool runs =
      properties["ActiveState"] == "active" || properties["ActiveState"] == "reloading";
  if (properties["FragmentPath"].empty()) {
    say_("state    not installed");
    return false;
  }
  say_("enabled  " + properties["UnitFileState"]);
  say_("state    " + properties["ActiveState"] + " (" + properties["SubState"] + ")" +
       (runs ? ", process " + properties["MainPID"] : ", result " + properties["Result"]) +
       ", restarted " + properties["NRestarts"] + " times");
  if (!properties["StatusText"].empty()) {
    say_("says     " + properties["StatusText"]);
  }
  return runs;
}

void SystemdService::say_unit() {
  const std::string file = os::path_to_utf8(unit_file());
  const auto text = text_of(unit_file());
  if (!text || !*text) {
    say_("unit     " + file + (text ? ", not there" : ", cannot be read"));
    return;
  }
  const bool edited = origin_of_unit(**text) == UnitOrigin::kEdited;
  say_("unit     " + file + (edited ? ", changed by hand" : ", as weir wrote it"));
}

// Asked before anything is written.
Result<void> SystemdService::require_manager() {
  if (options_.dry_run) {
    return {};
  }
  const auto state = ask({"is-system-running"});
  if (!state) {
    return state.error();
  }
  constexpr std::string_view kRunning[] = {"initializing", "starting",    "running",
                                           "degraded",     "maintenance", "stopping"};
  const std::string word = first_line(state->output);
  if (std::find(std::begin(kRunning), std::end(kRunning), word) == std::end(kRunning)) {
    return cannot(options_.for_user ? "reach the systemd of this user" : "reach systemd",
                  word.empty() ? "it does not run here" : word);
  }
  return {};
}

// True: systemd has something new to read.
Result<bool> SystemdService::write_unit(const UnitSettings& settings) {
  const std::string wanted = unit_text(settings);
  const std::string file = os::path_to_utf8(unit_file());
  const auto text = text_of(unit_file());
  if (!text) {
    return text.error();
  }
  if (*text && **text == wanted) {
    say_(file + " is as it should be");
    return false;
  }
  if (*text && origin_of_unit(**text) == UnitOrigin::kEdited) {
    if (!options_.replace) {
      return cannot("write " + file,
                    "it was changed by hand and is left as it is; put changes into a drop-in "
                    "(systemctl edit weir), or say --replace, which keeps it beside the new one");
    }
    if (auto kept = keep_old(); !kept) {
      return kept.error();
    }
  }
  if (options_.dry_run) {
    say_("would write " + file + ":\n" + wanted);
    return true;
  }
  say_("write " + file);
  if (auto written = write_file(unit_file(), wanted); !written) {
    return written.error();
  }
  return true;
}

// A unit that somebody changed is moved aside, never lost.
Result<void> SystemdService::keep_old() {
  const std::string file = os::path_to_utf8(unit_file());
  const std::string old = file + ".old";
  if (options_.dry_run) {
    say_("would keep " + file + ", which was changed by hand, as " + old);
    return {};
  }
  say_("keep " + file + ", which was changed by hand, as " + old);
  std::error_code failed;
  fs::rename(unit_file(), os::path_from_utf8(old), failed);
  return failed ? Result<void>(cannot("write " + old, failed.message())) : Result<void>();
}

Result<os::CommandResult> SystemdService::ask(std::vector<std::string> words) {
  std::vector<std::string> line{"systemctl"};
  if (options_.for_user) {
    line.emplace_back("--user");
  }
  line.insert(line.end(), std::make_move_iterator(words.begin()),
              std::make_move_iterator(words.end()));
  return run_(line);
}

Result<void> SystemdService::systemctl(std::vector<std::string> words) {
  const std::string shown =
      (options_.for_user ? "systemctl --user " : "systemctl ") + joined(words);
  say_((options_.dry_run ? "would run " : "run ") + shown);
  if (options_.dry_run) {
    return {};
  }
  const auto result = ask(std::move(words));
  if (!result) {
    return result.error();
  }
  if (result->exit_code != 0) {
    return cannot("do " + shown, "it said:\n" + result->output);
  }
  return {};
}

}  // namespace weir::service
