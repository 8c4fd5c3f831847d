#pragma once

// Everything that one reading of the configuration made. A reload makes another one; requests under
// way keep theirs to their end.

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "weir/base/result.h"
#include "weir/config/load.h"
#include "weir/proxy/services.h"
#include "weir/server/server.h"
#include "weir/tokenizer/builtin.h"
#include "weir/tokenizer/table_store.h"

namespace weir::cli {

// What all snapshots share, from the start of weir to its end.
struct Foundation {
  upstream::HealthTable& health;
  metrics::Counters& counters;
  log::Logger& logger;
  const base::Clock& clock;
  const os::StopSignal& hard_stop;
  tokenizer::Builtins& builtins;
  tokenizer::TableStore& tables;
  std::string_view own_name;  // see proxy::Services
};

// A number made of what each file held that a key names, by that key ("server.tls_cert"); nothing
// where there is no file.
using FileContents = std::map<std::string, std::optional<std::uint64_t>>;

struct Snapshot {
  config::Loaded loaded;
  // Each one is the same object as in the snapshot before while nothing of it has changed.
  std::vector<std::shared_ptr<upstream::Upstream>> upstreams;
  std::shared_ptr<proxy::LocalCounter> counter;  // likewise
  FileContents contents;
  std::shared_ptr<const server::Terms> terms;
  std::vector<std::string> warnings;        // of the files that were read for it
  std::optional<proxy::Services> services;  // refers to what stands above

  const config::Config& config() const { return loaded.config; }
};

// Opens the upstreams and prepares the server's terms. The counter is that of `before` when it
// would be the same, else one that is still to be configured. `before` may be null; nothing of it
// is changed. Errors: kBadConfig (files that the configuration names).
base::Result<std::shared_ptr<Snapshot>> open_snapshot(config::Loaded loaded, const Snapshot* before,
                                                      const Foundation& foundation);

// Chooses the counter of a snapshot that goes out of `open_snapshot` without one. Errors:
// kBadConfig.
base::Result<void> choose_counter(Snapshot& snapshot, const Foundation& foundation);

// To be called when `after` comes into force in the place of `before`: the health table and the
// places of servers that are the same go by it.
void take_over(const Snapshot& before, const Snapshot& after, upstream::HealthTable& health);

// The files that a change of the configuration may be in.
std::vector<std::filesystem::path> files_of(const config::Loaded& loaded);

}  // namespace weir::cli
