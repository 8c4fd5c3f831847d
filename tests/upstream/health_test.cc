#include "weir/upstream/health.h"

#include <gtest/gtest.h>

#include <thread>

#include "manual_clock.h"
#include "scripted_upstream.h"
#include "weir/os/wait.h"

namespace weir::upstream {
namespace {

using std::chrono::seconds;

config::Upstream server(const char* name, std::uint16_t port = 8080) {
  config::Upstream settings;
  settings.name = name;
  settings.base_url = {false, "127.0.0.1", port, "/v1"};
  return settings;
}

TEST(HealthTable, StartsUnknownAndKeepsTheLastState) {
  const fakes::ManualClock clock;
  HealthTable table(clock);
  EXPECT_EQ(table.of(server("a")).state, HealthState::kUnknown);
  EXPECT_TRUE(table.set_state(server("a"), HealthState::kDown, "refused"));
  EXPECT_FALSE(table.set_state(server("a"), HealthState::kDown, "timed out"));
  EXPECT_EQ(table.of(server("a")).cause, "timed out");
  EXPECT_TRUE(table.set_state(server("a"), HealthState::kReady));
  EXPECT_EQ(table.of(server("a")).cause, "");
  EXPECT_EQ(table.of(server("b")).state, HealthState::kUnknown);
}

TEST(HealthTable, AnOutageIsKnownUntilTheFirstSuccess) {
  const fakes::ManualClock clock;
  HealthTable table(clock);
  EXPECT_FALSE(table.outage_of(server("a")));
  table.set_state(server("a"), HealthState::kDown, "refused");
  ASSERT_TRUE(table.outage_of(server("a")));
  EXPECT_EQ(table.outage_of(server("a"))->cause, "refused");
  EXPECT_FALSE(table.outage_of(server("a"))->is_hung);
  for (const auto state : {HealthState::kLoading, HealthState::kReady}) {
    table.set_state(server("a"), HealthState::kDown, "refused");
    table.set_state(server("a"), state);
    EXPECT_FALSE(table.outage_of(server("a")));
  }
}

TEST(HealthTable, PropertiesDoNotTouchTheState) {
  const fakes::ManualClock clock;
  HealthTable table(clock);
  table.set_state(server("a"), HealthState::kReady);
  Health properties;
  properties.slot_context_tokens = 4096;
  properties.model_ids = {"m"};
  table.set_properties(server("a"), properties);
  table.set_state(server("a"), HealthState::kDown, "refused");
  EXPECT_EQ(table.of(server("a")).slot_context_tokens, 4096U);
  EXPECT_EQ(table.of(server("a")).state, HealthState::kDown);
}

// A request of before a reload tells of the server that it asked.
TEST(HealthTable, AnotherServerOfTheSameNameIsAnother) {
  const fakes::ManualClock clock;
  HealthTable table(clock);
  table.set_state(server("a", 8081), HealthState::kReady);
  table.set_state(server("a", 8080), HealthState::kDown, "refused");
  EXPECT_EQ(table.of(server("a", 8081)).state, HealthState::kReady);
  table.forget(server("a", 8080));
  EXPECT_EQ(table.of(server("a", 8080)).state, HealthState::kUnknown);
  EXPECT_EQ(table.of(server("a", 8081)).state, HealthState::kReady);
}

TEST(HealthTable, InterestEndsAfterAMinute) {
  fakes::ManualClock clock;
  HealthTable table(clock);
  EXPECT_FALSE(table.is_of_interest(server("a")));
  table.mark_used(server("a"));
  clock.advance(seconds(59));
  EXPECT_TRUE(table.is_of_interest(server("a")));
  clock.advance(seconds(2));
  EXPECT_FALSE(table.is_of_interest(server("a")));
  table.set_state(server("a"), HealthState::kLoading);
  EXPECT_TRUE(table.is_of_interest(server("a")));
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
    while (!predicate(table_.of(local_->settings()))) {
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
  const Health health = table_.of(local_->settings());
  EXPECT_EQ(health.state, HealthState::kReady);
  EXPECT_EQ(health.slot_context_tokens, 8192U);
  EXPECT_EQ(health.total_slots, 2U);
  EXPECT_EQ(health.vision, true);
  EXPECT_EQ(health.audio, false);
  EXPECT_EQ(health.model_ids, std::vector<std::string>{"qwen-local"});
}

// Requests can see both changes before the prober sees one.
TEST_F(ProberTest, ReadsPropertiesAgainAfterAChangeThatARequestHasSeen) {
  fake_.set_probes({.props = R"({"total_slots":2})"});
  start();
  ASSERT_TRUE(eventually([](const Health& health) { return health.total_slots == 2U; }));
  fake_.set_probes({.props = R"({"total_slots":1})"});
  table_.set_state(local_->settings(), HealthState::kDown, "refused");
  table_.set_state(local_->settings(), HealthState::kReady);
  EXPECT_TRUE(eventually([](const Health& health) { return health.total_slots == 1U; }));
}

TEST_F(ProberTest, ReadsPropertiesAgainAfterARestartThatNobodyHasSeen) {
  fake_.set_probes({.props = R"({"total_slots":2})"});
  fakes::ManualClock clock;
  int told = 0;
  prober_ = std::make_unique<HealthProber>(std::vector<Upstream*>{local_.get()}, table_, *logger_,
                                           clock, [&](const Upstream&, const Health&) { ++told; });
  ASSERT_TRUE(eventually([](const Health& health) { return health.total_slots == 2U; }));
  // The prober may still read the clock after the answer that it was given: turned until it asks.
  const auto ask_again = [&] {
    const std::size_t enough = fake_.probe_count() + 3;  // health, properties, models
    return eventually([&](const Health&) {
      clock.advance(seconds(31));
      return fake_.probe_count() >= enough;
    });
  };
  ASSERT_TRUE(ask_again());  // the same as before: nobody is told
  ASSERT_TRUE(ask_again());
  fake_.set_probes({.props = R"({"total_slots":1})"});
  ASSERT_TRUE(ask_again());
  EXPECT_TRUE(eventually([](const Health& health) { return health.total_slots == 1U; }));
  prober_.reset();
  EXPECT_EQ(told, 2);
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
  const auto outage = table_.outage_of(local_->settings());
  ASSERT_TRUE(outage);
  EXPECT_TRUE(outage->is_hung);
  EXPECT_NE(outage->cause, "");
  fake_.set_probes({});
  EXPECT_TRUE(eventually([](const Health& health) { return health.state == HealthState::kReady; }));
  EXPECT_FALSE(table_.outage_of(local_->settings()));
}

// What it works on may use up a small machine: it is slow, and that is not down.
TEST_F(ProberTest, ABusyServerThatDoesNotAnswerInTimeIsNotDown) {
  fakes::Gate finish;
  fake_.next([&](fakes::Talk& talk) {
    talk.wait(finish);
    talk.answer(200, "{}");
  });
  OutgoingRequest request;
  request.endpoint = "/chat/completions";
  request.wait_for_place_until = fakes::patience();
  std::thread client([&] { local_->begin(request, {}); });
  ASSERT_TRUE(fake_.wait_for_requests(1));
  fakes::Probes silent;
  silent.is_silent = true;
  fake_.set_probes(silent);
  table_.mark_used(local_->settings());
  start();
  EXPECT_TRUE(fake_.wait_for_probes(2));  // so the first has ended, after its 5 s
  EXPECT_EQ(table_.of(local_->settings()).state, HealthState::kUnknown);
  finish.open();
  client.join();
  EXPECT_TRUE(eventually([](const Health& health) { return health.state == HealthState::kDown; }));
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
