#include "weir/openai/server_props.h"

#include <gtest/gtest.h>

#include "captures.h"

namespace weir::openai {
namespace {

TEST(ServerProps, ReadsWhatLlamaServerSays) {
  const auto props = parse_server_props(read_capture("props.http").body);
  ASSERT_TRUE(props.has_value());
  EXPECT_EQ(props->slot_context_tokens, 32768U);
  EXPECT_EQ(props->total_slots, 2U);
  EXPECT_EQ(props->vision, false);
  EXPECT_EQ(props->audio, false);
  EXPECT_EQ(props->model_path, "tiny-qwen35.gguf");
  EXPECT_EQ(props->model_alias, "tiny-qwen35.gguf");
  EXPECT_FALSE(props->is_sleeping);
  EXPECT_EQ(props->typed_content, false);
  ASSERT_TRUE(props->chat_template.has_value());
  EXPECT_TRUE(props->chat_template->text.starts_with("{%- set image_count"));
  EXPECT_EQ(props->chat_template->tool_text, "");
  EXPECT_EQ(props->chat_template->eos, "<|im_end|>");
}

TEST(ServerProps, ReadsTheNumberOfItsBuild) {
  EXPECT_EQ(parse_server_props(R"({"build_info":"b11669-Debian"})")->build, 11669U);
  EXPECT_FALSE(parse_server_props(R"({"build_info":"0.7.0"})")->build.has_value());
  EXPECT_FALSE(parse_server_props(R"({"build_info":"b99999999999"})")->build.has_value());
}

TEST(ServerProps, AnOverlongTemplateIsNotTaken) {
  const std::string text(kTemplateTextBytesMax, 'x');
  EXPECT_TRUE(parse_server_props(R"({"chat_template":")" + text + "\"}")->chat_template);
  EXPECT_FALSE(parse_server_props(R"({"chat_template":")" + text + "x\"}")->chat_template);
  EXPECT_FALSE(parse_server_props(R"({"chat_template":null})")->chat_template);
}

TEST(ServerProps, EverythingIsOptional) {
  const auto props = parse_server_props(R"({"total_slots":-1,"modalities":[],"model_path":7})");
  ASSERT_TRUE(props.has_value());
  EXPECT_FALSE(props->slot_context_tokens.has_value());
  EXPECT_FALSE(props->total_slots.has_value());
  EXPECT_FALSE(props->vision.has_value());
  EXPECT_FALSE(props->model_path.has_value());
}

TEST(ServerProps, ReadsSleeping) {
  EXPECT_TRUE(parse_server_props(R"({"is_sleeping":true})")->is_sleeping);
}

TEST(ServerProps, WhatIsNoObjectIsAnError) {
  EXPECT_FALSE(parse_server_props("<html>").has_value());
  EXPECT_FALSE(parse_server_props("[]").has_value());
}

TEST(ParseModelIds, ReadsIdsAndAliasesOnce) {
  EXPECT_EQ(parse_model_ids(read_capture("models_alias.http").body),
            (std::vector<std::string>{"tiny", "tiny-alias"}));
}

TEST(ParseModelIds, WhatIsNoListHasNone) {
  EXPECT_TRUE(parse_model_ids("{}").empty());
  EXPECT_TRUE(parse_model_ids("x").empty());
  EXPECT_TRUE(parse_model_ids(R"({"data":[5,{"id":null}]})").empty());
}

TEST(IsLoadingHealth, TellsLoadingFromReady) {
  const Capture loading = read_capture("health_loading.http");
  EXPECT_TRUE(is_loading_health(loading.status, loading.body));
  EXPECT_FALSE(is_loading_health(200, R"({"status":"ok"})"));
  EXPECT_FALSE(is_loading_health(503, "<html>busy</html>"));
}

}  // namespace
}  // namespace weir::openai
