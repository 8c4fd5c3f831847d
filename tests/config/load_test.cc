#include <gtest/gtest.h>

#include "loading.h"

namespace weir::config {
namespace {

TEST(LoadConfig, SkeletonWorksAsItStands) {
  const auto loaded = parse(kSkeleton);
  ASSERT_TRUE(loaded) << loaded.error().message;
  const Config& config = loaded->config;
  ASSERT_EQ(config.upstreams.size(), 2U);
  EXPECT_EQ(config.upstreams[0].full_name(), "provider.taotoken");
  EXPECT_EQ(config.upstreams[0].base_url.text(), "https://taotoken.net/api/v1");
  EXPECT_EQ(config.upstreams[0].api_key.reveal(), "sk-...");
  EXPECT_EQ(config.upstreams[0].models.at("fast_chat"), "gpt-4o-mini");
  EXPECT_EQ(config.upstreams[1].full_name(), "local.llamacpp");
  EXPECT_EQ(config.upstreams[1].base_url.text(), "http://127.0.0.1:8080/v1");
  EXPECT_EQ(config.upstreams[1].model, "Qwen3.6-35B-Uncensored");
  EXPECT_EQ(config.routing.long_route, "provider.taotoken");
  EXPECT_EQ(config.routing.short_route, "local.llamacpp");
  EXPECT_EQ(config.routing.threshold_tokens, 32768U);
  ASSERT_EQ(loaded->warnings.size(), 1U);  // all that it wants is a key
  EXPECT_TRUE(contains(loaded->warnings[0], "provider.taotoken.api_key: "));
}

TEST(LoadConfig, SkeletonWithChineseCommentsWorks) {
  std::string text = "# 我的配置：云端与本地\n" + std::string(kSkeleton);
  text.insert(text.find("\n[routing]"), "\n# 路由：超过阈值走云端");
  EXPECT_TRUE(parse(text));
}

TEST(LoadConfig, AllFaultsAreFoundInOnePass) {
  const auto lines = faults(
      "tineout = 1\n"
      "[server]\n"
      "listen = \"127.0.0.1:70000\"\n"
      "[provider.p]\n"
      "base_url = \"h.example\"\n"
      "[local.a]\n"
      "base_url = \"http://h\"\n"
      "timeout = \"30\"\n"
      "[routing]\n"
      "threshold_tokens = -1\n"
      "[log]\n"
      "level = \"loud\"\n");
  const std::vector<std::string> places{"1:1: tineout",
                                        "3:10: server.listen",
                                        "4:1: provider.p.api_key",
                                        "5:12: provider.p.base_url",
                                        "8:11: local.a.timeout",
                                        "10:20: routing.threshold_tokens",
                                        "12:9: log.level"};
  ASSERT_EQ(lines.size(), places.size());
  for (std::size_t i = 0; i < lines.size(); ++i) {
    EXPECT_TRUE(lines[i].starts_with("/etc/weir/config.toml:" + places[i] + ": ")) << lines[i];
    EXPECT_TRUE(contains(lines[i], "; ")) << "no remedy: " << lines[i];
  }
}

TEST(LoadConfig, AFileThatCannotBeReadIsNoFaultOfTheConfig) {
  const auto loaded = load_config("/no/such/config.toml", environment_with({}));
  ASSERT_FALSE(loaded);
  EXPECT_EQ(loaded.error().code, base::ErrorCode::kCannotRun);
  EXPECT_TRUE(contains(loaded.error().message, "/no/such/config.toml"));
}

TEST(LoadConfig, AFolderIsNoFile) {
  const TemporaryFolder folder;
  const auto loaded = load_config(folder.path(), environment_with({}));
  ASSERT_FALSE(loaded);
  EXPECT_EQ(loaded.error().code, base::ErrorCode::kCannotRun);
}

TEST(LoadConfig, ARelativePathIsFromTheWorkingDirectory) {
  const TemporaryFolder folder;
  folder.write("sub/config.toml", with_least("[log]\nfile = \"weir.log\"\n"));
  Environment environment = environment_with({});
  environment.working_directory = folder.path();
  const auto loaded = load_config("sub/config.toml", environment);
  ASSERT_TRUE(loaded) << loaded.error().message;
  EXPECT_EQ(loaded->config.path, folder.path() / "sub/config.toml");
  EXPECT_EQ(loaded->config.log.file, folder.path() / "sub/weir.log");
}

TEST(LoadConfig, AnEmptyFileSaysWhatItNeeds) {
  EXPECT_TRUE(contains(faults("")[0], "no upstream; write a table [local.NAME]"));
}

TEST(LoadConfig, FaultsHaveTheCodeOfABadConfig) {
  const auto loaded = parse("x = 1\n");
  ASSERT_FALSE(loaded);
  EXPECT_EQ(loaded.error().code, base::ErrorCode::kBadConfig);
}

TEST(FindUpstream, KnowsFullNamesOnly) {
  const auto loaded = parse(kSkeleton);
  ASSERT_TRUE(loaded);
  EXPECT_EQ(loaded->config.find("local.llamacpp"), &loaded->config.upstreams[1]);
  EXPECT_EQ(loaded->config.find("llamacpp"), nullptr);
}

}  // namespace
}  // namespace weir::config
