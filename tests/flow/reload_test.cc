// Reload: another configuration takes the place of the one in force, and nothing under way notices.

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <thread>
#include <vector>

#include "config_changes.h"
#include "gate.h"
#include "http_text.h"
#include "weir_fixture.h"

namespace weir::flow {
namespace {

using fakes::Gate;

std::string status_of(const Weir& weir) {
  RawClient client = weir.client();
  client.send(request_text("GET /weir/status", "", ""));
  return client.read_reply("GET").body;
}

bool wait_for_status(const Weir& weir, const std::string& text) {
  const auto deadline = fakes::patience();
  while (status_of(weir).find(text) == std::string::npos) {
    if (std::chrono::steady_clock::now() > deadline) {
      return false;
    }
    std::this_thread::yield();
  }
  return true;
}

Reply ask_for_reload(const Weir& weir) {
  RawClient client = weir.client();
  client.send(request_text("POST /weir/reload", "", "{}"));
  return client.read_reply();
}

TEST(Reload, TheNextRequestGoesByTheNewConfiguration) {
  Weir weir;
  EXPECT_EQ(header_of(ask(weir.port(), short_chat()), "X-Weir-Route"), "local.llamacpp");
  ASSERT_TRUE(weir.reload([](config::Config& config) { config.routing.threshold_tokens = 1; }));
  EXPECT_EQ(header_of(ask(weir.port(), short_chat()), "X-Weir-Route"), "provider.cloud");
  EXPECT_TRUE(weir.wait_for_log("the new configuration is in force"));
  EXPECT_NE(status_of(weir).find("\"reloads\":1,\"reloads_failed\":0"), std::string::npos);
}

TEST(Reload, AStreamUnderWayIsNotCutAndKeepsItsUpstream) {
  Gate gate;
  ScriptedUpstream other;
  Weir weir;
  weir.local().next([&](Talk& talk) {
    talk.start_stream();
    talk.chunk(event("a"));
    talk.wait(gate);
    talk.chunk(event("b"));
    talk.end_stream();
  });
  RawClient running = weir.client();
  running.send(post(short_chat(kStream)));
  ASSERT_TRUE(running.read_until(event("a")));
  ASSERT_TRUE(weir.reload([&](config::Config& config) {
    local_of(config).base_url.port = other.port();
    local_of(config).name = "other";
    config.routing.short_route = "local.other";
  }));
  EXPECT_EQ(header_of(ask(weir.port(), short_chat()), "X-Weir-Route"), "local.other");
  EXPECT_EQ(other.request_count(), 1U);
  gate.open();
  const Reply reply = running.read_reply();
  EXPECT_EQ(reply.body, event("a") + event("b"));
  EXPECT_TRUE(reply.is_whole);
  EXPECT_EQ(status_of(weir).find("\"name\":\"local.llamacpp\""), std::string::npos);
}

TEST(Reload, AFaultyFileChangesNothingAndEveryFaultIsLogged) {
  Weir weir;
  const auto outcome = weir.reload_faulty("config.toml:3:1: a: wrong\nconfig.toml:9:1: b: wrong");
  ASSERT_FALSE(outcome);
  EXPECT_TRUE(weir.wait_for_log("config.toml:3:1: a: wrong"));
  EXPECT_TRUE(weir.wait_for_log("config.toml:9:1: b: wrong"));
  EXPECT_EQ(header_of(ask(weir.port(), short_chat()), "X-Weir-Route"), "local.llamacpp");
  EXPECT_NE(status_of(weir).find("\"reloads\":0,\"reloads_failed\":1,\"last_reload_fault\":\"config"),
            std::string::npos);
  ASSERT_TRUE(weir.reload([](config::Config&) {}));
  EXPECT_EQ(status_of(weir).find("last_reload_fault"), std::string::npos);
}

TEST(Reload, FilesThatCannotBeUsedAreFaultsToo) {
  Weir weir;
  EXPECT_FALSE(
      weir.reload([](config::Config& config) { cloud_of(config).ca_file = "/no/such/file.pem"; }));
  EXPECT_FALSE(weir.reload([](config::Config& config) {
    cloud_of(config).ca_file = fakes::TestCa::shared().ca_file();
    config.tokenizer.model = "/no/such/model.gguf";
  }));
  EXPECT_EQ(header_of(ask(weir.port(), long_chat()), "X-Weir-Route"), "provider.cloud");
}

TEST(Reload, AnUnchangedUpstreamKeepsItsConnections) {
  Weir weir;
  ask(weir.port(), long_chat());
  ASSERT_TRUE(weir.reload([](config::Config& config) {
    config.routing.margin_tokens = 7;
    local_of(config).timeout = config::Seconds(5);
  }));
  ask(weir.port(), long_chat());
  EXPECT_TRUE(weir.cloud().request(1).reused);
  ASSERT_TRUE(weir.reload(
      [](config::Config& config) { cloud_of(config).api_key = base::Secret("another-key-3"); }));
  ask(weir.port(), long_chat());
  EXPECT_FALSE(weir.cloud().request(2).reused);
  EXPECT_EQ(fakes::header_value(weir.cloud().request(2).head, "Authorization"),
            "Bearer another-key-3");
}

TEST(Reload, ClientKeysAndLimitsAreThoseOfTheNewConfiguration) {
  Weir weir;
  RawClient open = weir.client();
  open.send(post(short_chat()));
  ASSERT_EQ(open.read_reply().status, 200);
  ASSERT_TRUE(weir.reload([](config::Config& config) {
    config.server.keys = {{"me", base::Secret(std::string(kClientKey))}};
    config.server.body_bytes_max = 1000;
  }));
  open.send(post(short_chat()));
  EXPECT_EQ(open.read_reply().status, 401);
  const std::string key = "Authorization: Bearer " + std::string(kClientKey) + "\r\n";
  EXPECT_EQ(ask(weir.port(), short_chat(), key).status, 200);
  EXPECT_EQ(ask(weir.port(), long_chat(), key).status, 413);
}

TEST(Reload, WhatNeedsAStartIsNamedAndTheRestIsApplied) {
  Weir weir;
  const auto report = weir.reload([](config::Config& config) {
    config.server.listen = {{"127.0.0.1", 1}};
    config.log.format = config::LogFormat::kJson;
    config.routing.threshold_tokens = 1;
  });
  ASSERT_TRUE(report);
  EXPECT_EQ(report->needs_restart, (std::vector<std::string>{"server.listen", "log.format"}));
  EXPECT_TRUE(weir.wait_for_log("these settings change with the next start only"));
  EXPECT_EQ(header_of(ask(weir.port(), short_chat()), "X-Weir-Route"), "provider.cloud");
}

// Keys are needed as long as the old address is open to others, whatever the new file says of it.
TEST(Reload, AnOpenAddressNeverLosesItsKeys) {
  Weir weir([](config::Config& config) {
    config.server.listen = {{"0.0.0.0", 0}};
    config.server.keys = {{"me", base::Secret(std::string(kClientKey))}};
  });
  EXPECT_FALSE(weir.reload([](config::Config& config) {
    config.server.listen = {{"127.0.0.1", 0}};
    config.server.keys.clear();
  }));
  EXPECT_EQ(ask(weir.port(), short_chat()).status, 401);
}

TEST(Reload, ThePageTellsWhatHasChangedOrWhatIsWrong) {
  Weir weir;
  weir.set_next([](config::Config& config) { config.server.listen = {{"127.0.0.1", 1}}; });
  const Reply good = ask_for_reload(weir);
  EXPECT_EQ(good.status, 200);
  EXPECT_EQ(good.body, R"({"changed":[],"needs_restart":["server.listen"],"warnings":[]})");
  weir.set_next_fault("config.toml:1:1: x: wrong");
  const Reply bad = ask_for_reload(weir);
  EXPECT_EQ(bad.status, 422);
  EXPECT_EQ(header_of(bad, "X-Weir-Error"), "bad_config");
  EXPECT_NE(bad.body.find("config.toml:1:1: x: wrong"), std::string::npos);
}

TEST(Reload, NoNewKeyIsInTheLog) {
  Weir weir;
  ASSERT_TRUE(weir.reload([](config::Config& config) {
    cloud_of(config).api_key = base::Secret("fresh-canary-key-77");
    config.routing.threshold_tokens = 1;
  }));
  weir.cloud().next(answers(404, "{}"));
  ask(weir.port(), short_chat());
  ASSERT_TRUE(weir.wait_for_log("request"));
  EXPECT_EQ(weir.log_text().find("fresh-canary"), std::string::npos);
}

TEST(Reload, TheCounterIsKeptWhileItsSettingsAreTheSame) {
  Weir weir;
  ASSERT_TRUE(weir.reload([](config::Config& config) { config.routing.margin_tokens = 3; }));
  const std::string before = header_of(ask(weir.port(), short_chat()), "X-Weir-Prompt-Tokens");
  ASSERT_TRUE(weir.reload([](config::Config& config) { config.tokenizer.model = "o200k"; }));
  EXPECT_NE(status_of(weir).find("\"tokenizer\":\"o200k\""), std::string::npos);
  EXPECT_NE(header_of(ask(weir.port(), short_chat()), "X-Weir-Prompt-Tokens"), before);
}

TEST(Reload, WhoWaitsForAPlaceKeepsItsTurn) {
  Gate gate;
  Weir weir([](config::Config& config) {
    local_of(config).max_concurrent = 1;
    local_of(config).queue_wait = config::Seconds(60);
  });
  weir.local().next([&](Talk& talk) {
    talk.wait(gate);
    talk.answer(200, R"({"id":"first"})");
  });
  RawClient first = weir.client();
  first.send(post(short_chat()));
  ASSERT_TRUE(weir.local().wait_for_requests(1));
  RawClient second = weir.client();
  second.send(post(short_chat("\"n\":1,")));
  ASSERT_TRUE(wait_for_status(weir, "\"in_flight\":1,\"waiting\":1"));
  ASSERT_TRUE(weir.reload([](config::Config& config) {
    local_of(config).api_key = base::Secret("another-key-5");  // another object for the same server
  }));
  RawClient third = weir.client();
  third.send(post(short_chat("\"n\":2,")));
  ASSERT_TRUE(wait_for_status(weir, "\"in_flight\":1,\"waiting\":2"));
  EXPECT_EQ(weir.local().request_count(), 1U);
  gate.open();
  EXPECT_EQ(first.read_reply().status, 200);
  EXPECT_EQ(second.read_reply().status, 200);
  EXPECT_EQ(third.read_reply().status, 200);
  EXPECT_NE(weir.local().request(1).body.find("\"n\":1"), std::string::npos);
  EXPECT_NE(weir.local().request(2).body.find("\"n\":2"), std::string::npos);
}

// Reloads make new upstreams, change the number of places and rename the server, while requests run,
// leave and fail: never more are under way than the largest number allowed, and in the end nobody
// has taken a place along.
TEST(Reload, PlacesStayRightWhateverHappens) {
  constexpr int kPlacesMax = 3;
  std::atomic<int> inside{0};
  std::atomic<int> most{0};
  Weir weir([&](config::Config& config) {
    local_of(config).max_concurrent = kPlacesMax;
    local_of(config).queue_wait = config::Seconds(60);
    config.routing.fallback.clear();
  });
  weir.local().always([&](Talk& talk) {
    const int now = ++inside;
    int seen = most;
    while (now > seen && !most.compare_exchange_weak(seen, now)) {
    }
    const bool fails = talk.request().body.find("\"n\":3") != std::string::npos;
    const bool hangs = talk.request().body.find("\"n\":1,") != std::string::npos;
    --inside;  // before the answer: weir may take the next one in as soon as it has it
    if (hangs) {
      talk.wait_for_close();
    } else if (fails) {
      talk.reset();
    } else {
      talk.answer(200, R"({"id":"x"})");
    }
  });
  std::atomic<bool> over{false};
  std::thread reloader([&] {
    for (int n = 0; !over; ++n) {
      const auto report = weir.reload([n](config::Config& config) {
        local_of(config).max_concurrent = 1 + n % kPlacesMax;
        local_of(config).timeout = config::Seconds(600 + n % 7);
        local_of(config).name = n % 5 == 4 ? "renamed" : "llamacpp";
        config.routing.short_route = local_of(config).full_name();
      });
      EXPECT_TRUE(report);
    }
  });
  std::vector<std::thread> clients;
  for (int i = 0; i < 8; ++i) {
    clients.emplace_back([&, i] {
      for (int n = 0; n < 12; ++n) {
        RawClient client = weir.client();
        client.send(post(short_chat("\"n\":" + std::to_string((i + n) % 4) + ",")));
        if ((i + n) % 4 == 1) {
          n % 2 == 0 ? client.reset() : client.leave();
        } else {
          EXPECT_NE(client.read_reply().status, 0);
        }
      }
    });
  }
  for (std::thread& client : clients) {
    client.join();
  }
  over = true;
  reloader.join();
  EXPECT_LE(most, kPlacesMax);
  EXPECT_TRUE(wait_for_status(weir, "\"in_flight\":0,\"waiting\":0,\"has_key\""));
}

TEST(Reload, OneThatComesWhileWeirStopsDoesNoHarm) {
  Gate gate;
  Weir weir([](config::Config& config) { config.server.drain = config::Seconds(60); });
  weir.local().next([&](Talk& talk) {
    talk.start_stream();
    talk.chunk(event("a"));
    talk.wait(gate);
    talk.end_stream();
  });
  RawClient running = weir.client();
  running.send(post(short_chat(kStream)));
  ASSERT_TRUE(running.read_until(event("a")));
  RawClient idle = weir.client();
  std::thread stopping([&] { weir.runtime().stop(); });
  EXPECT_NE(idle.wait_for_close(), fakes::Got::kTimeout);
  EXPECT_TRUE(weir.reload([](config::Config& config) { config.routing.threshold_tokens = 1; }));
  gate.open();
  EXPECT_TRUE(running.read_reply().is_whole);
  stopping.join();
}

config::Loaded parsed(const std::string& text) {
  return *config::parse_config("[provider.c]\nbase_url = \"https://c.test\"\n" + text,
                               "/etc/weir/config.toml", {});
}

TEST(ChangedKeys, NamesWhatIsOtherwise) {
  const auto before = parsed("api_key = \"sk-first-1\"\n[routing]\nlong_route = \"c\"\n");
  EXPECT_TRUE(cli::changed_keys(before, before).empty());
  const auto after = parsed(
      "api_key = \"sk-second-2\"\ntimeout = 5\n[routing]\nlong_route = \"c\"\nhold = 1\n"
      "[[server.keys]]\nname = \"me\"\nkey = \"client-key-3\"\n");
  const auto changed = cli::changed_keys(before, after);
  for (const char* key : {"provider.c.api_key", "provider.c.timeout", "routing.hold"}) {
    EXPECT_NE(std::find(changed.begin(), changed.end(), key), changed.end()) << key;
  }
}

}  // namespace
}  // namespace weir::flow
