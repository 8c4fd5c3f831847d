#include <gtest/gtest.h>

#include "loading.h"

namespace weir::config {
namespace {

TEST(UnknownKey, NamesTheNearestKnownOne) {
  for (const auto& [more, found] : std::vector<std::pair<std::string, std::string>>{
           {"base_urll = 1\n",
            "local.a.base_urll: unknown key; nearest is base_url in [local.NAME]"},
           {"Base_Url = 1\n", "local.a.Base_Url: unknown key; nearest is base_url in [local.NAME]"},
           {"apikey = 1\n", "local.a.apikey: unknown key; nearest is api_key in [local.NAME]"},
           {"key = 1\n", "local.a.key: unknown key; nearest is api_key in [local.NAME]"},
           {"url = 1\n", "local.a.url: unknown key; nearest is base_url in [local.NAME]"},
           {"models = {}\n", "local.a.models: unknown key; nearest is model in [local.NAME]"},
           {"threshold_tokens = 1\n",
            "local.a.threshold_tokens: does not belong here; it belongs in [routing]"},
           {"[server]\ntimeout = 1\n",
            "server.timeout: does not belong here; it belongs at the top of the file or in "
            "[provider.NAME] or in [local.NAME]"},
           {"[log]\nlog_file = 1\n", "log.log_file: unknown key; nearest is file in [log]"},
           {"[tokenizer]\nzzzzzz = 1\n",
            "tokenizer.zzzzzz: unknown key; known in [tokenizer] are model, image_tokens, mmproj, "
            "image_min_tokens, image_max_tokens"}}) {
    EXPECT_TRUE(contains(fault(with_least(more)), found)) << fault(with_least(more));
  }
}

TEST(UnknownKey, NamesTheNearestTable) {
  for (const auto& [header, found] : std::vector<std::pair<std::string, std::string>>{
           {"[providers.x]", "providers: no such table; nearest is [provider.NAME]"},
           {"[locals.x]", "locals: no such table; nearest is [local.NAME]"},
           {"[rounting]", "rounting: no such table; nearest is [routing]"},
           {"[logging]", "logging: no such table; nearest is [log]"},
           {"[[servers]]", "servers: no such table; nearest is [server]"},
           {"[zzzzzz]", "zzzzzz: no such table; known are [server], "}}) {
    EXPECT_TRUE(contains(fault(with_least(header + "\n")), found))
        << fault(with_least(header + "\n"));
  }
}

TEST(UnknownKey, ATableWithoutANameIsExplained) {
  EXPECT_TRUE(contains(fault(with_least("[provider]\nbase_url = \"https://h\"\n")),
                       "4:1: provider.base_url: does not belong here; it belongs in "
                       "[provider.NAME]"));
  EXPECT_TRUE(contains(fault("provider = \"x\"\n" + std::string(kLeast)),
                       "1:1: provider: a table with a name is needed; write [provider.NAME]"));
  EXPECT_TRUE(
      contains(fault(with_least("[[provider.p]]\nbase_url = \"https://h\"\n")), "single brackets"));
  EXPECT_TRUE(contains(fault("routing = 1\n" + std::string(kLeast)),
                       "1:1: routing: a table is needed; write [routing]"));
}

TEST(UnknownKey, ASlipInASubTableIsExplained) {
  EXPECT_TRUE(contains(
      fault(with_least(
          "[provider.p]\nbase_url = \"https://h\"\napi_key = \"k\"\n[provider.p.model]\n")),
      "6:13: provider.p.model: unknown key; nearest is models in [provider.NAME]"));
}

}  // namespace
}  // namespace weir::config
