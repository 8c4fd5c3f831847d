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
  EXPECT_EQ(config.upstreams[1].connect_timeout, Seconds(2));
  EXPECT_EQ(config.routing.long_route, "provider.taotoken");
  EXPECT_EQ(config.routing.short_route, "local.llamacpp");
  EXPECT_EQ(config.routing.threshold_tokens, 32768U);
  EXPECT_TRUE(loaded->warnings.empty());
}

}  // namespace
}  // namespace weir::config
