#include "weir/proxy/information.h"

#include <algorithm>
#include <chrono>
#include <cstdio>

#include "weir/base/json_text.h"
#include "weir/openai/model_list.h"
#include "weir/os/process.h"

namespace weir::proxy {
namespace {

// Writes one JSON object, member by member.
class JsonObject {
 public:
  JsonObject& text(std::string_view key, std::string_view value) {
    name(key);
    base::append_json_string(out_, value);
    return *this;
  }
  JsonObject& number(std::string_view key, std::uint64_t value) {
    return raw(key, std::to_string(value));
  }
  JsonObject& raw(std::string_view key, std::string_view json) {
    name(key);
    out_ += json;
    return *this;
  }
  std::string done() const { return "{" + out_ + "}"; }

 private:
  void name(std::string_view key) {
    out_ += out_.empty() ? "" : ",";
    base::append_json_string(out_, key);
    out_ += ':';
  }
  std::string out_;
};

std::string counts_json(const std::map<std::string, std::uint64_t>& counts) {
  JsonObject json;
  for (const auto& [key, count] : counts) {
    json.number(key, count);
  }
  return json.done();
}

std::string count_checks_json(
    const std::map<std::string, metrics::CountCheck, std::less<>>& checks) {
  JsonObject json;
  for (const auto& [route, check] : checks) {
    json.raw(route, JsonObject()
                        .number("compared", check.compared)
                        .number("equal", check.equal)
                        .number("off", check.off)
                        .raw("last_difference", std::to_string(check.last_difference))
                        .done());
  }
  return json.done();
}

std::string upstream_json(const Services& services, const upstream::Upstream& upstream) {
  const upstream::Health health = services.health.of(upstream.settings());
  const config::Upstream& settings = upstream.settings();
  JsonObject json;
  json.text("name", upstream.full_name());
  json.text("base_url", settings.base_url.text());
  json.text("state", state_shown(health.state, upstream));
  if (!health.cause.empty()) {
    json.text("cause", health.cause);
  }
  json.number("in_flight", upstream.in_flight());
  json.number("waiting", upstream.waiting());
  if (const auto context =
          settings.context_tokens ? settings.context_tokens : health.slot_context_tokens) {
    json.number("context_tokens", *context);
  }
  if (health.total_slots) {
    json.number("slots", *health.total_slots);
  }
  json.raw("has_key", settings.api_key.empty() ? "false" : "true");
  return json.done();
}

// As the log writes it: "2026-12-01T12:00:00Z".
std::string time_text(std::chrono::system_clock::time_point time) {
  const auto day = std::chrono::floor<std::chrono::days>(time);
  const std::chrono::year_month_day date(day);
  const std::chrono::hh_mm_ss clock(std::chrono::floor<std::chrono::seconds>(time - day));
  char text[32];
  std::snprintf(text, sizeof text, "%04d-%02u-%02uT%02d:%02d:%02dZ", static_cast<int>(date.year()),
                static_cast<unsigned>(date.month()), static_cast<unsigned>(date.day()),
                static_cast<int>(clock.hours().count()), static_cast<int>(clock.minutes().count()),
                static_cast<int>(clock.seconds().count()));
  return text;
}

void add_model(std::vector<openai::ModelEntry>& models, const std::string& id,
               const std::string& owner) {
  const bool known = std::any_of(models.begin(), models.end(),
                                 [&](const openai::ModelEntry& entry) { return entry.id == id; });
  if (!known) {
    models.push_back({id, owner});
  }
}

}  // namespace

std::string health_page() {
  return R"({"status":"ok"})";
}

std::string_view state_shown(upstream::HealthState state, const upstream::Upstream& upstream) {
  const bool is_busy = state == upstream::HealthState::kReady && upstream.is_full();
  return is_busy ? "busy" : upstream::health_state_name(state);
}

std::string models_page(const Services& services) {
  std::vector<openai::ModelEntry> models{{"auto", "weir"}};
  for (const auto& upstream : services.upstreams) {
    const config::Upstream& settings = upstream->settings();
    if (settings.model) {
      add_model(models, *settings.model, upstream->full_name());
    }
    for (const std::string& id : services.health.of(upstream->settings()).model_ids) {
      add_model(models, id, upstream->full_name());
    }
    for (const auto& [alias, id] : settings.models) {
      add_model(models, alias, upstream->full_name());
    }
  }
  const auto now = services.clock.system_now().time_since_epoch();
  return openai::model_list(models, std::chrono::duration_cast<std::chrono::seconds>(now).count());
}

std::string status_page(const Services& services, const ConfigStatus& config,
                        std::string_view version) {
  std::string upstreams;
  for (const auto& upstream : services.upstreams) {
    upstreams += (upstreams.empty() ? "" : ",") + upstream_json(services, *upstream);
  }
  const metrics::Counters::Totals totals = services.counters.totals();
  const std::string requests = JsonObject()
                                   .number("total", totals.requests)
                                   .number("failed", totals.failed)
                                   .number("client_closed", totals.client_closed)
                                   .raw("by_route", counts_json(totals.by_route))
                                   .raw("by_reason", counts_json(totals.by_reason))
                                   .done();
  JsonObject page;
  page.text("version", version)
      .text("config", os::path_to_utf8(services.config.path))
      .text("config_loaded", time_text(config.loaded_at))
      .number("reloads", config.reloads)
      .number("reloads_failed", config.reloads_failed);
  if (!config.last_fault.empty()) {
    page.text("last_reload_fault", config.last_fault);
  }
  return page
      .number("threshold_tokens", services.config.routing.threshold_tokens)
      .text("short_route", services.config.routing.short_route)
      .text("long_route", services.config.routing.long_route)
      .text("tokenizer", services.counter.current()->tokenizer_name())
      .raw("upstreams", "[" + upstreams + "]")
      .raw("requests", requests)
      .raw("count_check", count_checks_json(totals.count_checks))
      .number("resident_bytes", os::resident_bytes())
      .done();
}

}  // namespace weir::proxy
