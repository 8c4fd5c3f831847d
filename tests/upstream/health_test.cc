#include "weir/upstream/health.h"

#include <gtest/gtest.h>

#include "manual_clock.h"
#include "scripted_upstream.h"
#include "weir/os/wait.h"

namespace weir::upstream {
namespace {

using std::chrono::seconds;

TEST(HealthTable, StartsUnknownAndKeepsTheLastState) {
  const fakes::ManualClock clock;
  HealthTable table(clock);
  EXPECT_EQ(table.of("local.a").state, HealthState::kUnknown);
  EXPECT_TRUE(table.set_state("local.a", HealthState::kDown, "refused"));
  EXPECT_FALSE(table.set_state("local.a", HealthState::kDown, "timed out"));
  EXPECT_EQ(table.of("local.a").cause, "timed out");
  EXPECT_TRUE(table.set_state("local.a", HealthState::kReady));
  EXPECT_EQ(table.of("local.a").cause, "");
  EXPECT_EQ(table.of("local.b").state, HealthState::kUnknown);
}

TEST(HealthTable, AnOutageIsKnownUntilTheFirstSuccess) {
  const fakes::ManualClock clock;
  HealthTable table(clock);
  EXPECT_FALSE(table.outage_of("local.a"));
  table.set_state("local.a", HealthState::kDown, "refused");
  ASSERT_TRUE(table.outage_of("local.a"));
  EXPECT_EQ(table.outage_of("local.a")->cause, "refused");
  EXPECT_FALSE(table.outage_of("local.a")->is_hung);
  for (const auto state : {HealthState::kLoading, HealthState::kReady}) {
    table.set_state("local.a", HealthState::kDown, "refused");
    table.set_state("local.a", state);
    EXPECT_FALSE(table.outage_of("local.a"));
  }
}

TEST(HealthTable, PropertiesDoNotTouchTheState) {
  const fakes::ManualClock clock;
  HealthTable table(clock);
  table.set_state("local.a", HealthState::kReady);
  Health properties;
  properties.slot_context_tokens = 4096;
  properties.model_ids = {"m"};
  table.set_properties("local.a", properties);
  table.set_state("local.a", HealthState::kDown, "refused");
  EXPECT_EQ(table.of("local.a").slot_context_tokens, 4096U);
  EXPECT_EQ(table.of("local.a").state, HealthState::kDown);
}

TEST(HealthTable, InterestEndsAfterAMinute) {
  fakes::ManualClock clock;
  HealthTable table(clock);
  EXPECT_FALSE(table.is_of_interest("local.a"));
  table.mark_used("local.a");
  clock.advance(seconds(59));
  EXPECT_TRUE(table.is_of_interest("local.a"));
  clock.advance(seconds(2));
  EXPECT_FALSE(table.is_of_interest("local.a"));
  table.set_state("local.a", HealthState::kLoading);
  EXPECT_TRUE(table.is_of_interest("local.a"));
}

class ProberTest : public testing::Test {
 protected:
  ProberTest() {
    config::Upstream settings;
    settings.name = "llamacpp";
    settings.base_url = {false, "127.0.0.1", fake_.port(), "/v1"};
    local_ = std::move(*Upstream::open(settings));
    logger_ = std::move(*log::Logger::open({.level = "error", .file = {}}));
  }

  void start() {
    prober_ = std::make_unique<HealthProber>(std::vector<Upstream*>{local_.get()}, table_, *logger_,
                                             clock_, [](const Upstream&, const Health&) {});
  }

  template <class Predicate>
  bool eventually(const Predicate& predicate) {
    const auto deadline = fakes::patience();
    while (!predicate(table_.of("local.llamacpp"))) {
      if (std::chrono::steady_clock::now() > deadline) {
        return false;
      }
      os::wait_for(os::kNoSocket, os::Interest::kNothing,
                   std::chrono::steady_clock::now() + std::chrono::milliseconds(5), {});
    }
    return true;
  }

