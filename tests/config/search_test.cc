#include <gtest/gtest.h>

#include "loading.h"

namespace weir::config {
namespace {

using std::filesystem::path;

// Everything inside one folder, so that no file of this machine counts. /etc/weir is the exception.
Environment inside(const TemporaryFolder& folder, Variables variables = {}) {
  Environment environment = environment_with(std::move(variables));
  environment.working_directory = folder.path() / "work";
  environment.program_directory = folder.path() / "program";
  environment.home = folder.path() / "home";
  return environment;
}

TEST(SearchList, UnixOrder) {
  EXPECT_EQ(search_list(Platform::kUnix, environment_with({{"XDG_CONFIG_HOME", "/xdg"}})),
            (std::vector<path>{"/work-dir/config.toml", "/xdg/weir/config.toml",
                               "/home-dir/.config/config.toml", "/etc/weir/config.toml",
                               "/program-dir/config.toml"}));
}

TEST(SearchList, UnixWithoutXdgUsesTheHome) {
  for (const Variables& variables : {Variables{}, Variables{{"XDG_CONFIG_HOME", ""}},
                                     Variables{{"XDG_CONFIG_HOME", "relative"}}}) {
    EXPECT_EQ(search_list(Platform::kUnix, environment_with(variables))[1],
              "/home-dir/.config/weir/config.toml");
  }
}

TEST(SearchList, WindowsOrder) {
  EXPECT_EQ(search_list(Platform::kWindows,
                        environment_with({{"APPDATA", "/app"}, {"PROGRAMDATA", "/data"}})),
            (std::vector<path>{"/work-dir/config.toml", "/app/weir/config.toml",
                               "/data/weir/config.toml", "/program-dir/config.toml"}));
}

TEST(CacheFolder, IsTheServicesThenTheUsers) {
  EXPECT_EQ(cache_folder(environment_with(
                {{"CACHE_DIRECTORY", "/var/cache/weir:/other"}, {"XDG_CACHE_HOME", "/xdg"}})),
            path("/var/cache/weir"));
  EXPECT_EQ(cache_folder(environment_with({{"XDG_CACHE_HOME", "/xdg"}})), path("/xdg/weir"));
  for (const Variables& variables :
       {Variables{}, Variables{{"XDG_CACHE_HOME", "relative"}, {"CACHE_DIRECTORY", ""}}}) {
    EXPECT_EQ(cache_folder(environment_with(variables)), path("/home-dir/.cache/weir"));
  }
}

TEST(CacheFolder, OnWindowsIsTheUsers) {
  Environment environment = environment_with({{"LOCALAPPDATA", "/local"}});
  environment.platform = Platform::kWindows;
  EXPECT_EQ(cache_folder(environment), path("/local") / "weir" / "cache");
  environment.variable = nullptr;
  EXPECT_EQ(cache_folder(environment), std::nullopt);
}

TEST(CacheFolder, WithoutAHomeIsNone) {
  EXPECT_EQ(cache_folder(Environment()), std::nullopt);
}

TEST(FindConfig, OptionBeatsVariableBeatsFolder) {
  const TemporaryFolder folder;
  folder.write("work/config.toml", kLeast);
  const path variable = folder.write("variable.toml", kLeast);
  const path option = folder.write("option.toml", kLeast);
  const Environment environment = inside(folder, {{"WEIR_CONFIG", variable.string()}});
  EXPECT_EQ(*find_config(option, environment), option);
  EXPECT_EQ(*find_config(std::nullopt, environment), variable);
  EXPECT_EQ(*find_config(std::nullopt, inside(folder)), folder.path() / "work/config.toml");
}

TEST(FindConfig, ARelativeOptionIsFromTheWorkingDirectory) {
  const TemporaryFolder folder;
  folder.write("work/my.toml", kLeast);
  const auto found = find_config("my.toml", inside(folder));
  ASSERT_TRUE(found);
  EXPECT_TRUE(load_config(*found, inside(folder)));
}

TEST(FindConfig, ANamedFileMustBeThere) {
  const TemporaryFolder folder;
  folder.write("work/config.toml", kLeast);
  const auto option = find_config("nope.toml", inside(folder));
  ASSERT_FALSE(option);
  EXPECT_EQ(option.error().code, base::ErrorCode::kCannotRun);
  EXPECT_TRUE(contains(option.error().message, "nope.toml, which --config names"));
  const auto variable = find_config(std::nullopt, inside(folder, {{"WEIR_CONFIG", "gone.toml"}}));
  ASSERT_FALSE(variable);
  EXPECT_TRUE(contains(variable.error().message, "gone.toml, which the variable WEIR_CONFIG"));
}

TEST(FindConfig, TheSharedFileCountsOnlyWithRouting) {
  const TemporaryFolder folder;
  folder.write("home/.config/config.toml", "[other]\n");
  folder.write("program/config.toml", kLeast);
  EXPECT_EQ(*find_config(std::nullopt, inside(folder)), folder.path() / "program/config.toml");
  folder.write("home/.config/config.toml", "# mine\n [ routing ] # here\n");
  EXPECT_EQ(*find_config(std::nullopt, inside(folder)), folder.path() / "home/.config/config.toml");
}

TEST(FindConfig, NoneFoundSaysWhatWasTriedAndHowToMakeOne) {
  const TemporaryFolder folder;
  const auto found = find_config(std::nullopt, inside(folder));
  ASSERT_FALSE(found);
  EXPECT_EQ(found.error().code, base::ErrorCode::kCannotRun);
  EXPECT_TRUE(contains(found.error().message, "weir config --example > config.toml"));
  for (const path& tried : search_list(Platform::kUnix, inside(folder))) {
    EXPECT_TRUE(contains(found.error().message, "\n  " + tried.string())) << tried;
  }
}

TEST(FindConfig, AFolderOfThatNameIsNoFile) {
  const TemporaryFolder folder;
  std::filesystem::create_directories(folder.path() / "work/config.toml");
  EXPECT_FALSE(find_config(std::nullopt, inside(folder)));
}

}  // namespace
}  // namespace weir::config
