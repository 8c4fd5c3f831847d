#pragma once

namespace weir::cli {

// The whole program. Exit codes: 0 done; 1 it ran and the answer is no; 2 the command line or the
// configuration is wrong; 3 it could not run (port taken, file unreadable).
int run(int argc, char** argv);

}  // namespace weir::cli
