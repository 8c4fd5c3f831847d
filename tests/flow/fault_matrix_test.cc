// Every fault of an upstream x stream or not x what may be asked instead: what the client sees,
// who was called how often, what the log says.

#include <gtest/gtest.h>

#include "fault_rows.h"
#include "http_text.h"

namespace weir::flow {
namespace {

// Which of the two routes has the fault, and whether the other one may be asked instead.
enum class Route { kShortWithFallback, kShortAlone, kLong };

struct Cell {
  Fault fault;
  bool is_stream = false;
  Route route = Route::kShortAlone;

  const Told& told() const { return is_stream ? fault.stream : fault.plain; }
  bool falls_back() const { return route == Route::kShortWithFallback && !told().fallback.empty(); }
};

std::vector<Cell> all_cells() {
  std::vector<Cell> cells;
  for (const Fault& fault : all_faults()) {
    for (const bool is_stream : {false, true}) {
      for (const auto route : {Route::kShortWithFallback, Route::kShortAlone, Route::kLong}) {
        cells.push_back({fault, is_stream, route});
      }
    }
  }
  return cells;
}

std::string name_of(const testing::TestParamInfo<Cell>& info) {
  const Cell& cell = info.param;
  const std::string route = cell.route == Route::kShortWithFallback ? "with_fallback"
                            : cell.route == Route::kShortAlone      ? "alone"
                                                                    : "long_route";
  return cell.fault.name + (cell.is_stream ? "_stream_" : "_plain_") + route;
}

// Two providers, since those are not probed: whoever connects to one is a request.
void configure(const Cell& cell, config::Config& config) {
  config::Upstream& first = local_of(config);
  first.kind = config::UpstreamKind::kProvider;
  first.name = "first";
  first.timeout = config::Seconds(0.3);
  cell.fault.configure(first);
  config.routing.short_route = "provider.first";
  config.routing.long_route = "provider.cloud";
  if (cell.route == Route::kLong) {
    std::swap(config.routing.short_route, config.routing.long_route);
  } else if (cell.route == Route::kShortAlone) {
    config.routing.fallback.clear();
  }
}

class FaultMatrix : public testing::TestWithParam<Cell> {
 protected:
  FaultMatrix()
      : weir_([this](config::Config& config) { configure(cell_, config); },
              {.local_runs = cell_.fault.runs, .local_is_tls = cell_.fault.is_tls}) {}

  void play() {
    const Fault& fault = cell_.fault;
    if (fault.runs && fault.on_connection) {
      weir_.local().next_connection(fault.on_connection);
    }
    if (fault.runs && fault.plain_script) {
      const FaultScript& script = cell_.is_stream ? fault.stream_script : fault.plain_script;
      weir_.local().always([this, &script](Talk& talk) { script(talk, go_on_); });
    }
    weir_.cloud().always(cell_.is_stream ? streams(event("cloud") + std::string(kDone))
                                         : answers(200, R"({"from":"cloud"})"));
  }

  Reply ask_it() {
    const std::string_view members = cell_.is_stream ? kStream : std::string_view();
    RawClient client = weir_.client();
    client.send(post(cell_.route == Route::kLong ? long_chat(members) : short_chat(members)));
    if (!cell_.falls_back()) {
      EXPECT_TRUE(client.read_until(cell_.is_stream ? cell_.fault.seen_before
                                                    : cell_.fault.seen_before_plain));
    }
    go_on_.open();
    return client.read_reply();
  }

  void expect_the_others_answer(const Reply& reply) {
    EXPECT_EQ(reply.status, 200);
    EXPECT_TRUE(reply.is_whole);
    EXPECT_EQ(reply.body,
              cell_.is_stream ? event("cloud") + std::string(kDone) : R"({"from":"cloud"})");
    EXPECT_EQ(header_of(reply, "X-Weir-Route"), "provider.cloud");
    EXPECT_EQ(header_of(reply, "X-Weir-Reason"), "fallback_" + cell_.told().fallback);
    EXPECT_EQ(header_of(reply, "X-Weir-Error"), "");
  }

