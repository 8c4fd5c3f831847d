#include "weir/routing/decide.h"

#include <algorithm>

#include "model_name.h"

namespace weir::routing {
namespace {

using config::FallbackCause;
using config::Upstream;

constexpr std::string_view kPinHeader = "X-Weir-Route";

Reason fallback_reason(FallbackCause cause) {
  switch (cause) {
    case FallbackCause::kDown:
      return Reason::kFallbackDown;
    case FallbackCause::kLoading:
      return Reason::kFallbackLoading;
    case FallbackCause::kBusy:
      return Reason::kFallbackBusy;
    case FallbackCause::kContext:
      return Reason::kFallbackContext;
    case FallbackCause::kContent:
      return Reason::kFallbackContent;
    case FallbackCause::kError:
      return Reason::kFallbackError;
  }
  return Reason::kFallbackError;
}

std::optional<std::uint32_t> context_of(const RouteFacts& facts, const Upstream& upstream) {
  if (upstream.context_tokens) {
    return upstream.context_tokens;
  }
  const UpstreamFacts* known = facts_of(facts, upstream);
  return known == nullptr ? std::nullopt : known->context_tokens;
}

bool has_room_for(std::uint64_t output_tokens, const config::Routing& routing,
                  const RouteFacts& facts, const Upstream& upstream) {
  const auto context = context_of(facts, upstream);
  if (!context) {
    return true;
  }
  const std::uint64_t room = *context - std::min<std::uint64_t>(*context, routing.margin_tokens);
  return facts.prompt_tokens <= room && output_tokens <= room - facts.prompt_tokens;
}

std::uint64_t reserved_output(const config::Routing& routing, const RouteFacts& facts) {
  return facts.output_tokens.value_or(routing.reserve_tokens);
}

bool takes_content(const RouteFacts& facts, const Upstream& upstream) {
  const UpstreamFacts* known = facts_of(facts, upstream);
  const auto able = [&](std::optional<bool> configured, std::optional<bool> UpstreamFacts::*asked) {
    return configured.value_or(known == nullptr ? true : (known->*asked).value_or(true));
  };
  const bool local = upstream.kind == config::UpstreamKind::kLocal;
  return (facts.images == 0 || able(upstream.vision, &UpstreamFacts::vision)) &&
         (facts.audios == 0 || able(upstream.audio, &UpstreamFacts::audio)) &&
         (facts.files == 0 || !local);  // llama-server refuses every file part
}

// Why a request goes to the long route, or kShort.
Reason reason_of_length(const config::Config& config, const RouteFacts& facts,
                        const Upstream& short_route) {
  if (facts.prompt_tokens > config.routing.threshold_tokens) {
    return Reason::kLong;
  }
  if (!takes_content(facts, short_route)) {
    return Reason::kNoVision;
  }
  const bool has_room =
      !config.routing.reserve_output ||
      has_room_for(reserved_output(config.routing, facts), config.routing, facts, short_route);
  return has_room ? Reason::kShort : Reason::kNoRoom;
}

// The prefix "NAME/" is ours: a name that the server itself reports is written without it, too.
std::string pinned_model(const config::Config& config, const RouteFacts& facts, const Pin& pin) {
  return model_for(config, facts, *pin.upstream, pin.model).value_or(std::string(pin.model));
}

base::Result<std::optional<Decision>> decide_pin(const config::Config& config,
                                                 const RouteFacts& facts) {
  const std::string_view requested = facts.model.value_or("");
  const Pin pin = pin_of_model(config, requested);
  if (facts.pin_header.empty()) {
    if (pin.upstream == nullptr) {
      return std::optional<Decision>();
    }
    return std::optional<Decision>(
        Decision{pin.upstream, pinned_model(config, facts, pin), Reason::kPinned});
  }
  const Upstream* named = upstream_named(config, facts.pin_header);
  if (named == nullptr) {
    std::string names;
    for (const Upstream& upstream : config.upstreams) {
      names += (names.empty() ? "" : ", ") + upstream.name;
    }
    return base::Error{
        base::ErrorCode::kBadRequest,
        std::string(kPinHeader) + " names no upstream of the configuration; there are: " + names};
  }
  return std::optional<Decision>(Decision{named,
                                          pin.upstream == named
                                              ? pinned_model(config, facts, pin)
                                              : model_for(config, facts, *named, requested),
                                          Reason::kPinned});
}

// The other end of the route for a failed attempt, or nullptr.
const Upstream* fallback_of(const config::Config& config, const RouteFacts& facts,
                            const FailedAttempt& failed) {
  const config::Routing& routing = config.routing;
  const bool allowed = std::find(routing.fallback.begin(), routing.fallback.end(), failed.cause) !=
                       routing.fallback.end();
  const Upstream* short_route = config.find(routing.short_route);
  const Upstream* long_route = config.find(routing.long_route);
  if (!allowed || short_route == long_route) {
    return nullptr;
  }
  if (failed.upstream == short_route) {
    return long_route;
  }
  if (!routing.fallback_long || failed.upstream != long_route ||
      !takes_content(facts, *short_route)) {
    return nullptr;
  }
  // At least one token of an answer: a prompt that fills the context is refused.
  const std::uint64_t output = routing.reserve_output ? reserved_output(routing, facts) : 1;
  return has_room_for(output, routing, facts, *short_route) ? short_route : nullptr;
}

}  // namespace

std::string_view reason_name(Reason reason) {
  switch (reason) {
    case Reason::kShort:
      return "short";
    case Reason::kLong:
      return "long";
    case Reason::kPinned:
      return "pinned";
    case Reason::kNoRoom:
      return "no_room";
    case Reason::kNoVision:
      return "no_vision";
    case Reason::kFallbackDown:
      return "fallback_down";
    case Reason::kFallbackLoading:
      return "fallback_loading";
    case Reason::kFallbackBusy:
      return "fallback_busy";
    case Reason::kFallbackContext:
      return "fallback_context";
    case Reason::kFallbackContent:
      return "fallback_content";
    case Reason::kFallbackError:
      return "fallback_error";
  }
  return "unknown";
}

std::string_view cause_name(FallbackCause cause) {
  return reason_name(fallback_reason(cause)).substr(std::string_view("fallback_").size());
}

base::Result<Decision> decide(const config::Config& config, const RouteFacts& facts) {
  auto pinned = decide_pin(config, facts);
  if (!pinned) {
    return pinned.error();
  }
  if (facts.failed) {
    const Upstream* next = *pinned ? nullptr : fallback_of(config, facts, *facts.failed);
    if (next == nullptr) {
      return base::Error{base::ErrorCode::kUpstreamUnreachable,
                         "there is no other upstream to try"};
    }
    return Decision{next, model_for(config, facts, *next, facts.model.value_or("")),
                    fallback_reason(facts.failed->cause)};
  }
  if (*pinned) {
    return **pinned;
  }
  const Upstream* short_route = config.find(config.routing.short_route);
  const Reason reason = reason_of_length(config, facts, *short_route);
  const Upstream* chosen =
      reason == Reason::kShort ? short_route : config.find(config.routing.long_route);
  return Decision{chosen, model_for(config, facts, *chosen, facts.model.value_or("")), reason};
}

bool may_fall_back(const config::Config& config, const RouteFacts& facts, const Decision& decision,
                   FallbackCause cause) {
  const bool first = !facts.failed && decision.reason != Reason::kPinned;
  return first && fallback_of(config, facts, {decision.upstream, cause}) != nullptr;
}

}  // namespace weir::routing
