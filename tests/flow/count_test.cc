// The count of a request beside the upstream's own.

#include <gtest/gtest.h>

#include "weir_fixture.h"

namespace weir::flow {
namespace {

constexpr std::string_view kWarning = "counts other prompt tokens than weir";

// An answer that carries this usage.
std::string with_usage(std::uint64_t prompt_tokens) {
  return R"({"choices":[],"usage":{"prompt_tokens":)" + std::to_string(prompt_tokens) + "}}";
}

TEST(CountCheck, AServerThatCountsOtherwiseIsNamedOnce) {
  Weir weir;
  weir.local().always(answers(200, with_usage(5000)));
  for (int i = 0; i < 5; ++i) {
    EXPECT_EQ(ask(weir.port(), short_chat()).status, 200);
  }
  EXPECT_TRUE(weir.wait_for_log("usage_prompt_tokens=5000 status=200", 5));
  EXPECT_TRUE(weir.wait_for_log(kWarning));
  const std::string log = weir.log_text();
  EXPECT_EQ(log.find(kWarning), log.rfind(kWarning));
  RawClient page = weir.client();
  page.send(request_text("GET /weir/status",
                         "Authorization: Bearer " + std::string(kClientKey) + "\r\n", ""));
  const std::string status = page.read_reply("GET").body;
  EXPECT_NE(status.find(R"("count_check":{"local.llamacpp":{"compared":5,"equal":0,"off":5,)"),
            std::string::npos)
      << status;
}

TEST(CountCheck, AStreamsUsageCountsToo) {
  Weir weir;
  weir.local().always(streams(event("a") +
                              R"(data: {"choices":[],"usage":{"prompt_tokens":5000}})" + "\n\n" +
                              std::string(kDone)));
  for (int i = 0; i < 3; ++i) {
    EXPECT_EQ(ask(weir.port(), short_chat(kStream)).status, 200);
  }
  EXPECT_TRUE(weir.wait_for_log(kWarning));
}

TEST(CountCheck, ACloudMayCountAsItLikes) {
  Weir weir;
  weir.cloud().always(answers(200, with_usage(50)));
  for (int i = 0; i < 4; ++i) {
    EXPECT_EQ(ask(weir.port(), long_chat()).status, 200);
  }
  EXPECT_TRUE(weir.wait_for_log("usage_prompt_tokens=50 status=200", 4));
  EXPECT_EQ(weir.log_text().find(kWarning), std::string::npos);
}

}  // namespace
}  // namespace weir::flow
