// What is known of a server that does not work decides about the next request.

#include <gtest/gtest.h>

#include "weir_fixture.h"

namespace weir::flow {
namespace {

constexpr std::string_view kDown = R"("state":"down")";

// It takes connections and answers nothing: a request would wait for the whole of `timeout`.
void hang(Weir& weir) {
  weir.local().set_probes({.closes = true});
  weir.local().always([](Talk& talk) { talk.wait_for_close(); });
}

Reply status_of(const Weir& weir) {
  RawClient client(weir.port());
  client.send(request_text("GET /weir/status", "", ""));
  return client.read_reply();
}

TEST(Outage, AHungServerIsNotTriedWhileAnotherTakesTheRequest) {
  Weir weir;
  hang(weir);
  ASSERT_TRUE(weir.wait_for_log("upstream is down"));
  EXPECT_NE(status_of(weir).body.find(kDown), std::string::npos);
  const Reply reply = ask(weir.port(), short_chat());
  EXPECT_EQ(reply.status, 200);
  EXPECT_EQ(header_of(reply, "X-Weir-Reason"), "fallback_down");
  EXPECT_NE(header_of(reply, "X-Weir-Prompt-Tokens"), "");
  EXPECT_EQ(weir.local().request_count(), 0U);
  EXPECT_TRUE(weir.wait_for_log("it does not answer"));
}

TEST(Outage, AServerThatIsBackIsUsedAgain) {
  Weir weir;
  hang(weir);
  ASSERT_TRUE(weir.wait_for_log("upstream is down"));
  weir.local().always(answers(200, "{}"));
  weir.local().set_probes({});
  ASSERT_TRUE(weir.wait_for_log("upstream is ready"));
  EXPECT_EQ(header_of(ask(weir.port(), short_chat()), "X-Weir-Route"), "local.llamacpp");
}

TEST(Outage, WithoutAnotherUpstreamItIsTriedAllTheSame) {
  Weir weir([](config::Config& config) { config.routing.fallback.clear(); });
  weir.local().set_probes({.closes = true});
  ASSERT_TRUE(weir.wait_for_log("upstream is down"));
  EXPECT_EQ(ask(weir.port(), short_chat()).status, 200);
  EXPECT_EQ(weir.local().request_count(), 1U);
}

TEST(Outage, APinnedRequestIsSentAllTheSame) {
  Weir weir;
  weir.local().set_probes({.closes = true});
  ASSERT_TRUE(weir.wait_for_log("upstream is down"));
  EXPECT_EQ(ask(weir.port(), short_chat(), "X-Weir-Route: local\r\n").status, 200);
  EXPECT_EQ(weir.cloud().request_count(), 0U);
}

}  // namespace
}  // namespace weir::flow
