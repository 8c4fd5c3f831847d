#pragma once

// A pretend upstream for `weir demo`: an OpenAI-compatible server that answers every chat request
// with a short fixed story, as a stream or whole. It says by its words which of the two it is.

#include <memory>
#include <string>

#include "weir/base/result.h"
#include "weir/log/logger.h"
#include "weir/server/server.h"

namespace weir::cli {

class PretendUpstream {
 public:
  // Listens on a free port of 127.0.0.1. `name` is its model. `logger` outlives it.
  static base::Result<std::unique_ptr<PretendUpstream>> start(std::string name,
                                                              log::Logger& logger);

  std::uint16_t port() const;

 private:
  explicit PretendUpstream(std::string name) : name_(std::move(name)) {}
  void answer(const proxy::ClientRequest& request, proxy::ClientSink& sink) const;

  const std::string name_;
  config::Server settings_;
  std::unique_ptr<server::Server> server_;
};

}  // namespace weir::cli
