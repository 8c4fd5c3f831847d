#include "weir/openai/refusal.h"

#include <gtest/gtest.h>

#include <string>

#include "captures.h"

namespace weir::openai {
namespace {

Refusal of_capture(const std::string& name) {
  const Capture capture = read_capture(name);
  EXPECT_FALSE(capture.body.empty()) << name;
  return classify_answer(capture.status, capture.body);
}

TEST(ClassifyAnswer, KnowsTheRecordedRefusals) {
  EXPECT_EQ(of_capture("err_context_exceeded.http"), Refusal::kContext);
  EXPECT_EQ(of_capture("err_context_exceeded_stream.http"), Refusal::kContext);
  EXPECT_EQ(of_capture("chat_loading.http"), Refusal::kLoading);
  EXPECT_EQ(of_capture("err_image_without_mmproj.http"), Refusal::kContent);
  EXPECT_EQ(of_capture("err_unknown_part_type.http"), Refusal::kContent);
}

TEST(ClassifyAnswer, OtherRecordedErrorsAreNone) {
  for (const char* name :
       {"err_bad_json.http", "err_bad_param_type.http", "err_bad_param_range.http",
        "err_empty_messages.http", "err_missing_messages.http", "err_only_system_message.http",
        "err_output_parse.http", "err_wrong_key.http", "err_not_found.http",
        "err_slots_disabled.http", "chat_nonstream.http"}) {
    EXPECT_EQ(of_capture(name), Refusal::kNone) << name;
  }
}

TEST(ClassifyAnswer, S24_DoesNotFitComesInSeveralShapes) {
  const std::string type_only = R"({"error":{"code":400,"type":"exceed_context_size_error"}})";
  const std::string full =
      R"({"error":{"code":500,"message":"Context size has been exceeded.","type":"server_error"}})";
  EXPECT_EQ(classify_answer(400, type_only), Refusal::kContext);
  EXPECT_EQ(classify_answer(500, full), Refusal::kContext);
  EXPECT_EQ(classify_answer(200, full), Refusal::kContext);
  EXPECT_EQ(classify_answer(400, "\"maximum context length is 4096 tokens\""), Refusal::kContext);
  EXPECT_EQ(
      classify_answer(400, R"({"object":"error","message":"This model's maximum context length)"
                           R"( is 4096 tokens","code":400})"),
      Refusal::kContext);
  EXPECT_EQ(classify_answer(400, R"({"error":{"message":"x","code":"context_length_exceeded"}})"),
            Refusal::kContext);
}

// What other servers and clouds say, as people quote it in bug reports.
TEST(ClassifyAnswer, S24_EveryServerHasItsOwnWords) {
  for (
      const char* text : {
          "The input (61709 tokens) is longer than the model's context length (40960 tokens).",
          "Requested token count exceeds the model's maximum context length of 4096 tokens.",
          "Input length (160062 tokens) exceeds the maximum allowed length (59862 tokens).",
          "The decoder prompt (length 10127) is longer than the maximum model length of 8192.",
          "The prompt (total length 25938) is too long to fit into the model (context length "
          "4096).",
          "Requested tokens (9437) exceed context window of 8192",
          "Your input exceeds the context window of this model",
          "the input length exceeds the context length",
          "Trying to keep the first 111490 tokens when context the overflows. However, the model "
          "is "
          "loaded with context length of only 32768 tokens, which is not enough. Try to load the "
          "model with a larger context length, or provide a shorter input",
          "The number of tokens to keep from the initial prompt is greater than the context "
          "length.",
          "Input validation error: `inputs` must have less than 4096 tokens. Given: 5000",
          "Input validation error: `inputs` tokens + `max_new_tokens` must be <= 4096. Given: 4000 "
          "`inputs` tokens and 512 `max_new_tokens`",
          "The input token count (1300000) exceeds the maximum number of tokens allowed (1048575).",
          "prompt is too long: 210000 tokens > 200000 maximum",
          "input length and `max_tokens` exceed context limit: 188000 + 20000 > 200000",
          "Input is too long for requested model.",
          "This model's maximum prompt length is 131072 but the request contains 537812 tokens",
          "Your request exceeded model token limit: 131072",
          "Prompt contains 40000 tokens, too large for model with 32768 maximum context length",
          "Please reduce the length of the messages or completion.",
      }) {
    const std::string message = text;
    const std::string body = R"({"error":{"message":")" + message + R"(","type":"x"}})";
    EXPECT_EQ(classify_answer(400, body), Refusal::kContext) << message;
    EXPECT_EQ(classify_first_event(body), Refusal::kContext) << message;
    EXPECT_EQ(classify_answer(429, body), Refusal::kNone) << message;
  }
}

TEST(ClassifyAnswer, OtherFaultsOfARequestAreNoOverflow) {
  for (const char* text :
       {"max_tokens is too large", "Request exceeds the maximum allowed number of bytes.",
        "temperature must be at most 2", "messages: the list is too long", "stop is too long"}) {
    EXPECT_EQ(classify_answer(400, R"({"error":{"message":")" + std::string(text) + "\"}}"),
              Refusal::kNone)
        << text;
  }
}

