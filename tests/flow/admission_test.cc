// A local server works on as many requests as it has slots; what comes beyond that waits or
// overflows.

#include <gtest/gtest.h>

#include <atomic>
#include <thread>
#include <vector>

#include "gate.h"
#include "weir_fixture.h"

namespace weir::flow {
namespace {

Change one_at_a_time(config::Seconds queue_wait, bool in_the_house = false) {
  return [=](config::Config& config) {
    local_of(config).max_concurrent = 1;
    local_of(config).queue_wait = queue_wait;
    if (in_the_house) {
      config.routing.fallback.clear();
    }
  };
}

// Answers when the gate opens.
fakes::Script behind(const fakes::Gate& gate) {
  return [&gate](Talk& talk) {
    if (talk.wait(gate)) {
      talk.answer(200, R"({"id":"x"})");
    }
  };
}

// Until the status page has `text`.
bool wait_for_status(const Weir& weir, const std::string& text) {
  const auto deadline = fakes::patience();
  while (std::chrono::steady_clock::now() < deadline) {
    RawClient page = weir.client();
    page.send(request_text("GET /weir/status",
                           "Authorization: Bearer " + std::string(kClientKey) + "\r\n", ""));
    const std::string status = page.read_reply("GET").body;
    if (status.find(text) != std::string::npos) {
      return true;
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  }
  return false;
}

bool wait_for_waiting(const Weir& weir, std::string_view count) {
  return wait_for_status(weir, "\"in_flight\":1,\"waiting\":" + std::string(count));
}

TEST(Admission, WhatIsTooManyGoesToTheCloud) {
  fakes::Gate gate;
  Weir weir(one_at_a_time(config::Seconds(0)));
  weir.local().next(behind(gate));
  RawClient first = weir.client();
  first.send(post(short_chat()));
  ASSERT_TRUE(weir.local().wait_for_requests(1));
  const Reply second = ask(weir.port(), short_chat());
  EXPECT_EQ(header_of(second, "X-Weir-Reason"), "fallback_busy");
  EXPECT_EQ(header_of(second, "X-Weir-Route"), "provider.cloud");
  gate.open();
  EXPECT_EQ(first.read_reply().status, 200);
  EXPECT_EQ(header_of(ask(weir.port(), short_chat()), "X-Weir-Reason"), "short");
  EXPECT_EQ(weir.cloud().request_count(), 1U);
}

TEST(Admission, WithinQueueWaitItStays) {
  fakes::Gate gate;
  Weir weir(one_at_a_time(config::Seconds(60)));
  weir.local().next(behind(gate));
  RawClient first = weir.client();
  first.send(post(short_chat()));
  ASSERT_TRUE(weir.local().wait_for_requests(1));
  RawClient second = weir.client();
  second.send(post(short_chat()));
  ASSERT_TRUE(wait_for_waiting(weir, "1"));
  EXPECT_EQ(weir.local().request_count(), 1U);
  gate.open();
  EXPECT_EQ(first.read_reply().status, 200);
  EXPECT_EQ(header_of(second.read_reply(), "X-Weir-Reason"), "short");
  EXPECT_EQ(weir.cloud().request_count(), 0U);
}

// The answer of the first upstream is kept, unread, as long as the second has not answered.
TEST(Admission, WhatWasRefusedTakesNoPlaceWhileAnotherUpstreamIsAtWork) {
  fakes::Gate gate;
  Weir weir(one_at_a_time(config::Seconds(0)));
  weir.local().next([&](Talk& talk) {
    talk.start_stream();
    talk.chunk(R"(data: {"error":{"code":500,"message":"Context size has been exceeded."}})"
               "\n\n");
    talk.wait(gate);
  });
  weir.cloud().next(behind(gate));
  RawClient first = weir.client();
  first.send(post(short_chat(kStream)));
  ASSERT_TRUE(weir.cloud().wait_for_requests(1));
  EXPECT_EQ(header_of(ask(weir.port(), short_chat()), "X-Weir-Reason"), "short");
  gate.open();
  EXPECT_EQ(header_of(first.read_reply(), "X-Weir-Reason"), "fallback_context");
}

TEST(Admission, WithoutAFallbackNothingLeavesTheHouse) {
  fakes::Gate gate;
  Weir weir(one_at_a_time(config::Seconds(0), true));
  weir.local().next(behind(gate));
  RawClient first = weir.client();
  first.send(post(short_chat()));
  ASSERT_TRUE(weir.local().wait_for_requests(1));
  RawClient second = weir.client();
  second.send(post(short_chat()));
  ASSERT_TRUE(wait_for_waiting(weir, "1"));
  gate.open();
  EXPECT_EQ(first.read_reply().status, 200);
  EXPECT_EQ(second.read_reply().status, 200);
  EXPECT_EQ(weir.cloud().connections().size(), 0U);
}

TEST(Admission, WhoWaitsTooLongIsToldToComeAgain) {
  fakes::Gate gate;
  Weir weir([](config::Config& config) {
    one_at_a_time(config::Seconds(0), true)(config);
    local_of(config).timeout = config::Seconds(0.3);
  });
  weir.local().next([&](Talk& talk) {
    talk.start_stream();
    talk.chunk(event("a"));
    talk.wait(gate);
    talk.end_stream();
  });
  RawClient first = weir.client();
  first.send(post(short_chat(kStream)));
  ASSERT_TRUE(first.read_until("data: "));
  const Reply second = ask(weir.port(), short_chat());
  EXPECT_EQ(second.status, 503);
  EXPECT_EQ(header_of(second, "X-Weir-Error"), "overloaded");
  EXPECT_NE(header_of(second, "Retry-After"), "");
  gate.open();
}

TEST(Admission, WhoLeavesWhileItWaitsIsForgotten) {
  fakes::Gate gate;
  Weir weir(one_at_a_time(config::Seconds(60)));
  weir.local().next(behind(gate));
  RawClient first = weir.client();
  first.send(post(short_chat()));
  ASSERT_TRUE(weir.local().wait_for_requests(1));
  for (const bool resets : {false, true}) {
    RawClient leaver = weir.client();
    leaver.send(post(short_chat()));
    ASSERT_TRUE(wait_for_waiting(weir, "1"));
    if (resets) {
      leaver.reset();
    } else {
      leaver.leave();
    }
    ASSERT_TRUE(wait_for_waiting(weir, "0"));
  }
  EXPECT_TRUE(weir.wait_for_log("client closed", 2));
  gate.open();
  EXPECT_EQ(first.read_reply().status, 200);
  EXPECT_EQ(weir.local().request_count(), 1U);
  EXPECT_EQ(weir.cloud().request_count(), 0U);
}

TEST(Admission, TheSlotsOfTheServerCount) {
  fakes::Gate gate;
  Weir weir;
  fakes::Probes probes;
  probes.health_status = 503;
  weir.local().set_probes(probes);
  weir.local().next(answers(
      503, R"({"error":{"code":503,"message":"Loading model","type":"unavailable_error"}})"));
  ask(weir.port(), short_chat());  // it is loading: when it is ready, weir asks what it is
  probes = {};
  probes.props = R"({"total_slots":1})";
  weir.local().set_probes(probes);
  ASSERT_TRUE(wait_for_status(weir, R"("slots":1)"));
  weir.local().always(behind(gate));
  RawClient first = weir.client();
  first.send(post(short_chat()));
  ASSERT_TRUE(weir.local().wait_for_requests(2));
  EXPECT_EQ(header_of(ask(weir.port(), short_chat()), "X-Weir-Reason"), "fallback_busy");
  EXPECT_TRUE(wait_for_status(weir, R"("state":"busy")"));
  gate.open();
}

TEST(Admission, NeverMoreThanThePlacesAreUnderWay) {
  constexpr int kPlaces = 3;
  std::atomic<int> inside{0};
  std::atomic<int> most{0};
  Weir weir([&](config::Config& config) {
    local_of(config).max_concurrent = kPlaces;
    local_of(config).queue_wait = config::Seconds(60);
  });
  weir.local().always([&](Talk& talk) {
    const int now = ++inside;
    int seen = most;
    while (now > seen && !most.compare_exchange_weak(seen, now)) {
    }
    talk.pause(std::chrono::milliseconds(3));
    --inside;
    talk.answer(200, R"({"id":"x"})");
  });
  std::atomic<int> good{0};
  std::vector<std::thread> clients;
  for (int i = 0; i < 12; ++i) {
    clients.emplace_back([&] {
      for (int n = 0; n < 10; ++n) {
        good += header_of(ask(weir.port(), short_chat()), "X-Weir-Reason") == "short" ? 1 : 0;
      }
    });
  }
  for (std::thread& client : clients) {
    client.join();
  }
  EXPECT_EQ(good, 120);
  EXPECT_LE(most, kPlaces);
}

}  // namespace
}  // namespace weir::flow
