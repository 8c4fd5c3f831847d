#pragma once

// An upstream that is weir itself.

#include <optional>
#include <string>

#include "weir/config/config.h"

namespace weir::config {

// What is wrong with the base_url of `upstream` for a weir that listens so; nothing: it is another
// server.
std::optional<std::string> loop_fault(const Server& server, const Upstream& upstream);

}  // namespace weir::config
