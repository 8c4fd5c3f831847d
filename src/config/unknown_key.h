#pragma once

// A key that nobody knows: a typo, or a key in the wrong table. Never passed over, because a typo
// must not change silently where prompts and keys go.

#include <string>

#include "node.h"
#include "reading.h"

namespace weir::config {

// Reports `entry` of the table `name` ("provider.taotoken", pattern "provider.NAME") and names the
// nearest known key with its place. A table that skip_line made is passed over.
void report_unknown(Reading& reading, const Entry& entry, const std::string& name,
                    const std::string& pattern);

}  // namespace weir::config
