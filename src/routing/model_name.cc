#include "model_name.h"

#include <algorithm>

namespace weir::routing {
namespace {

using config::Upstream;
using config::UpstreamKind;

// Missing, "", "auto", or a name of a local model: the client has no wish of its own.
bool means_any_model(const config::Config& config, const RouteFacts& facts, std::string_view name) {
  if (name.empty() || name == "auto") {
    return true;
  }
  return std::any_of(
      config.upstreams.begin(), config.upstreams.end(), [&](const Upstream& upstream) {
        if (upstream.kind != UpstreamKind::kLocal) {
          return false;
        }
        const UpstreamFacts* known = facts_of(facts, upstream);
        return upstream.model == name ||
               (known != nullptr && std::find(known->model_ids.begin(), known->model_ids.end(),
                                              name) != known->model_ids.end());
      });
}

std::string alias_or_id(const Upstream& provider, std::string_view name) {
  const auto found = provider.models.find(std::string(name));
  return found == provider.models.end() ? std::string(name) : found->second;
}

}  // namespace

const Upstream* upstream_named(const config::Config& config, std::string_view name) {
  const Upstream* only_local = nullptr;
  std::size_t locals = 0;
  for (const Upstream& upstream : config.upstreams) {
    if (upstream.name == name || upstream.full_name() == name) {
      return &upstream;
    }
    if (upstream.kind == UpstreamKind::kLocal) {
      only_local = &upstream;
      ++locals;
    }
  }
  return name == "local" && locals == 1 ? only_local : nullptr;
}

Pin pin_of_model(const config::Config& config, std::string_view model) {
  const auto slash = model.find('/');
  if (slash == std::string_view::npos) {
    return {};
  }
  return {upstream_named(config, model.substr(0, slash)), model.substr(slash + 1)};
}

const UpstreamFacts* facts_of(const RouteFacts& facts, const Upstream& upstream) {
  const std::string name = upstream.full_name();
  const auto found =
      std::find_if(facts.upstreams.begin(), facts.upstreams.end(),
                   [&](const UpstreamFacts& known) { return known.full_name == name; });
  return found == facts.upstreams.end() ? nullptr : &*found;
}

std::optional<std::string> model_for(const config::Config& config, const RouteFacts& facts,
                                     const Upstream& upstream, std::string_view requested) {
  if (upstream.kind == UpstreamKind::kProvider) {
    const bool any = means_any_model(config, facts, requested);
    return alias_or_id(upstream, any ? config.routing.cloud_model : requested);
  }
  const UpstreamFacts* known = facts_of(facts, upstream);
  const bool reported =
      known != nullptr && std::find(known->model_ids.begin(), known->model_ids.end(), requested) !=
                              known->model_ids.end();
  if (reported) {
    return std::nullopt;  // the server's own name: nothing to change
  }
  if (upstream.model) {
    return upstream.model;
  }
  if (known != nullptr && !known->model_ids.empty()) {
    return known->model_ids.front();
  }
  return std::nullopt;
}

}  // namespace weir::routing
