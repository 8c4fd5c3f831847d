#include <gtest/gtest.h>

#include "loading.h"

namespace weir::config {
namespace {

base::Result<Loaded> launch(std::string_view keys) {
  return parse(with_least("[local.a.launch]\n" + std::string(keys)));
}

TEST(Launch, IsThereOnlyWhenItsTableIs) {
  const auto without = parse(kLeast);
  ASSERT_TRUE(without);
  EXPECT_FALSE(without->config.upstreams[0].launch);
  const auto with = launch("");
  ASSERT_TRUE(with);
  ASSERT_TRUE(with->config.upstreams[0].launch);
  EXPECT_EQ(with->config.upstreams[0].launch->server, "llama-server");
}

TEST(Launch, AllKeysAreRead) {
  const auto loaded = launch(
      "server = \"bin/llama-server\"\nmodel = \"m.gguf\"\nmmproj = '/p.gguf'\nctx_size = 0\n"
      "gpu_layers = 99\ncpu_moe = true\ncache_type_k = \"turbo3\"\ncache_type_v = \"q8_0\"\n"
      "flash_attn = true\nbatch_size = 2048\nubatch_size = 512\ncache_ram = -1\n"
      "slot_save_path = \"slots\"\nthreads = -1\nparallel = 2\nrope_scale = 2\n"
      "rope_freq_base = 1e6\nextra_args = [\"--mlock\"]\n");
  ASSERT_TRUE(loaded) << loaded.error().message;
  const Launch& read = *loaded->config.upstreams[0].launch;
  EXPECT_EQ(read.server, "/etc/weir/bin/llama-server");
  EXPECT_EQ(read.model, "/etc/weir/m.gguf");
  EXPECT_EQ(read.mmproj, "/p.gguf");
  EXPECT_EQ(read.ctx_size, 0U);
  EXPECT_EQ(read.gpu_layers, "99");
  EXPECT_EQ(read.cpu_moe, "all");
  EXPECT_EQ(read.cache_type_k, "turbo3");
  EXPECT_EQ(read.flash_attn, "on");
  EXPECT_EQ(read.cache_ram, -1);
  EXPECT_EQ(read.threads, -1);
  EXPECT_EQ(read.parallel, 2);
  EXPECT_EQ(read.rope_scale, 2.0);
  EXPECT_EQ(read.rope_freq_base, 1e6);
  EXPECT_EQ(read.extra_args, std::vector<std::string>{"--mlock"});
}

TEST(Launch, FaultsNameTheWholeKey) {
  EXPECT_EQ(fault(with_least("[local.a.launch]\nflash-attn = true\n")),
            "4:1: local.a.launch.flash-attn: unknown key; nearest is flash_attn in "
            "[local.NAME.launch]");
  EXPECT_TRUE(contains(fault(with_least("[local.a.launch]\ngpu_layers = \"lots\"\n")),
                       "4:14: local.a.launch.gpu_layers: \"lots\" is not known"));
  EXPECT_TRUE(contains(fault(with_least("[local.a.launch]\nserver = \"C:\\new\"\n")),
                       "4:10: local.a.launch.server: a control character"));
  EXPECT_TRUE(contains(fault(with_least("launch = true\n")), "a table is needed"));
}

}  // namespace
}  // namespace weir::config