  void expect_the_fault(const Reply& reply) {
    const Told& told = cell_.told();
    EXPECT_EQ(reply.status, told.status);
    EXPECT_EQ(header_of(reply, "X-Weir-Error"), told.error_code);
    EXPECT_EQ(header_of(reply, "X-Weir-Route"), "provider.first");
    EXPECT_EQ(header_of(reply, "X-Weir-Reason"), cell_.route == Route::kLong ? "long" : "short");
    EXPECT_EQ(reply.is_whole, told.ending == Ending::kWhole);
    EXPECT_NE(reply.body.find(cell_.fault.body), std::string::npos) << reply.body;
    EXPECT_EQ(reply.body.find("[DONE]"), std::string::npos);
    EXPECT_EQ(reply.body.find("cloud"), std::string::npos);
    const bool has_error_event = reply.body.find("\n\ndata: {\"error\":") != std::string::npos ||
                                 reply.body.starts_with("data: {\"error\":");
    if (told.ending != Ending::kWhole) {
      EXPECT_EQ(has_error_event, told.ending == Ending::kErrorEvent) << reply.body;
    }
    if (told.status == 429) {
      EXPECT_EQ(header_of(reply, "Retry-After"), "7");
    }
  }

  void expect_calls() {
    if (cell_.fault.runs) {
      EXPECT_EQ(weir_.local().connections().size(), cell_.fault.connections);
      EXPECT_EQ(weir_.local().request_count(), cell_.fault.requests);
    }
    EXPECT_EQ(weir_.cloud().connections().size(), cell_.falls_back() ? 1U : 0U);
    EXPECT_EQ(weir_.cloud().request_count(), cell_.falls_back() ? 1U : 0U);
  }

  // The one line of the log that holds `word`.
  std::string line_with(std::string_view word) {
    EXPECT_TRUE(weir_.wait_for_log(word));
    const std::string log = weir_.log_text();
    const auto at = log.find(word);
    EXPECT_EQ(log.find(word, at + 1), std::string::npos) << log;
    const auto begin = log.rfind('\n', at) + 1;
    return log.substr(begin, log.find('\n', at) - begin);
  }

  static void expect_in(const std::string& line, const std::string& part) {
    EXPECT_NE(line.find(part), std::string::npos) << line << "\nlacks " << part;
  }

  void expect_log() {
    const Told& told = cell_.told();
    const std::string access = line_with(" request id=");
    if (cell_.falls_back()) {
      expect_in(access, "route=provider.cloud reason=fallback_" + told.fallback);
      expect_in(access, " status=200");
      const std::string fallback = line_with(" falls back ");
      expect_in(fallback, "from=provider.first for=" + told.fallback);
      expect_in(fallback, cell_.fault.cause);
    } else {
      const std::string reason = cell_.route == Route::kLong ? "long" : "short";
      expect_in(access, "route=provider.first reason=" + reason + " ");
      expect_in(access, " status=" + std::to_string(told.status));
      const bool is_ours = !told.error_code.empty() || told.ending != Ending::kWhole;
      EXPECT_EQ(access.find(" cause=") != std::string::npos, is_ours) << access;
      expect_in(access, cell_.fault.cause);
      EXPECT_EQ(weir_.log_text().find(" falls back "), std::string::npos);
    }
    EXPECT_EQ(access.find("end="), std::string::npos);  // the client did not leave
  }

  const Cell cell_ = GetParam();
  fakes::Gate go_on_;
  Weir weir_;
};

TEST_P(FaultMatrix, IsAsTheTableSays) {
  play();
  const Reply reply = ask_it();
  if (cell_.falls_back()) {
    expect_the_others_answer(reply);
  } else {
    expect_the_fault(reply);
  }
  expect_log();
  expect_calls();
}

INSTANTIATE_TEST_SUITE_P(All, FaultMatrix, testing::ValuesIn(all_cells()), name_of);

}  // namespace
}  // namespace weir::flow
