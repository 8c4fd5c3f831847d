#pragma once

// What the `model` of a request means: a pin, a name of the local model, an alias, or any other
// name.

#include <optional>
#include <string>
#include <string_view>

#include "weir/config/config.h"
#include "weir/routing/decide.h"

namespace weir::routing {

struct Pin {
  const config::Upstream* upstream = nullptr;  // nullptr: not pinned
  std::string_view model;                      // what follows "NAME/"
};

// The upstream that `name` stands for: "taotoken", "provider.taotoken", or "local" when there is
// one local.
const config::Upstream* upstream_named(const config::Config& config, std::string_view name);

// The pin in a model name such as "local/auto" or "taotoken/gpt-4o".
Pin pin_of_model(const config::Config& config, std::string_view model);

const UpstreamFacts* facts_of(const RouteFacts& facts, const config::Upstream& upstream);

// The model name that `upstream` must see when the client said `requested` (without a pin).
// Nothing: leave it as it is.
std::optional<std::string> model_for(const config::Config& config, const RouteFacts& facts,
                                     const config::Upstream& upstream, std::string_view requested);

}  // namespace weir::routing
