#include "weir/service/systemd_service.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <iterator>
#include <map>
#include <random>

namespace weir::service {
namespace {

namespace fs = std::filesystem;
using Lines = std::vector<std::string>;

// A machine with a folder for units and a systemctl that writes down what it is asked.
class Machine {
 public:
  Machine() { fs::create_directories(folder_); }
  ~Machine() { fs::remove_all(folder_); }
  Machine(const Machine&) = delete;
  Machine& operator=(const Machine&) = delete;

  SystemdService service(bool replace = false, bool dry_run = false, bool for_user = false) {
    return SystemdService(
        {folder_ / "units", for_user, dry_run, replace},
        [this](const Lines& words) -> base::Result<os::CommandResult> {
          std::string line;
          for (const std::string& word : words) {
            line += (line.empty() ? "" : " ") + word;
          }
          ran.push_back(line);
          const auto found = answers.find(words.at(for_user_words(words)));
          return found == answers.end() ? os::CommandResult{} : found->second;
        },
        [this](const std::string& line) { said.push_back(line); });
  }

  std::string unit() const {
    std::ifstream in(unit_file(), std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
  }
  void edit_unit() const { std::ofstream(unit_file(), std::ios::app) << "# mine\n"; }
  fs::path unit_file() const { return folder_ / "units" / "weir.service"; }
  fs::path old_file() const { return folder_ / "units" / "weir.service.old"; }
  bool has_said(const std::string& part) const {
    return std::any_of(said.begin(), said.end(), [&](const std::string& line) {
      return line.find(part) != std::string::npos;
    });
  }

  Lines ran;
  Lines said;
  std::map<std::string, os::CommandResult> answers{{"is-system-running", {1, "degraded\n"}}};

 private:
  static std::size_t for_user_words(const Lines& words) { return words.at(1) == "--user" ? 2 : 1; }

  const fs::path folder_ =
      fs::temp_directory_path() / ("weir-service-" + std::to_string(std::random_device()()));
};

const UnitSettings kSettings{
    .for_user = false, .program = "/usr/bin/weir", .config = "/etc/weir/config.toml"};

TEST(SystemdService, InstallWritesEnablesAndStarts) {
  Machine machine;
  ASSERT_TRUE(machine.service().install(kSettings));
  EXPECT_EQ(machine.unit(), unit_text(kSettings));
  EXPECT_EQ(machine.ran,
            (Lines{"systemctl is-system-running", "systemctl daemon-reload",
                   "systemctl enable weir.service", "systemctl restart weir.service"}));
  EXPECT_EQ(fs::status(machine.unit_file()).permissions(),
            fs::perms::owner_read | fs::perms::owner_write | fs::perms::group_read |
                fs::perms::others_read);
  EXPECT_TRUE(machine.has_said("write " + machine.unit_file().string()));
}

TEST(SystemdService, ASecondInstallChangesNothing) {
  Machine machine;
  ASSERT_TRUE(machine.service().install(kSettings));
  machine.ran.clear();
  ASSERT_TRUE(machine.service().install(kSettings));
  EXPECT_EQ(machine.ran, (Lines{"systemctl is-system-running", "systemctl enable weir.service",
                                "systemctl start weir.service"}));
}

TEST(SystemdService, ItsOwnOldUnitIsReplaced) {
  Machine machine;
  ASSERT_TRUE(machine.service().install(kSettings));
  UnitSettings other = kSettings;
  other.program = "/opt/weir";
  ASSERT_TRUE(machine.service().install(other));
  EXPECT_EQ(machine.unit(), unit_text(other));
  EXPECT_FALSE(fs::exists(machine.old_file()));
}

TEST(SystemdService, AnEditedUnitIsLeftAlone) {
  for (const bool dry_run : {false, true}) {
    Machine machine;
    ASSERT_TRUE(machine.service().install(kSettings));
    machine.edit_unit();
    const std::string edited = machine.unit();
    machine.ran.clear();
    const auto refused = machine.service(false, dry_run).install(kSettings);
    ASSERT_FALSE(refused);
    EXPECT_NE(refused.error().message.find("changed by hand"), std::string::npos);
    EXPECT_EQ(machine.unit(), edited);
    EXPECT_EQ(machine.ran, dry_run ? Lines{} : Lines{"systemctl is-system-running"});
  }
}

TEST(SystemdService, AnEditedUnitIsKeptWhenItIsReplaced) {
  Machine machine;
  ASSERT_TRUE(machine.service().install(kSettings));
  machine.edit_unit();
  ASSERT_TRUE(machine.service(true).install(kSettings));
  EXPECT_EQ(machine.unit(), unit_text(kSettings));
  EXPECT_TRUE(fs::exists(machine.old_file()));
  EXPECT_TRUE(machine.has_said("changed by hand"));
}

TEST(SystemdService, ADryRunTouchesNothing) {
  Machine machine;
  ASSERT_TRUE(machine.service(false, true).install(kSettings));
  EXPECT_FALSE(fs::exists(machine.unit_file()));
  EXPECT_TRUE(machine.ran.empty());
  EXPECT_TRUE(machine.has_said(unit_text(kSettings)));
  EXPECT_TRUE(machine.has_said("would run systemctl enable weir.service"));
  ASSERT_TRUE(machine.service().install(kSettings));
  machine.ran.clear();
  ASSERT_TRUE(machine.service(false, true).uninstall());
  EXPECT_TRUE(fs::exists(machine.unit_file()));
  EXPECT_TRUE(machine.ran.empty());
}

TEST(SystemdService, WithoutARunningSystemdNothingIsWritten) {
  for (const char* state : {"offline\n", "", "unknown\n", "Failed to connect to bus\n"}) {
    Machine machine;
    machine.answers["is-system-running"] = {1, state};
    EXPECT_FALSE(machine.service().install(kSettings)) << state;
    EXPECT_FALSE(fs::exists(machine.unit_file())) << state;
  }
}

TEST(SystemdService, AStepThatFailsEndsItAndIsTold) {
  Machine machine;
  machine.answers["enable"] = {1, "no such unit\n"};
  const auto failed = machine.service().install(kSettings);
  ASSERT_FALSE(failed);
  EXPECT_NE(failed.error().message.find("no such unit"), std::string::npos);
  EXPECT_EQ(machine.ran.back(), "systemctl enable weir.service");
}

TEST(SystemdService, AUsersServiceIsAskedOfTheUsersManager) {
  Machine machine;
  ASSERT_TRUE(machine.service(false, false, true).install(kSettings));
  EXPECT_EQ(machine.ran.back(), "systemctl --user restart weir.service");
}

TEST(SystemdService, UninstallStopsAndRemoves) {
  Machine machine;
  ASSERT_TRUE(machine.service().install(kSettings));
  machine.ran.clear();
  ASSERT_TRUE(machine.service().uninstall());
  EXPECT_FALSE(fs::exists(machine.unit_file()));
  EXPECT_EQ(machine.ran,
            (Lines{"systemctl is-system-running", "systemctl disable --now weir.service",
                   "systemctl daemon-reload"}));
}

TEST(SystemdService, UninstallKeepsAnEditedUnitBeside) {
  Machine machine;
  ASSERT_TRUE(machine.service().install(kSettings));
  machine.edit_unit();
  ASSERT_TRUE(machine.service().uninstall());
  EXPECT_FALSE(fs::exists(machine.unit_file()));
  EXPECT_TRUE(fs::exists(machine.old_file()));
}

TEST(SystemdService, UninstallOfNothingIsNoFault) {
  Machine machine;
  ASSERT_TRUE(machine.service().uninstall());
  EXPECT_TRUE(machine.ran.empty());
  EXPECT_TRUE(machine.has_said("nothing to do"));
}

TEST(SystemdService, StatusTellsWhatRuns) {
  Machine machine;
  ASSERT_TRUE(machine.service().install(kSettings));
  machine.said.clear();
  machine.answers["show"] = {0,
                             "UnitFileState=enabled\nActiveState=active\nSubState=running\n"
                             "StatusText=listens on 127.0.0.1:8090\nMainPID=42\nNRestarts=1\n"
                             "Result=success\nFragmentPath=/etc/systemd/system/weir.service\n"};
  const auto runs = machine.service().show_status();
  ASSERT_TRUE(runs);
  EXPECT_TRUE(*runs);
  EXPECT_TRUE(machine.has_said("as weir wrote it"));
  EXPECT_TRUE(machine.has_said("active (running), process 42, restarted 1 times"));
  EXPECT_TRUE(machine.has_said("listens on 127.0.0.1:8090"));
}

TEST(SystemdService, StatusOfNothingSaysSo) {
  Machine machine;
  machine.answers["show"] = {0, "ActiveState=inactive\nSubState=dead\nFragmentPath=\n"};
  const auto runs = machine.service().show_status();
  ASSERT_TRUE(runs);
  EXPECT_FALSE(*runs);
  EXPECT_TRUE(machine.has_said("not installed"));
  machine.answers["show"] = {1, "System has not been booted with systemd\n"};
  EXPECT_FALSE(machine.service().show_status());
}

}  // namespace
}  // namespace weir::service
