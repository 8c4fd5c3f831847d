#pragma once

// The extra request headers of an upstream.

#include <string>

#include "reading.h"

namespace weir::config {

// Reads `headers = { Name = "value" }`: names that HTTP allows, values on one line, none that weir
// sets itself.
void read_headers(const Value& value, Upstream& into);

// As TOML; the values, which may be keys, as "***".
std::string show_headers(const Upstream& upstream);

}  // namespace weir::config
