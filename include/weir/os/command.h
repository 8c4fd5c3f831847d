#pragma once

// Runs another program of the system and waits for its end. No shell is between.

#include <chrono>
#include <string>
#include <vector>

#include "weir/base/result.h"

namespace weir::os {

struct CommandResult {
  int exit_code = 0;   // 128 + the signal when one ended it
  std::string output;  // what it wrote to standard output and standard error, at most 64 KiB
};

// `words` are the program, looked for in PATH, and its arguments. Its standard input is empty.
// Errors: kCannotRun when there is no such program, or when it has not ended within `time_max` (it
// is ended then).
base::Result<CommandResult> run_command(const std::vector<std::string>& words,
                                        std::chrono::seconds time_max);

}  // namespace weir::os
