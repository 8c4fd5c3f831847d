#include "weir/service/systemd_unit.h"

#include <gtest/gtest.h>

#include <fstream>
#include <iterator>

namespace weir::service {
namespace {

bool has_line(const std::string& text, const std::string& line) {
  return text.find("\n" + line + "\n") != std::string::npos;
}

const UnitSettings kSystem{.for_user = false,
                           .program = "/usr/local/bin/weir",
                           .config = "/etc/weir/config.toml",
                           .credentials = {"cloud.key"}};

std::string shipped(const std::string& name) {
  std::ifstream in(std::string(WEIR_SOURCE_DIR) + "/config/" + name, std::ios::binary);
  const std::string text(std::istreambuf_iterator<char>(in), {});
  return text.substr(text.find("[Unit]"));
}

TEST(UnitText, WithTheUsualPathsItIsTheShippedFile) {
  const std::string text = unit_text(kSystem);
  EXPECT_EQ(text.substr(text.find("[Unit]")), shipped("weir.service"));
}

TEST(UnitText, NamesProgramConfigurationAndCredentials) {
  const std::string text = unit_text({.for_user = false,
                                      .program = "/opt/w/weir",
                                      .config = "/srv/w/c.toml",
                                      .credentials = {"a.key", "b%c"}});
  EXPECT_TRUE(has_line(text, "ExecStart=/opt/w/weir serve --config /srv/w/c.toml")) << text;
  EXPECT_TRUE(has_line(text, "LoadCredential=a.key:/srv/w/a.key\nLoadCredential=b%%c:/srv/w/b%%c"))
      << text;
}

TEST(UnitText, WithoutCredentialsItAsksForNone) {
  UnitSettings settings = kSystem;
  settings.credentials.clear();
  EXPECT_EQ(unit_text(settings).find("\nLoadCredential"), std::string::npos);
}

TEST(UnitText, PathsAreQuotedForSystemd) {
  const std::string text = unit_text({.for_user = true,
                                      .program = "/home/a b/50%/weir",
                                      .config = "/home/$x/\"q\"\\c.toml",
                                      .credentials = {}});
  EXPECT_TRUE(has_line(text,
                       "ExecStart=\"/home/a b/50%%/weir\" serve --config "
                       "\"/home/$$x/\\\"q\\\"\\\\c.toml\""))
      << text;
}

TEST(UnitText, AUsersUnitIsTheOtherFile) {
  const std::string text = unit_text({.for_user = true, .program = "/p", .config = "/c"});
  EXPECT_TRUE(has_line(text, "WantedBy=default.target"));
  EXPECT_EQ(text.find("DynamicUser"), std::string::npos);  // not for a manager without privileges
}

TEST(OriginOfUnit, KnowsWhatWasWritten) {
  EXPECT_EQ(origin_of_unit(unit_text(kSystem)), UnitOrigin::kWritten);
}

TEST(OriginOfUnit, SeesEveryChange) {
  const std::string text = unit_text(kSystem);
  EXPECT_EQ(origin_of_unit(text + "\n"), UnitOrigin::kEdited);
  EXPECT_EQ(origin_of_unit(text.substr(0, text.size() - 1)), UnitOrigin::kEdited);
  std::string changed = text;
  changed.replace(changed.find("TimeoutStopSec=45"), 17, "TimeoutStopSec=46");
  EXPECT_EQ(origin_of_unit(changed), UnitOrigin::kEdited);
}

TEST(OriginOfUnit, AnotherFileCountsAsChanged) {
  EXPECT_EQ(origin_of_unit(""), UnitOrigin::kEdited);
  EXPECT_EQ(origin_of_unit(shipped("weir.service")), UnitOrigin::kEdited);
}

}  // namespace
}  // namespace weir::service
