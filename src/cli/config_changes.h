#pragma once

// What a reload changes, for a person.

#include <string>
#include <vector>

#include "snapshot.h"
#include "weir/config/load.h"

namespace weir::cli {

// The keys that have other values in `after` than in `before`, as "table.key", sorted. A key of an
// API counts by its value, though only its name is told.
std::vector<std::string> changed_keys(const config::Loaded& before, const config::Loaded& after);

// The keys of files that hold something else than before, "server.tls_cert (contents)" say, without
// those in `changed`: another file is another thing.
std::vector<std::string> changed_contents(const FileContents& before, const FileContents& after,
                                          const std::vector<std::string>& changed);

// Puts back into `config` what only a start can change (the addresses to listen on, the log's file)
// and tells the keys of it that had other values than in `in_force`.
std::vector<std::string> keep_what_needs_a_start(const config::Config& in_force,
                                                 config::Config& config);

}  // namespace weir::cli
