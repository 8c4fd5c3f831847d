// The count of a request beside the upstream's own.

#include <gtest/gtest.h>

#include "weir/proxy/prompt_counter.h"
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

// A pin, a short and a long prompt, each decided by its bytes alone, and one that has to be
// counted.
TEST(EarlyDecision, TheExactCountStillReachesHeaderAndLog) {
  Weir weir([](config::Config& config) { config.routing.threshold_tokens = 100; });
  const std::string far_too_long(200'000, '7');
  struct Case {
    std::string text;
    std::string pin;
    std::string reason;
  };
  for (const Case& one :
       {Case{"ping", "", "short"}, Case{far_too_long, "", "long"},
        Case{far_too_long, "X-Weir-Route: local\r\n", "pinned"},
        Case{"one two three four five six seven eight nine ten eleven twelve thirteen fourteen "
             "fifteen sixteen",
             "", "short"}}) {
    const std::string body = chat_body(one.text);
    tokenizer::Builtins builtins;
    const auto counter = proxy::PromptCounter::choose("qwen3.5", "", 1024, builtins);
    const auto expected = counter->count(*openai::ChatRequest::parse(body));
    const Reply reply = ask(weir.port(), body, one.pin);
    EXPECT_EQ(reply.status, 200);
    EXPECT_EQ(header_of(reply, "X-Weir-Reason"), one.reason);
    EXPECT_EQ(header_of(reply, "X-Weir-Prompt-Tokens"), std::to_string(expected.tokens));
    EXPECT_TRUE(weir.wait_for_log("prompt_tokens=" + std::to_string(expected.tokens) + " status"));
  }
}

TEST(EarlyDecision, AFallbackKeepsTheCount) {
  Weir weir([](config::Config&) {}, {.local_runs = false});
  const Reply reply = ask(weir.port(), short_chat());
  EXPECT_EQ(reply.status, 200);
  EXPECT_EQ(header_of(reply, "X-Weir-Reason"), "fallback_down");
  EXPECT_NE(header_of(reply, "X-Weir-Prompt-Tokens"), "");
}

}  // namespace
}  // namespace weir::flow
