#include <gtest/gtest.h>

#include "loading.h"

namespace weir::config {
namespace {

std::string line_with(const std::string& text, std::string_view part) {
  const auto at = text.find(part);
  if (at == std::string::npos) {
    return "";
  }
  const auto begin = text.rfind('\n', at) + 1;
  return text.substr(begin, text.find('\n', at) - begin);
}

std::string printed(std::string_view text, Variables variables = {}) {
  const auto loaded = parse(text, std::move(variables));
  return loaded ? print_config(*loaded) : loaded.error().message;
}

TEST(PrintConfig, EachValueHasItsOrigin) {
  const std::string text = printed(with_least("model = \"${M}\"\n"), {{"M", "qwen"}});
  EXPECT_TRUE(text.starts_with("# /etc/weir/config.toml\n")) << text;
  EXPECT_TRUE(line_with(text, "base_url").ends_with("# config.toml:2")) << text;
  EXPECT_TRUE(line_with(text, "listen").ends_with("# default")) << text;
  EXPECT_TRUE(line_with(text, "model = \"qwen\"").ends_with("# variable M, config.toml:3")) << text;
  EXPECT_TRUE(contains(text, "# ca_file is not set")) << text;
}

TEST(PrintConfig, TimeoutFromTheTopSaysSo) {
  const std::string text = printed("timeout = 1.5\n" + std::string(kLeast));
  const std::string local = text.substr(text.find("[local.a]"));
  EXPECT_TRUE(line_with(local, "timeout = 1.5").ends_with("# config.toml:1")) << text;
}

TEST(PrintConfig, RoutesAreShownResolved) {
  const std::string text = printed(kSkeleton);
  EXPECT_TRUE(contains(text, "short_route = \"local.llamacpp\"")) << text;
  EXPECT_TRUE(contains(text, "long_route = \"provider.taotoken\"")) << text;
}

TEST(PrintConfig, WhatIsPrintedCanBeRead) {
  const std::string text = printed(kSkeleton);
  EXPECT_TRUE(parse(text)) << fault(text);
}

TEST(PrintConfig, LaunchNumbersCanBeReadAgain) {
  const std::string text =
      printed(with_least("[local.a.launch]\ngpu_layers = 99\ncpu_moe = true\n"));
  EXPECT_TRUE(contains(text, "gpu_layers = 99")) << text;
  EXPECT_TRUE(contains(text, "cpu_moe = \"all\"")) << text;
  EXPECT_TRUE(parse(text)) << fault(text);
}

TEST(Settings, EveryKnownKeyOfATableIsThere) {
  const auto loaded = parse(kSkeleton);
  ASSERT_TRUE(loaded);
  std::size_t server = 0;
  for (const Setting& setting : loaded->settings) {
    server += setting.table == "server" ? 1 : 0;
  }
  std::size_t known = 0;
  for (const KeyDoc& doc : known_keys()) {
    known += doc.table == "server" ? 1 : 0;
  }
  EXPECT_EQ(server, known);
}

}  // namespace
}  // namespace weir::config
