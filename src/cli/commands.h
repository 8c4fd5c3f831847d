#pragma once

// The sub-commands, one file each. Every one returns the exit code of the program.

#include <filesystem>
#include <optional>
#include <string>

#include "weir/base/result.h"
#include "weir/config/load.h"

namespace weir::cli {

enum ExitCode { kExitDone = 0, kExitNo = 1, kExitWrongInput = 2, kExitCannotRun = 3 };

struct ServeOptions {
  std::optional<std::string> config;
  std::optional<std::string> listen;
};
int serve(const ServeOptions& options);

struct DemoOptions {
  bool keep = false;
};
int demo(const DemoOptions& options);

struct CountOptions {
  std::optional<std::string> config;  // its tokenizer counts, instead of `tokenizer`
  std::string tokenizer = "qwen3.5";
  bool text = false;
  bool no_special = false;
  std::string file = "-";
};
int count(const CountOptions& options);

struct RouteOptions {
  std::optional<std::string> config;
  std::string file = "-";
};
int route(const RouteOptions& options);

struct ConfigOptions {
  std::optional<std::string> config;
  bool example = false;
};
int show_config(const ConfigOptions& options);

struct ServiceOptions {
  std::string action;  // "install", "uninstall" or "status"
  std::optional<std::string> config;
  bool user = false;
  bool dry_run = false;
  bool replace = false;
};
int service(const ServiceOptions& options);

// Shared by the commands:

// The environment of this process.
config::Environment process_environment();
// Finds and reads the configuration.
base::Result<config::Loaded> load(const std::optional<std::string>& config_option);
// A file, or standard input for "-", of at most 1 GiB.
base::Result<std::string> read_input(const std::string& file);
// Writes the error to standard error; returns the exit code that it stands for.
int report(const base::Error& error);

}  // namespace weir::cli
