#include "weir/cli/run.h"

#include <CLI/CLI.hpp>

#include "commands.h"
#include "usage_fault.h"
#include "weir/os/process.h"

namespace weir::cli {
namespace {

void add_serve(CLI::App& app, ServeOptions& options, int& exit_code) {
  CLI::App* command = app.add_subcommand("serve", "Run the daemon (weir alone does the same)");
  for (CLI::App* place : {command, &app}) {
    place->add_option("--config", options.config, "Configuration file")->type_name("FILE");
    place->add_option("--listen", options.listen, "Listen here instead of server.listen")
        ->type_name("HOST:PORT");
  }
  command->callback([&] { exit_code = serve(options); });
}

void add_demo(CLI::App& app, DemoOptions& options, int& exit_code) {
  CLI::App* command = app.add_subcommand(
      "demo", "Show short and long requests taking their way between two pretend upstreams");
  command->add_flag("--keep", options.keep, "Go on running and print curl lines");
  command->callback([&] { exit_code = demo(options); });
}

void add_count(CLI::App& app, CountOptions& options, int& exit_code) {
  CLI::App* command = app.add_subcommand(
      "count", "Print the prompt tokens of a chat request body, or of plain text");
  CLI::Option* tokenizer =
      command->add_option("--tokenizer", options.tokenizer,
                          "Built-in vocabulary, or a model file (.gguf); \"list\" names them");
  tokenizer->type_name("NAME")->capture_default_str();
  command
      ->add_option("--config", options.config,
                   "Count as the daemon with this configuration does before it has asked the "
                   "local server; without it no configuration is read")
      ->type_name("FILE")
      ->excludes(tokenizer);
  CLI::Option* text =
      command->add_flag("--text", options.text, "The input is plain text, not a request body");
  command
      ->add_flag("--no-special", options.no_special,
                 "Take special tokens in the text as plain text")
      ->needs(text);
  command->add_option("FILE", options.file, "Input; - is standard input")->capture_default_str();
  command->callback([&] { exit_code = count(options); });
}

void add_route(CLI::App& app, RouteOptions& options, int& exit_code) {
  CLI::App* command = app.add_subcommand(
      "route",
      "Dry run: say where a request body would go, and why, if every upstream is ready: none is "
      "asked");
  command->add_option("--config", options.config, "Configuration file")->type_name("FILE");
  command->add_option("FILE", options.file, "Request body; - is standard input")
      ->capture_default_str();
  command->callback([&] { exit_code = route(options); });
}

void add_config(CLI::App& app, ConfigOptions& options, int& exit_code) {
  CLI::App* command =
      app.add_subcommand("config", "Print the configuration in force, each value with its origin");
  command->add_option("--config", options.config, "Configuration file")->type_name("FILE");
  command->add_flag("--example", options.example, "Print the commented example instead");
  command->callback([&] { exit_code = show_config(options); });
}

void add_service(CLI::App& app, ServiceOptions& options, int& exit_code) {
  CLI::App* command = app.add_subcommand("service", "Run weir as a service of this machine");
  command->add_option("ACTION", options.action, "install, uninstall or status; says every step")
      ->required()
      ->check(CLI::IsMember({"install", "uninstall", "status"}));
  command->add_option("--config", options.config, "Configuration file of the service")
      ->type_name("FILE");
  command->add_flag("--user", options.user, "A service of this user, not of the system");
  command->add_flag("--dry-run", options.dry_run, "Only say what would be done");
  command->add_flag("--replace", options.replace,
                    "Also replace a unit file that was changed by hand; it is kept beside it");
  command->callback([&] { exit_code = service(options); });
}

}  // namespace

int run(int argc, char** argv) {
  os::prepare_process();
  CLI::App app{"weir: short prompts to the local llama-server, long ones to the cloud"};
  app.set_version_flag("--version", "weir " WEIR_VERSION);
  app.require_subcommand(0, 1);
  int exit_code = kExitDone;
  ServeOptions serve_options;
  DemoOptions demo_options;
  CountOptions count_options;
  RouteOptions route_options;
  ConfigOptions config_options;
  ServiceOptions service_options;
  add_serve(app, serve_options, exit_code);
  add_demo(app, demo_options, exit_code);
  add_count(app, count_options, exit_code);
  add_route(app, route_options, exit_code);
  add_config(app, config_options, exit_code);
  add_service(app, service_options, exit_code);
  try {
    app.parse(argc, argv);
    if (app.get_subcommands().empty()) {
      exit_code = serve(serve_options);
    }
  } catch (const CLI::ParseError& error) {
    if (error.get_exit_code() == static_cast<int>(CLI::ExitCodes::Success)) {
      return app.exit(error);  // --help, --version
    }
    return report({base::ErrorCode::kBadRequest, usage_fault(app, error)});
  } catch (const std::exception& error) {
    return report({base::ErrorCode::kCannotRun, error.what()});
  }
  return exit_code;
}

}  // namespace weir::cli
