#include <gtest/gtest.h>

#include "weir_fixture.h"

namespace weir::flow {
namespace {

// Its own address is not in the configuration (port 0), so only the request itself can tell.
TEST(Loop, ARequestThatComesBackIsRefusedAndCostsNothing) {
  Weir weir;
  const auto port = weir.port();
  ASSERT_TRUE(weir.reload([&](config::Config& config) {
    local_of(config).base_url.port = port;
    local_of(config).max_concurrent = 1;
  }));
  for (const auto members : {std::string_view(), kStream}) {
    const Reply reply = ask(port, short_chat(members));
    EXPECT_EQ(reply.status, 508);
    EXPECT_NE(reply.body.find(R"("code":"loop")"), std::string::npos) << reply.body;
  }
  EXPECT_EQ(weir.cloud().request_count(), 0U);
  EXPECT_TRUE(
      weir.wait_for_log("status=508", 4));  // of each request two lines: its own, its echo's
}

TEST(Loop, TwoWeirsInARowAreNone) {
  Weir second;
  Weir first([&](config::Config& config) { local_of(config).base_url.port = second.port(); });
  const Reply reply = ask(first.port(), short_chat());
  EXPECT_EQ(reply.status, 200);
  EXPECT_EQ(second.local().request_count(), 1U);
}

TEST(Loop, TwoWeirsThatLeadToEachOtherAreOne) {
  Weir second;
  Weir first([&](config::Config& config) { local_of(config).base_url.port = second.port(); });
  const auto port = first.port();
  ASSERT_TRUE(
      second.reload([&](config::Config& config) { local_of(config).base_url.port = port; }));
  EXPECT_EQ(ask(first.port(), short_chat()).status, 508);
  EXPECT_EQ(first.cloud().request_count() + second.cloud().request_count(), 0U);
}

}  // namespace
}  // namespace weir::flow
