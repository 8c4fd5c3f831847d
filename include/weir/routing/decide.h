#pragma once

// Where a request goes: the decision table of docs/configuration.md as one pure function. No I/O,
// no clock, no lock.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "weir/base/result.h"
#include "weir/config/config.h"

namespace weir::routing {

enum class Reason {
  kShort,
  kLong,
  kPinned,
  kNoRoom,    // short, but prompt and requested output do not fit the short route's context
  kNoVision,  // short, but with a picture, audio or file part that the short route cannot take
  kFallbackDown,
  kFallbackLoading,
  kFallbackBusy,
  kFallbackContext,
  kFallbackContent,
  kFallbackError,
};

// The word for it in X-Weir-Reason, logs and metrics: "short", "fallback_down", ...
std::string_view reason_name(Reason reason);
std::string_view cause_name(config::FallbackCause cause);

// What is known of an upstream at this moment; what is not known does not send a request away.
struct UpstreamFacts {
  std::string_view full_name;          // config::Upstream::full_name()
  std::vector<std::string> model_ids;  // what a local server reports beside its configured name
  std::optional<std::uint32_t> context_tokens;  // of one slot
  std::optional<bool> vision;
  std::optional<bool> audio;
};

// An attempt that came to nothing before the first reply byte went to the client.
struct FailedAttempt {
  const config::Upstream* upstream = nullptr;
  config::FallbackCause cause = config::FallbackCause::kDown;
};

struct RouteFacts {
  std::optional<std::string_view> model;       // of the request
  std::string_view pin_header;                 // X-Weir-Route, or empty
  std::uint64_t prompt_tokens = 0;             // of the rendered prompt
  std::optional<std::uint64_t> output_tokens;  // what the request asks for
  std::size_t images = 0;
  std::size_t audios = 0;
  std::size_t files = 0;
  std::vector<UpstreamFacts> upstreams;  // may lack some
  std::optional<FailedAttempt> failed;
};

struct Decision {
  const config::Upstream* upstream = nullptr;
  std::optional<std::string> model;  // to put into the body; nothing: leave the body as it is
  Reason reason = Reason::kShort;
};

// Chooses where a request goes. Pure: same facts, same answer.
//
// A prompt of exactly `threshold_tokens` stays on the short route. With `facts.failed` the answer
// is the fallback of that attempt; a pinned request has none. Errors: kBadRequest when a pin names
// no upstream; kUpstreamUnreachable when the failed attempt has no fallback.
base::Result<Decision> decide(const config::Config& config, const RouteFacts& facts);

// True when `decide` would have a fallback for a failure of this cause: the reply's head must then
// be held back.
bool may_fall_back(const config::Config& config, const RouteFacts& facts, const Decision& decision,
                   config::FallbackCause cause);

}  // namespace weir::routing