  fakes::ScriptedUpstream fake_;
  base::SystemClock clock_;
  HealthTable table_{clock_};
  std::unique_ptr<Upstream> local_;
  std::unique_ptr<log::Logger> logger_;
  std::unique_ptr<HealthProber> prober_;
};

TEST_F(ProberTest, ReadsPropertiesOnceReady) {
  fakes::Probes probes;
  probes.props =
      R"({"default_generation_settings":{"n_ctx":8192},"total_slots":2,"modalities":{"vision":true,"audio":false}})";
  probes.models = R"({"data":[{"id":"qwen-local"}]})";
  fake_.set_probes(probes);
  start();
  ASSERT_TRUE(eventually([](const Health& health) { return !health.model_ids.empty(); }));
  const Health health = table_.of("local.llamacpp");
  EXPECT_EQ(health.state, HealthState::kReady);
  EXPECT_EQ(health.slot_context_tokens, 8192U);
  EXPECT_EQ(health.total_slots, 2U);
  EXPECT_EQ(health.vision, true);
  EXPECT_EQ(health.audio, false);
  EXPECT_EQ(health.model_ids, std::vector<std::string>{"qwen-local"});
}

// A cloud's too, which is never asked.
TEST_F(ProberTest, ClosesIdleConnectionsThatTheUpstreamHasClosed) {
  config::Upstream settings = local_->settings();
  settings.kind = config::UpstreamKind::kProvider;
  local_ = std::move(*Upstream::open(settings));
  fake_.next([](fakes::Talk& talk) {
    talk.answer(200, "a");
    talk.half_close();
  });
  {
    OutgoingRequest request;
    request.endpoint = "/chat/completions";
    Attempt attempt = local_->begin(request, {});
    ASSERT_TRUE(attempt.exchange);
    while (attempt.exchange->next().kind == Exchange::PieceKind::kBytes) {
    }
  }
  start();
  EXPECT_TRUE(fake_.wait_for_close(0));
  EXPECT_EQ(fake_.connection_of(0).ending, fakes::Ending::kPeerFin);
  EXPECT_EQ(fake_.probe_count(), 0U);
}

TEST_F(ProberTest, LoadingIsNotDown) {
  fakes::Probes probes;
  probes.health_status = 503;
  probes.health = R"({"error":{"message":"Loading model","type":"unavailable_error","code":503}})";
  fake_.set_probes(probes);
  start();
  EXPECT_TRUE(
      eventually([](const Health& health) { return health.state == HealthState::kLoading; }));
  fake_.set_probes({});  // asked again within seconds, since it is not ready
  EXPECT_TRUE(eventually([](const Health& health) { return health.state == HealthState::kReady; }));
}

TEST_F(ProberTest, AServerThatTakesConnectionsAndDoesNotAnswerIsHung) {
  fake_.set_probes({.closes = true});
  start();
  EXPECT_TRUE(eventually([](const Health& health) { return health.state == HealthState::kDown; }));
  const auto outage = table_.outage_of("local.llamacpp");
  ASSERT_TRUE(outage);
  EXPECT_TRUE(outage->is_hung);
  EXPECT_NE(outage->cause, "");
  fake_.set_probes({});
  EXPECT_TRUE(eventually([](const Health& health) { return health.state == HealthState::kReady; }));
  EXPECT_FALSE(table_.outage_of("local.llamacpp"));
}

TEST_F(ProberTest, ALocalServerThatIsSilentEndsWithTheProber) {
  fake_.next_connection([](fakes::Talk& talk) { talk.wait_for_close(); });
  start();
  ASSERT_TRUE(fake_.wait_for_connections(1));
  const auto start_of_end = std::chrono::steady_clock::now();
  prober_.reset();
  EXPECT_LT(std::chrono::steady_clock::now() - start_of_end, seconds(3));
}

}  // namespace
}  // namespace weir::upstream
