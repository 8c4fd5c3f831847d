#pragma once

// What is wrong with a command line, in one line that says what to do.

#include <CLI/CLI.hpp>
#include <string>

namespace weir::cli {

// `error` is what `app` threw while it parsed. A word that is nearly a command or an option is
// answered with that one.
std::string usage_fault(const CLI::App& app, const CLI::ParseError& error);

}  // namespace weir::cli
