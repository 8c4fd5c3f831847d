#pragma once

// The pages that are no relays, served by cpp-httplib: it routes, and it writes the answer. It sees
// a head of our own making (method, path, length), so that its reading of headers can neither
// change nor leak what a client sent.

#include <memory>
#include <string>
#include <vector>

#include "weir/log/logger.h"
#include "weir/proxy/client.h"
#include "weir/server/server.h"

namespace weir::server {

// Thread-safe.
class Pages {
 public:
  Pages(std::vector<Endpoints::Plain> pages, std::vector<std::string> relay_paths,
        log::Logger& logger);
  ~Pages();

  // Writes the whole answer, also the one for a path that does not exist or a method that does not
  // fit.
  void serve(const proxy::ClientRequest& request, proxy::ClientSink& sink);

  bool is_public(std::string_view path) const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace weir::server
