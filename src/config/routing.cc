#include <algorithm>
#include <array>

#include "tables.h"
#include "weir/base/text.h"

namespace weir::config {
namespace {

constexpr std::int64_t kTokensMax = 1000000000;

struct CauseName {
  std::string_view name;
  FallbackCause cause;
};
constexpr std::array kCauses{
    CauseName{"down", FallbackCause::kDown},       CauseName{"loading", FallbackCause::kLoading},
    CauseName{"busy", FallbackCause::kBusy},       CauseName{"context", FallbackCause::kContext},
    CauseName{"content", FallbackCause::kContent}, CauseName{"error", FallbackCause::kError}};

std::vector<std::string_view> cause_names() {
  std::vector<std::string_view> names;
  names.reserve(kCauses.size());
  for (const CauseName& known : kCauses) {
    names.push_back(known.name);
  }
  return names;
}

void read_fallback(const Value& value, Routing& into) {
  if (value.node.kind == Node::Kind::kFlag && !value.node.flag) {
    value.fault("found false where a list is needed; write fallback = [] to never leave the house");
    return;
  }
  if (value.node.kind != Node::Kind::kList) {
    value.wrong_type("a list");
    return;
  }
  std::vector<FallbackCause> causes;
  for (const Node& item : value.node.items) {
    const auto name = value.part(item, "").choice(cause_names());
    const auto known = std::find_if(kCauses.begin(), kCauses.end(),
                                    [&](const CauseName& one) { return one.name == name; });
    if (known != kCauses.end() &&
        std::find(causes.begin(), causes.end(), known->cause) == causes.end()) {
      causes.push_back(known->cause);
    }
  }
  into.fallback = std::move(causes);
}

std::string show_fallback(const Routing& routing) {
  std::vector<std::string> names;
  for (const FallbackCause cause : routing.fallback) {
    const auto known = std::find_if(kCauses.begin(), kCauses.end(),
                                    [&](const CauseName& one) { return one.cause == cause; });
    names.emplace_back(known->name);
  }
  return shown(names);
}

void read_cloud_model(const Value& value, Routing& into) {
  const auto name = value.text();
  if (name && base::trim_ascii(*name).empty()) {
    value.fault("the model is empty; write an alias of [provider.NAME.models] or a model id");
  } else if (name) {
    into.cloud_model = base::trim_ascii(*name);
  }
}

std::vector<const Upstream*> of_kind(const std::vector<Upstream>& upstreams, UpstreamKind kind) {
  std::vector<const Upstream*> out;
  for (const Upstream& upstream : upstreams) {
    if (upstream.kind == kind) {
      out.push_back(&upstream);
    }
  }
  return out;
}

std::string names_of(const std::vector<Upstream>& upstreams) {
  std::vector<std::string> names;
  names.reserve(upstreams.size());
  for (const Upstream& upstream : upstreams) {
    names.push_back(upstream.kind == UpstreamKind::kLocal
                        ? "local." + shown_name(upstream.name)
                        : "provider." + shown_name(upstream.name));
  }
  return shown_choices({names.begin(), names.end()});
}

// Resolves the text of a route. Empty with `fault` set when it names none, or more than one.
std::string resolve(const std::string& text, const std::vector<Upstream>& upstreams,
                    std::string& fault) {
  std::vector<std::string> matches;
  for (const Upstream& upstream : upstreams) {
    if (upstream.full_name() == text) {
      return text;
    }
    if (upstream.name == text) {
      matches.push_back(upstream.full_name());
    }
  }
  const auto locals = of_kind(upstreams, UpstreamKind::kLocal);
  if (matches.empty() && text == "local" && locals.size() == 1) {
    return locals.front()->full_name();
  }
  if (matches.size() == 1) {
    return matches.front();
  }
  if (matches.size() > 1) {
    fault = "more than one upstream has this name; write " +
            shown_choices({matches.begin(), matches.end()});
  } else if (text == "local") {
    fault = locals.empty() ? "there is no [local.NAME] table; add one or name another upstream"
                           : "there is more than one local; write " + names_of(upstreams);
  }
  return "";
}

std::string unknown_route(const std::string& text, const std::vector<Upstream>& upstreams) {
  std::vector<std::string> names;
  for (const Upstream& upstream : upstreams) {
    names.push_back(upstream.name);
    names.push_back(upstream.full_name());
  }
  const std::string_view nearest = base::nearest_of(text, {names.begin(), names.end()});
  return "no upstream is called " + shown_text(text) + "; write " +
         (nearest.empty() ? names_of(upstreams)
                          : in_quotes(nearest) + " (there are " + names_of(upstreams) + ")");
}

// What a route is when the file does not say: the only upstream of its kind; where there is none of
// that kind, the only one of the other.
std::string only_one(const std::vector<Upstream>& upstreams, UpstreamKind wanted) {
  auto candidates = of_kind(upstreams, wanted);
  if (candidates.empty()) {
    candidates = of_kind(
        upstreams, wanted == UpstreamKind::kLocal ? UpstreamKind::kProvider : UpstreamKind::kLocal);
  }
  return candidates.size() == 1 ? candidates.front()->full_name() : "";
}

void settle_route(Reading& reading, const Node& table, const std::vector<Upstream>& upstreams,
                  std::string_view key, UpstreamKind wanted, std::string& route) {
  if (upstreams.empty() || reading.is_partial) {
    return;
  }
  const Entry* entry = entry_of(table, key);
  const std::string full_key = "routing." + std::string(key);
  if (entry == nullptr) {
    route = only_one(upstreams, wanted);
    if (route.empty()) {
      reading.fault(table.place, full_key, "is missing; write " + names_of(upstreams));
    }
    return;
  }
  const std::string written = route;
  std::string fault;
  route = written.empty() ? "" : resolve(written, upstreams, fault);
  if (written.empty() && entry->node.kind == Node::Kind::kText && entry->node.text.empty()) {
    fault = "the name is empty; write " + names_of(upstreams);
  } else if (route.empty() && fault.empty() && !written.empty()) {
    fault = unknown_route(written, upstreams);
  }
  if (!fault.empty()) {
    reading.fault(entry->node.place, full_key, fault);
  }
}

void warn_of_missing_alias(Reading& reading, const Node& table,
                           const std::vector<Upstream>& upstreams, const Routing& routing) {
  const auto target = std::find_if(
      upstreams.begin(), upstreams.end(),
      [&](const Upstream& upstream) { return upstream.full_name() == routing.long_route; });
  if (target == upstreams.end() || target->kind != UpstreamKind::kProvider ||
      entry_of(table, "cloud_model") != nullptr || target->models.contains(routing.cloud_model)) {
    return;
  }
  reading.warn(table.place, "routing.cloud_model",
               "is not set and [" + target->full_name() +
                   ".models] has no long_context; set it to "
                   "the model id for long prompts that name no model");
}

// The settings were noted before the routes were resolved.
void update_setting(Reading& reading, const std::string& key, const std::string& route) {
  for (Setting& setting : reading.settings) {
    if (setting.table == "routing" && setting.key == key) {
      setting.value = shown(route);
    }
  }
}

}  // namespace

std::vector<Row<Routing>> routing_rows() {
  constexpr Range kTokens{0, kTokensMax};
  return {
      {"threshold_tokens", whole(&Routing::threshold_tokens, kTokens, "tokens"), "32768",
       "a prompt longer than this takes the long route; one of exactly this stays"},
      {"long_route", text(&Routing::long_route), "\"taotoken\"",
       "upstream for long prompts; not set: the only provider"},
      {"short_route", text(&Routing::short_route), "\"local\"",
       "upstream for short prompts; not set: the only local"},
      {"cloud_model",
       {"text", "", read_cloud_model,
        [](const Routing& routing) { return shown(routing.cloud_model); }},
       "\"long_context\"",
       "alias or model id for a long prompt that names no cloud model"},
      {"reserve_output", flag(&Routing::reserve_output), "true",
       "the output that a request asks for must fit beside its prompt"},
      {"reserve_tokens", whole(&Routing::reserve_tokens, kTokens, "tokens"), "1024",
       "output to reserve where the request asks for nothing"},
      {"margin_tokens", whole(&Routing::margin_tokens, kTokens, "tokens"), "0",
       "taken off the local context"},
      {"fallback",
       {"list", "", read_fallback, show_fallback},
       "[\"down\", \"loading\"]",
       "what lets a short prompt go to the long route; [] is never"},
      {"fallback_long", flag(&Routing::fallback_long), "false",
       "a long prompt may come back when it fits the local context"},
      {"hold", seconds(&Routing::hold, kWaitOrNone), "5",
       "how long the head of an answer waits for its first event while a fallback is possible"},
  };
}

void read_routing(Reading& reading, const Node& table, const std::vector<Upstream>& upstreams,
                  Routing& into) {
  read_rows(reading, table, {"routing", "routing"}, routing_rows(), into);
  settle_route(reading, table, upstreams, "long_route", UpstreamKind::kProvider, into.long_route);
  settle_route(reading, table, upstreams, "short_route", UpstreamKind::kLocal, into.short_route);
  update_setting(reading, "long_route", into.long_route);
  update_setting(reading, "short_route", into.short_route);
  warn_of_missing_alias(reading, table, upstreams, into);
}

const Upstream* Config::find(std::string_view full_name) const {
  const auto found =
      std::find_if(upstreams.begin(), upstreams.end(),
                   [&](const Upstream& upstream) { return upstream.full_name() == full_name; });
  return found == upstreams.end() ? nullptr : &*found;
}

}  // namespace weir::config
