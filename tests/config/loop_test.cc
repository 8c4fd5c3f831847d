#include <gtest/gtest.h>

#include "loading.h"
#include "weir/config/load.h"

namespace weir::config {
namespace {

bool is_loop(const std::string& host, std::uint16_t port,
             const std::vector<ListenAddress>& listen) {
  Config config;
  config.server.listen = listen;
  config.upstreams.emplace_back();
  config.upstreams[0].base_url = {false, host, port, "/v1"};
  return !check_no_loop(config);
}

TEST(Loop, AnUpstreamAtWeirsOwnAddressIsAFault) {
  EXPECT_TRUE(contains(fault("[server]\nlisten = \"127.0.0.1:8080\"\n[local.a]\nbase_url = "
                             "\"http://127.0.0.1:8080\"\n"),
                       "4:12: local.a.base_url: this is where weir itself listens"));
  EXPECT_TRUE(contains(fault("[local.a]\nbase_url = \"http://127.0.0.1:8080\"\n"
                             "[provider.b]\nbase_url = \"http://localhost:8090\"\napi_key = \"k\"\n"
                             "[routing]\nlong_route = \"b\"\nshort_route = \"a\"\n"),
                       "4:12: provider.b.base_url: this is where weir itself listens"));
}

TEST(Loop, ByEveryNameOfTheMachineItself) {
  const std::vector<ListenAddress> loopback{{"127.0.0.1", 8090}};
  for (const std::string host : {"127.0.0.1", "localhost", "0.0.0.0", "::"}) {
    EXPECT_TRUE(is_loop(host, 8090, loopback)) << host;
  }
  for (const std::string host : {"127.0.0.1", "127.1.2.3", "localhost", "::1", "0.0.0.0"}) {
    EXPECT_TRUE(is_loop(host, 8090, {{"0.0.0.0", 8090}})) << host;
    EXPECT_TRUE(is_loop(host, 8090, {{"127.0.0.1", 1}, {"::", 8090}})) << host;
  }
  EXPECT_TRUE(is_loop("127.0.0.1", 8090, {{"localhost", 8090}}));
  EXPECT_TRUE(is_loop("box.lan", 8090, {{"box.lan", 8090}}));
}

TEST(Loop, OtherServersAreNone) {
  EXPECT_FALSE(is_loop("127.0.0.1", 8080, {{"127.0.0.1", 8090}}));
  EXPECT_FALSE(is_loop("127.0.0.2", 8090, {{"127.0.0.1", 8090}}));
  EXPECT_FALSE(is_loop("::1", 8090, {{"127.0.0.1", 8090}}));
  EXPECT_FALSE(is_loop("192.168.0.7", 8090, {{"0.0.0.0", 8090}}));
  EXPECT_FALSE(is_loop("box.lan", 8090, {{"localhost", 8090}}));
}

}  // namespace
}  // namespace weir::config
