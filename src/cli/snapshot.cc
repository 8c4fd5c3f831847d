#include "snapshot.h"

#include <algorithm>

#include "runtime.h"
#include "weir/service/file_watch.h"

namespace weir::cli {
namespace {

using config::UpstreamKind;

std::string ca_file_key(const config::Upstream& settings) {
  return settings.full_name() + ".ca_file";
}

bool is_same_server(const config::Upstream& a, const config::Upstream& b) {
  return a.base_url.host == b.base_url.host && a.base_url.port == b.base_url.port;
}

// The upstream of `before` that is this server, whatever else of it has changed: the one of the
// same name, or else one that was called something else.
const upstream::Upstream* same_server(const Snapshot* before, const config::Upstream& settings) {
  const upstream::Upstream* found = nullptr;
  if (before != nullptr) {
    for (const auto& old : before->upstreams) {
      const bool has_name = old->full_name() == settings.full_name();
      if (is_same_server(old->settings(), settings) && (found == nullptr || has_name)) {
        found = old.get();
      }
    }
  }
  return found;
}

FileContents contents_of(const config::Config& config) {
  const auto of = [](const std::filesystem::path& file) {
    return file.empty() ? std::nullopt : service::fingerprint(file);
  };
  FileContents contents{{"server.tls_cert", of(config.server.tls_cert)},
                        {"server.tls_key", of(config.server.tls_key)}};
  for (const config::Upstream& upstream : config.upstreams) {
    contents.emplace(ca_file_key(upstream), of(upstream.ca_file));
  }
  return contents;
}

// The very same one, with its connections.
std::shared_ptr<upstream::Upstream> unchanged(const Snapshot* before, const Snapshot& after,
                                              const config::Upstream& settings) {
  for (std::size_t i = 0; before != nullptr && i < before->upstreams.size(); ++i) {
    const std::string key = ca_file_key(settings);
    if (before->upstreams[i]->settings() == settings &&
        before->contents.at(key) == after.contents.at(key)) {
      return before->upstreams[i];
    }
  }
  return nullptr;
}

// What the counter of a configuration is made of.
bool counts_alike(const config::Config& a, const config::Config& b) {
  const config::Upstream* local_a = counted_local(a);
  const config::Upstream* local_b = counted_local(b);
  if (local_a == nullptr || local_b == nullptr) {
    return local_a == local_b && a.tokenizer == b.tokenizer;
  }
  return a.tokenizer == b.tokenizer && local_a->full_name() == local_b->full_name() &&
         local_a->base_url == local_b->base_url && local_a->model == local_b->model &&
         local_a->launch == local_b->launch;
}

base::Result<void> open_upstreams(Snapshot& snapshot, const Snapshot* before) {
  for (const config::Upstream& settings : snapshot.config().upstreams) {
    auto upstream = unchanged(before, snapshot, settings);
    if (upstream == nullptr) {
      auto opened = upstream::Upstream::open(settings, same_server(before, settings));
      if (!opened) {
        return opened.error();
      }
      upstream = std::move(*opened);
    }
    snapshot.upstreams.push_back(std::move(upstream));
  }
  return {};
}

// A fault begins with its key ("server.tls_cert: ..."): puts before it where that key stands.
base::Error with_place(base::Error error, const config::Loaded& loaded) {
  const std::string_view key = std::string_view(error.message).substr(0, error.message.find(':'));
  for (const config::Setting& setting : loaded.settings) {
    if (setting.table + "." + setting.key == key && setting.origin != "default") {
      error.message.insert(0, setting.origin + ": ");
      break;
    }
  }
  return error;
}

}  // namespace

base::Result<std::shared_ptr<Snapshot>> open_snapshot(config::Loaded loaded, const Snapshot* before,
                                                      const Foundation& foundation) {
  auto snapshot = std::make_shared<Snapshot>();
  snapshot->loaded = std::move(loaded);
  const config::Config& config = snapshot->config();
  snapshot->contents = contents_of(config);
  if (auto opened = open_upstreams(*snapshot, before); !opened) {
    return with_place(opened.error(), snapshot->loaded);
  }
  auto prepared = server::Server::prepare(config.server);
  if (!prepared) {
    return with_place(prepared.error(), snapshot->loaded);
  }
  snapshot->terms = std::move(prepared->terms);
  snapshot->warnings = std::move(prepared->warnings);
  if (before != nullptr && counts_alike(before->config(), config)) {
    snapshot->counter = before->counter;
  } else {
    snapshot->counter =
        std::make_shared<proxy::LocalCounter>(counted_local(config), foundation.logger);
  }
  snapshot->services.emplace(proxy::Services{
      config, snapshot->upstreams, foundation.health, *snapshot->counter, foundation.counters,
      foundation.logger, foundation.clock, foundation.hard_stop, foundation.own_name});
  return snapshot;
}

base::Result<void> choose_counter(Snapshot& snapshot, const Foundation& foundation) {
  auto counter = configured_counter(snapshot.config(), foundation.builtins, foundation.tables);
  if (!counter) {
    return with_place(counter.error(), snapshot.loaded);
  }
  snapshot.counter->configure(std::move(*counter));
  return {};
}

void take_over(const Snapshot& before, const Snapshot& after, upstream::HealthTable& health) {
  for (const config::Upstream& old : before.config().upstreams) {
    const config::Upstream* settings = after.config().find(old.full_name());
    if (settings == nullptr || settings->base_url != old.base_url) {
      health.forget(old);
    }
  }
  for (const auto& upstream : after.upstreams) {
    const bool is_new = std::find(before.upstreams.begin(), before.upstreams.end(), upstream) ==
                        before.upstreams.end();
    const auto slots = health.of(upstream->settings()).total_slots;
    // A local server whose slots are not known (yet) keeps the places that it had.
    const bool is_known = upstream->settings().kind == UpstreamKind::kProvider ||
                          upstream->settings().max_concurrent || slots;
    if (is_new && is_known) {
      upstream->set_places(slots);
    }
  }
}

std::vector<std::filesystem::path> files_of(const config::Loaded& loaded) {
  std::vector<std::filesystem::path> files{loaded.config.path, loaded.config.server.tls_cert,
                                           loaded.config.server.tls_key};
  files.insert(files.end(), loaded.files.begin(), loaded.files.end());
  for (const config::Upstream& upstream : loaded.config.upstreams) {
    files.push_back(upstream.ca_file);
  }
  files.erase(std::remove_if(files.begin(), files.end(),
                             [](const std::filesystem::path& file) { return file.empty(); }),
              files.end());
  return files;
}

}  // namespace weir::cli
