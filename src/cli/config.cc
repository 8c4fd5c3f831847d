#include <cstdio>

#include "commands.h"
#include "weir/server/server.h"

namespace weir::cli {

int show_config(const ConfigOptions& options) {
  if (options.example) {
    const std::string_view text = config::example_config();
    std::fwrite(text.data(), 1, text.size(), stdout);
    return kExitDone;
  }
  const auto loaded = load(options.config);
  if (!loaded) {
    return report(loaded.error());
  }
  std::fputs(config::print_config(*loaded).c_str(), stdout);
  for (const std::string& warning : loaded->warnings) {
    std::fprintf(stderr, "weir: %s\n", warning.c_str());
  }
  const auto prepared = server::Server::prepare(loaded->config.server);  // reads tls_cert, tls_key
  if (!prepared) {
    return report(prepared.error());
  }
  for (const std::string& warning : prepared->warnings) {
    std::fprintf(stderr, "weir: %s\n", warning.c_str());
  }
  return kExitDone;
}

}  // namespace weir::cli