TEST(ClassifyAnswer, OutOfMemoryIsAServerFailure) {
  EXPECT_EQ(classify_answer(500, R"({"error":{"message":"out of memory","type":"server_error"}})"),
            Refusal::kNone);
}

TEST(ClassifyAnswer, LoadingNeedsStatus503) {
  const std::string body = R"({"error":{"message":"Loading model","type":"unavailable_error"}})";
  EXPECT_EQ(classify_answer(503, body), Refusal::kLoading);
  EXPECT_EQ(classify_answer(500, body), Refusal::kNone);
  EXPECT_EQ(classify_answer(503, R"({"error":{"message":"overloaded"}})"), Refusal::kNone);
}

// Case S-14.
TEST(ClassifyAnswer, ContentRefusalInOldAndNewWords) {
  EXPECT_EQ(classify_answer(500, R"({"error":{"message":"image input is not supported"}})"),
            Refusal::kContent);
  EXPECT_EQ(classify_answer(400, R"({"error":"unsupported content[].type"})"), Refusal::kContent);
  EXPECT_EQ(classify_answer(
                500, R"({"error":{"message":"Unsupported content part type: \"image_url\""}})"),
            Refusal::kContent);
}

TEST(ClassifyAnswer, AnAnswerThatTalksAboutRefusalsIsNone) {
  const std::string answer =
      R"({"choices":[{"message":{"content":"Context size has been exceeded."}}],"error":null})";
  EXPECT_EQ(classify_answer(200, answer), Refusal::kNone);
  EXPECT_EQ(classify_answer(200, "Context size has been exceeded."), Refusal::kNone);
}

TEST(ClassifyAnswer, AuthAndRateLimitsSayItAll) {
  const std::string body = R"({"error":{"message":"maximum context length is 5"}})";
  EXPECT_EQ(classify_answer(401, body), Refusal::kNone);
  EXPECT_EQ(classify_answer(429, body), Refusal::kNone);
}

// Case S-04.
TEST(ClassifyFirstEvent, KnowsARefusalUnderStatus200) {
  const std::string event =
      R"x({"error":{"code":400,"message":"request (1210 tokens) exceeds the available context )x"
      R"x(size (1024 tokens)","type":"server_error"}})x";
  EXPECT_EQ(classify_first_event(event), Refusal::kContext);
}

TEST(ClassifyFirstEvent, OrdinaryEventsAreNone) {
  EXPECT_EQ(classify_first_event(R"({"choices":[{"delta":{"content":"Loading model"}}]})"),
            Refusal::kNone);
  EXPECT_EQ(classify_first_event("[DONE]"), Refusal::kNone);
  EXPECT_EQ(classify_first_event(""), Refusal::kNone);
}

// Case S-22.
TEST(RefusedPromptTokens, AreReadFromABodyAndFromAnEvent) {
  const std::string body = R"({"error":{"code":400,"n_prompt_tokens": 1060,"n_ctx":1024}})";
  EXPECT_EQ(refused_prompt_tokens(body), 1060U);
  EXPECT_EQ(refused_prompt_tokens("data: " + body + "\n\n"), 1060U);
}

TEST(RefusedPromptTokens, MayBeMissing) {
  for (const char* body : {"", "{}", R"({"n_prompt_tokens")", R"({"n_prompt_tokens":})",
                           R"({"n_prompt_tokens":"many"})"}) {
    EXPECT_FALSE(refused_prompt_tokens(body)) << body;
  }
}

}  // namespace
}  // namespace weir::openai
