#include <gtest/gtest.h>

#include "loading.h"

namespace weir::config {
namespace {

constexpr std::string_view kCloud = "[provider.p]\nbase_url = \"https://h\"\napi_key = \"k\"\n";

TEST(Upstreams, ConnectTimeoutDependsOnTheKind) {
  const auto loaded = parse(with_least(kCloud));
  ASSERT_TRUE(loaded) << loaded.error().message;
  EXPECT_EQ(loaded->config.find("local.a")->connect_timeout, Seconds(2));
  EXPECT_EQ(loaded->config.find("provider.p")->connect_timeout, Seconds(5));
}

TEST(Upstreams, TimeoutAtTheTopIsForAll) {
  const auto loaded =
      parse("timeout = 0.5\n" + with_least("") + std::string(kCloud) + "timeout = 7\n");
  ASSERT_TRUE(loaded) << loaded.error().message;
  EXPECT_EQ(loaded->config.find("local.a")->timeout, Seconds(0.5));
  EXPECT_EQ(loaded->config.find("provider.p")->timeout, Seconds(7));
}

TEST(Upstreams, AllKeysAreRead) {
  const auto loaded = parse(with_least(
      "idle_timeout = 3\nmax_concurrent = 2\nca_file = \"ca.pem\"\nproxy = \"http://Box:3128/\"\n"
      "context_tokens = 8192\nvision = true\naudio = false\nmodel = \"m\"\nqueue_wait = 1.5\n"));
  ASSERT_TRUE(loaded) << loaded.error().message;
  const Upstream& local = loaded->config.upstreams[0];
  EXPECT_EQ(local.idle_timeout, Seconds(3));
  EXPECT_EQ(local.max_concurrent, 2U);
  EXPECT_EQ(local.ca_file, "/etc/weir/ca.pem");
  EXPECT_EQ(local.proxy, "http://box:3128");
  EXPECT_EQ(local.context_tokens, 8192U);
  EXPECT_EQ(local.vision, true);
  EXPECT_EQ(local.audio, false);
  EXPECT_EQ(local.model, "m");
  EXPECT_EQ(local.queue_wait, Seconds(1.5));
}

TEST(Upstreams, BaseUrlAndTheKeyOfAProviderAreRequired) {
  EXPECT_TRUE(
      contains(fault("[local.a]\n"), "1:1: local.a.base_url: is missing; write base_url ="));
  EXPECT_TRUE(contains(fault("[provider.p]\nbase_url = \"https://h\"\n"),
                       "1:1: provider.p.api_key: is missing; write api_key ="));
}

TEST(Upstreams, ALocalKeyMayBeLeftOutOrEmpty) {
  EXPECT_TRUE(parse(kLeast));
  EXPECT_TRUE(parse(with_least("api_key = \"\"\n")));
}

TEST(Upstreams, NamesArePlain) {
  EXPECT_TRUE(contains(fault("[local.\"a/b\"]\nbase_url = \"http://h\"\n"), "other letters"));
  EXPECT_TRUE(
      contains(fault("[local.\"\xE4\xBD\xA0\"]\nbase_url = \"http://h\"\n"), "other letters"));
  EXPECT_TRUE(contains(fault("[local.auto]\nbase_url = \"http://h\"\n"), "meaning of its own"));
  EXPECT_TRUE(contains(fault("[provider.local]\nbase_url = \"https://h\"\napi_key = \"k\"\n"),
                       "meaning of its own"));
}

TEST(Upstreams, AliasesHaveAnId) {
  const std::string head = std::string(kCloud) + "[provider.p.models]\n";
  const auto loaded = parse(head + "\xE9\x95\xBF = \"x\"\n");
  EXPECT_FALSE(loaded);  // TOML wants quotes here
  EXPECT_TRUE(parse(head + "\"\xE9\x95\xBF\" = \"x\"\n"));
  EXPECT_TRUE(
      contains(fault(head + "a = \"\"\n"), "5:5: provider.p.models.a: the model id is empty"));
  EXPECT_TRUE(contains(fault(head + "a = 1\n"), "text in quotes is needed"));
  EXPECT_TRUE(contains(fault(head + "auto = \"x\"\n"), "weir's own word"));
  EXPECT_TRUE(contains(fault(std::string(kCloud) + "models = \"x\"\n"), "a table of alias"));
}

TEST(Upstreams, ProxyIsHttpWithAPort) {
  for (const std::string_view wrong :
       {"socks5://h:1", "http://h", "h:1", "http://h:1/x", "http://u:p@h:1", "http://h:0"}) {
    EXPECT_TRUE(contains(fault(with_least("proxy = \"" + std::string(wrong) + "\"\n")),
                         "3:9: local.a.proxy: "))
        << wrong;
  }
  const auto none = parse(with_least("proxy = \"\"\n"));
  ASSERT_TRUE(none);
  EXPECT_EQ(none->config.upstreams[0].proxy, "");
}

std::vector<std::string> key_warnings(std::string_view key, std::string_view kind = "provider",
                                      Variables variables = {}) {
  const std::string table = "[" + std::string(kind) + ".a]\nbase_url = \"http://h\"\n";
  const auto loaded = parse(table + "api_key = \"" + std::string(key) +
                                "\"\n[routing]\ncloud_model = \"x\"\n",
                            std::move(variables));
  EXPECT_TRUE(loaded) << loaded.error().message;
  return loaded ? loaded->warnings : std::vector<std::string>();
}

TEST(ProviderKey, AnExamplesPlaceholderIsWarnedOfWithoutBeingShown) {
  for (const std::string_view key :
       {"sk-...", "sk-", "sk-xxxx", "sk-XXXXXXXX", "***", "your-api-key", "YOUR_API_KEY",
        "sk-your-key-here", "your-taotoken-key", "<key>", "changeme"}) {
    const auto warnings = key_warnings(key);
    ASSERT_EQ(warnings.size(), 1U) << key;
    EXPECT_TRUE(warnings[0].starts_with("/etc/weir/config.toml:3:11: provider.a.api_key: this is "))
        << warnings[0];
    EXPECT_EQ(warnings[0].find("api_key: " + std::string(key)), std::string::npos) << warnings[0];
    EXPECT_EQ(warnings[0].find("\"" + std::string(key)), std::string::npos) << warnings[0];
  }
}

TEST(ProviderKey, APlaceholderOfAVariableNamesTheVariable) {
  const auto warnings = key_warnings("${CLOUD}", "provider", {{"CLOUD", "sk-..."}});
  ASSERT_EQ(warnings.size(), 1U);
  EXPECT_TRUE(contains(warnings[0], "(from variable CLOUD)")) << warnings[0];
}

TEST(ProviderKey, WhatCouldBeAKeyIsNot) {
  for (const std::string_view key : {"x", "key", "sk-x", "sk-proj-abc...", "yourself", "any",
                                     "sk-4f9x", "cloud-key-canary-2", "no-key-needed"}) {
    EXPECT_TRUE(key_warnings(key).empty()) << key;
  }
}

TEST(LocalKey, APlaceholderIsAsGoodAsAnyOther) {
  EXPECT_TRUE(key_warnings("sk-...", "local").empty());
}

}  // namespace
}  // namespace weir::config
