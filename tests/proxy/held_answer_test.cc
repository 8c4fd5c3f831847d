#include "held_answer.h"

#include <gtest/gtest.h>

#include "scripted_upstream.h"

namespace weir::proxy {
namespace {

using config::FallbackCause;
using fakes::Talk;
using upstream::FailureKind;

constexpr std::string_view kTooLong = R"({"error":{"type":"exceed_context_size_error"}})";

base::SteadyTime never() {
  return std::chrono::steady_clock::now() + std::chrono::minutes(1);
}

class HeldAnswerTest : public testing::Test {
 protected:
  HeldAnswerTest() {
    config::Upstream settings;
    settings.name = "llamacpp";
    settings.base_url = {false, "127.0.0.1", fake_.port(), "/v1"};
    upstream_ = std::move(*upstream::Upstream::open(settings));
  }

  HeldAnswer hold(fakes::Script script, base::SteadyTime release_at = never()) {
    fake_.next(std::move(script));
    upstream::OutgoingRequest request;
    request.endpoint = "/chat/completions";
    auto attempt = upstream_->begin(request, {});
    EXPECT_TRUE(attempt.exchange);
    return hold_answer(std::move(*attempt.exchange), release_at);
  }
  HeldAnswer hold_body(int status, std::string_view body) {
    return hold([=](Talk& talk) { talk.answer(status, body); });
  }
  // A stream of these pieces that goes on afterwards.
  HeldAnswer hold_stream(std::vector<std::string> pieces) {
    return hold([pieces = std::move(pieces)](Talk& talk) {
      talk.start_stream();
      for (const std::string& piece : pieces) {
        talk.chunk(piece);
      }
      talk.wait_for_close();
    });
  }

  fakes::ScriptedUpstream fake_;
  std::unique_ptr<upstream::Upstream> upstream_;
};

TEST_F(HeldAnswerTest, AGoodAnswerIsReadWhole) {
  const HeldAnswer answer = hold_body(200, R"({"choices":[]})");
  EXPECT_EQ(answer.held, R"({"choices":[]})");
  EXPECT_TRUE(answer.at_end);
  EXPECT_FALSE(answer.cause);
}

TEST_F(HeldAnswerTest, RefusalsAndFailuresAreCauses) {
  EXPECT_EQ(hold_body(400, kTooLong).cause, FallbackCause::kContext);
  EXPECT_EQ(hold_body(200, kTooLong).cause, FallbackCause::kContext);
  EXPECT_EQ(hold_body(503, R"({"error":{"type":"unavailable_error"}})").cause,
            FallbackCause::kLoading);
  EXPECT_EQ(hold_body(500, R"({"error":{"message":"image input is not supported"}})").cause,
            FallbackCause::kContent);
  for (const int status : {500, 502, 503, 504}) {
    EXPECT_EQ(hold_body(status, "boom").cause, FallbackCause::kError) << status;
  }
  for (const int status : {400, 401, 404, 422, 429, 501}) {
    EXPECT_FALSE(hold_body(status, R"({"error":"own"})").cause) << status;
  }
}

TEST_F(HeldAnswerTest, ALongBodyIsReleased) {
  const HeldAnswer answer = hold_body(200, std::string(300000, 'x'));
  EXPECT_GE(answer.held.size(), kHeldBytesMax);
  EXPECT_FALSE(answer.at_end);
  EXPECT_FALSE(answer.cause);
}

TEST_F(HeldAnswerTest, AStreamIsHeldToItsFirstEvent) {
  const HeldAnswer answer = hold_stream({": ping\n\n", "retry: 5\n\n", "data: {\"a\"", ":1}\n\n"});
  EXPECT_EQ(answer.held, ": ping\n\nretry: 5\n\ndata: {\"a\":1}\n\n");
  EXPECT_FALSE(answer.at_end);
  EXPECT_FALSE(answer.cause);
}

TEST_F(HeldAnswerTest, ARefusalAsTheFirstEventIsACause) {
  const std::string event = "data: " + std::string(kTooLong) + "\n\n";
  EXPECT_EQ(hold_stream({": ping\n\n", event}).cause, FallbackCause::kContext);
  EXPECT_FALSE(hold_stream({"data: {}\n\n", event}).cause);
}

TEST_F(HeldAnswerTest, IsReleasedWhenTheTimeIsOver) {
  const HeldAnswer answer = hold(
      [](Talk& talk) {
        talk.start_stream();
        talk.wait_for_close();
      },
      std::chrono::steady_clock::now() + std::chrono::milliseconds(20));
  EXPECT_EQ(answer.held, "");
  EXPECT_FALSE(answer.cause);
  EXPECT_FALSE(answer.failure);
}

TEST_F(HeldAnswerTest, AnAnswerThatBreaksIsACause) {
  const HeldAnswer answer = hold([](Talk& talk) {
    talk.start_stream();
    talk.chunk(": ping\n\n");
    talk.close();
  });
  EXPECT_EQ(answer.held, ": ping\n\n");
  ASSERT_TRUE(answer.failure);
  EXPECT_EQ(answer.cause, FallbackCause::kError);
}

TEST(CauseOf, NobodysFaultIsNoCause) {
  EXPECT_EQ(cause_of({FailureKind::kDown, ""}), FallbackCause::kDown);
  EXPECT_EQ(cause_of({FailureKind::kTimeout, ""}), FallbackCause::kError);
  EXPECT_EQ(cause_of({FailureKind::kBroken, ""}), FallbackCause::kError);
  EXPECT_EQ(cause_of({FailureKind::kNotHttp, ""}), FallbackCause::kError);
  EXPECT_FALSE(cause_of({FailureKind::kClientGone, ""}));
  EXPECT_FALSE(cause_of({FailureKind::kStopped, ""}));
  EXPECT_FALSE(cause_of({FailureKind::kNoSockets, ""}));  // what is ours must not cost money
}

}  // namespace
}  // namespace weir::proxy
