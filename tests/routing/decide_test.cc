#include "weir/routing/decide.h"

#include <gtest/gtest.h>

#include <ostream>

namespace weir::routing {
namespace {

using config::FallbackCause;
using config::UpstreamKind;

constexpr std::uint64_t kThreshold = 1000;

config::Config skeleton() {
  config::Config config;
  config::Upstream cloud;
  cloud.kind = UpstreamKind::kProvider;
  cloud.name = "taotoken";
  cloud.models = {{"long_context", "claude-3-5-sonnet"}, {"fast_chat", "gpt-4o-mini"}};
  config::Upstream local;
  local.kind = UpstreamKind::kLocal;
  local.name = "llamacpp";
  local.model = "Qwen3.6-35B";
  config.upstreams = {cloud, local};
  config.routing.threshold_tokens = kThreshold;
  config.routing.long_route = "provider.taotoken";
  config.routing.short_route = "local.llamacpp";
  return config;
}

RouteFacts prompt_of(std::uint64_t tokens) {
  RouteFacts facts;
  facts.prompt_tokens = tokens;
  return facts;
}

UpstreamFacts local_facts() {
  UpstreamFacts facts;
  facts.full_name = "local.llamacpp";
  facts.model_ids = {"model.gguf"};
  return facts;
}

struct Row {
  const char* name;
  std::optional<std::string_view> model;
  const char* short_upstream;
  std::optional<std::string> short_model;
  const char* long_upstream;
  std::optional<std::string> long_model;
};

// What a failure shows of a row.
void PrintTo(const Row& row,
             std::ostream* out) {  // NOLINT(readability-identifier-naming): GoogleTest's name
  *out << row.name;
}

class DecideTable : public testing::TestWithParam<Row> {};

// The decision table of the configuration page, row by row.
TEST_P(DecideTable, ShortAndLong) {
  const config::Config config = skeleton();
  const Row& row = GetParam();
  for (const std::uint64_t tokens : {kThreshold, kThreshold + 1}) {
    RouteFacts facts = prompt_of(tokens);
    facts.model = row.model;
    facts.upstreams = {local_facts()};
    const auto decision = decide(config, facts);
    ASSERT_TRUE(decision);
    const bool is_short = tokens == kThreshold;
    EXPECT_EQ(decision->upstream->name, is_short ? row.short_upstream : row.long_upstream);
    EXPECT_EQ(decision->model, is_short ? row.short_model : row.long_model);
  }
}

INSTANTIATE_TEST_SUITE_P(
    Rows, DecideTable,
    testing::Values(
        Row{"Missing", std::nullopt, "llamacpp", "Qwen3.6-35B", "taotoken", "claude-3-5-sonnet"},
        Row{"Empty", "", "llamacpp", "Qwen3.6-35B", "taotoken", "claude-3-5-sonnet"},
        Row{"Auto", "auto", "llamacpp", "Qwen3.6-35B", "taotoken", "claude-3-5-sonnet"},
        Row{"LocalName", "Qwen3.6-35B", "llamacpp", "Qwen3.6-35B", "taotoken", "claude-3-5-sonnet"},
        Row{"ReportedId", "model.gguf", "llamacpp", std::nullopt, "taotoken", "claude-3-5-sonnet"},
        Row{"Alias", "fast_chat", "llamacpp", "Qwen3.6-35B", "taotoken", "gpt-4o-mini"},
        Row{"OtherName", "gpt-4o", "llamacpp", "Qwen3.6-35B", "taotoken", "gpt-4o"},
        Row{"OtherNameWithSlash", "deepseek/v3", "llamacpp", "Qwen3.6-35B", "taotoken",
            "deepseek/v3"},
        Row{"PinnedToTheOnlyLocal", "local/auto", "llamacpp", "Qwen3.6-35B", "llamacpp",
            "Qwen3.6-35B"},
        Row{"PinnedByName", "llamacpp/x", "llamacpp", "Qwen3.6-35B", "llamacpp", "Qwen3.6-35B"},
        Row{"PinnedReportedId", "local/model.gguf", "llamacpp", "model.gguf", "llamacpp",
            "model.gguf"},
        Row{"PinnedAlias", "taotoken/fast_chat", "taotoken", "gpt-4o-mini", "taotoken",
            "gpt-4o-mini"},
        Row{"PinnedId", "taotoken/a/b", "taotoken", "a/b", "taotoken", "a/b"},
        Row{"PinnedByFullName", "provider.taotoken/", "taotoken", "claude-3-5-sonnet", "taotoken",
            "claude-3-5-sonnet"}),
    [](const auto& test) { return test.param.name; });

TEST(Decide, PromptAtThresholdStaysLocal) {
  const config::Config config = skeleton();
  EXPECT_EQ(decide(config, prompt_of(kThreshold))->reason, Reason::kShort);
  EXPECT_EQ(decide(config, prompt_of(kThreshold + 1))->reason, Reason::kLong);
}

TEST(Decide, HeaderPinsAndKeepsTheModel) {
  const config::Config config = skeleton();
  RouteFacts facts = prompt_of(5);
  facts.pin_header = "taotoken";
  facts.model = "gpt-4o";
  const auto decision = decide(config, facts);
  EXPECT_EQ(decision->upstream->name, "taotoken");
  EXPECT_EQ(decision->model, "gpt-4o");
  EXPECT_EQ(decision->reason, Reason::kPinned);
}

TEST(Decide, HeaderWithAnUnknownNameIsTheClientsFault) {
  const config::Config config = skeleton();
  RouteFacts facts = prompt_of(5);
  facts.pin_header = "clowd";
  const auto decision = decide(config, facts);
  ASSERT_FALSE(decision);
  EXPECT_EQ(decision.error().code, base::ErrorCode::kBadRequest);
  EXPECT_NE(decision.error().message.find("taotoken, llamacpp"), std::string::npos);
}

TEST(Decide, LocalIsNoPinWhenThereAreTwo) {
  config::Config config = skeleton();
  config.upstreams.push_back(config.upstreams.back());
  config.upstreams.back().name = "second";
  RouteFacts facts = prompt_of(5);
  facts.model = "local/x";
  EXPECT_EQ(decide(config, facts)->reason, Reason::kShort);
}

struct RoomRow {
  std::uint64_t prompt;
  std::optional<std::uint64_t> output;
  std::uint64_t margin;
  Reason reason;
};

// S-19: prompt plus answer must fit.
TEST(FieldCases, S19_PromptPlusAnswerMustFit) {
  config::Config config = skeleton();
  RouteFacts facts;
  facts.upstreams = {local_facts()};
  facts.upstreams[0].context_tokens = 2048;
  for (const RoomRow& row :
       {RoomRow{900, 1500, 0, Reason::kNoRoom}, RoomRow{900, 500, 0, Reason::kShort},
        RoomRow{900, std::nullopt, 0, Reason::kShort}, RoomRow{900, 1148, 0, Reason::kShort},
        RoomRow{900, 1149, 0, Reason::kNoRoom}, RoomRow{900, 1148, 1, Reason::kNoRoom},
        RoomRow{900, UINT64_MAX, 0, Reason::kNoRoom}, RoomRow{900, 1, 5000, Reason::kNoRoom}}) {
    facts.prompt_tokens = row.prompt;
    facts.output_tokens = row.output;
    config.routing.margin_tokens = row.margin;
    EXPECT_EQ(decide(config, facts)->reason, row.reason) << row.output.value_or(0);
  }
  config.routing.reserve_output = false;
  EXPECT_EQ(decide(config, facts)->reason, Reason::kShort);
}

TEST(Decide, ConfiguredContextCountsBeforeTheReportedOne) {
  config::Config config = skeleton();
  config.upstreams[1].context_tokens = 500;
  RouteFacts facts = prompt_of(900);
  facts.output_tokens = 1;
  facts.upstreams = {local_facts()};
  facts.upstreams[0].context_tokens = 100000;
  EXPECT_EQ(decide(config, facts)->reason, Reason::kNoRoom);
}

TEST(FieldCases, S14_PictureForAModelThatCannotSee) {
  config::Config config = skeleton();
  RouteFacts facts = prompt_of(10);
  facts.images = 1;
  EXPECT_EQ(decide(config, facts)->reason, Reason::kShort) << "unknown: the local server is asked";
  facts.upstreams = {local_facts()};
  facts.upstreams[0].vision = false;
  EXPECT_EQ(decide(config, facts)->reason, Reason::kNoVision);
  config.upstreams[1].vision = true;
  EXPECT_EQ(decide(config, facts)->reason, Reason::kShort);
}

TEST(Decide, AudioAndFilesAreNotForTheLocalServer) {
  const config::Config config = skeleton();
  RouteFacts facts = prompt_of(10);
  facts.files = 1;
  EXPECT_EQ(decide(config, facts)->reason, Reason::kNoVision);
  facts.files = 0;
  facts.audios = 1;
  facts.upstreams = {local_facts()};
  facts.upstreams[0].audio = false;
  EXPECT_EQ(decide(config, facts)->reason, Reason::kNoVision);
}

TEST(Decide, FailedLocalFallsOverToTheCloud) {
  const config::Config config = skeleton();
  RouteFacts facts = prompt_of(10);
  for (const FallbackCause cause : config.routing.fallback) {
    facts.failed = FailedAttempt{&config.upstreams[1], cause};
    const auto decision = decide(config, facts);
    ASSERT_TRUE(decision);
    EXPECT_EQ(decision->upstream->name, "taotoken");
    EXPECT_EQ(decision->model, "claude-3-5-sonnet");
    EXPECT_EQ(reason_name(decision->reason), "fallback_" + std::string(cause_name(cause)));
  }
}

TEST(Decide, EmptyFallbackListNeverLeavesTheHouse) {
  config::Config config = skeleton();
  config.routing.fallback.clear();
  RouteFacts facts = prompt_of(10);
  facts.failed = FailedAttempt{&config.upstreams[1], FallbackCause::kDown};
  EXPECT_FALSE(decide(config, facts));
}

TEST(Decide, PinnedRequestNeverFallsBack) {
  const config::Config config = skeleton();
  RouteFacts facts = prompt_of(10);
  facts.model = "local/auto";
  facts.failed = FailedAttempt{&config.upstreams[1], FallbackCause::kDown};
  EXPECT_FALSE(decide(config, facts));
}

TEST(Decide, CloudFallsBackOnlyWhenToldToAndWhenItFits) {
  config::Config config = skeleton();
  RouteFacts facts = prompt_of(1500);
  facts.failed = FailedAttempt{&config.upstreams[0], FallbackCause::kDown};
  EXPECT_FALSE(decide(config, facts));
  config.routing.fallback_long = true;
  EXPECT_EQ(decide(config, facts)->upstream->name, "llamacpp");
  facts.upstreams = {local_facts()};
  facts.upstreams[0].context_tokens = 1024;
  EXPECT_FALSE(decide(config, facts));
  config.routing.reserve_output = false;
  EXPECT_FALSE(decide(config, facts));
  facts.upstreams[0].context_tokens = 1500;
  EXPECT_FALSE(decide(config, facts));
  facts.upstreams[0].context_tokens = 1501;
  EXPECT_EQ(decide(config, facts)->upstream->name, "llamacpp");
}

TEST(MayFallBack, OnlyOnceAndNeverWhenPinned) {
  const config::Config config = skeleton();
  RouteFacts facts = prompt_of(10);
  const Decision first = *decide(config, facts);
  EXPECT_TRUE(may_fall_back(config, facts, first, FallbackCause::kContext));
  Decision pinned = first;
  pinned.reason = Reason::kPinned;
  EXPECT_FALSE(may_fall_back(config, facts, pinned, FallbackCause::kContext));
  facts.failed = FailedAttempt{first.upstream, FallbackCause::kDown};
  EXPECT_FALSE(may_fall_back(config, facts, *decide(config, facts), FallbackCause::kError));
}

}  // namespace
}  // namespace weir::routing
