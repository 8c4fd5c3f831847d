#pragma once

// The front: listens, reads requests within limits, checks who may ask, and hands each one to its
// handler.
//
// One thread (the poller) holds all connections that wait for a request, so that a thousand idle
// ones cost nothing. A request whose head is complete gets a worker thread for as long as it lasts.
// An endpoint that relays is served by our own code, bytes in and bytes out; every other page is an
// ordinary cpp-httplib handler.

#include <chrono>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "weir/base/clock.h"
#include "weir/base/result.h"
#include "weir/config/config.h"
#include "weir/log/logger.h"
#include "weir/os/socket.h"
#include "weir/proxy/client.h"

namespace weir::server {

// Serves one request on a worker thread; writes the whole answer to the sink.
using RelayHandler = std::function<void(const proxy::ClientRequest&, proxy::ClientSink&)>;

// An ordinary page: what is shown for a request.
struct Page {
  int status = 200;
  std::string content_type = "application/json";
  std::string body;
  std::string error_code{};  // in X-Weir-Error, when it is not empty
};
using PageHandler = std::function<Page(const proxy::ClientRequest&)>;

// Settings of a server with all that was read for them.
struct Terms;

struct Prepared {
  std::shared_ptr<const Terms> terms;
  std::vector<std::string> warnings;  // it works, but look at it; one line each
};

struct Endpoints {
  struct Relay {
    std::string method;
    std::string path;  // normalised, see paths.h
    RelayHandler handler;
  };
  struct Plain {
    std::string method;
    std::string path;
    bool is_public = false;  // needs no client key
    PageHandler handler;
  };
  std::vector<Relay> relays;
  std::vector<Plain> pages;
  // Told the code (X-Weir-Error) of every request that is refused before a handler sees it. May be
  // empty; any thread.
  std::function<void(std::string_view code)> on_refused{};
};

class Server {
 public:
  // Binds every address of `settings.listen` and begins to serve. `logger` outlives the server.
  // Errors: kCannotRun naming the address that is taken or does not exist, and those of `prepare`.
  static base::Result<std::unique_ptr<Server>> start(const config::Server& settings,
                                                     Endpoints endpoints, log::Logger& logger);
  // Closes every connection at once.
  ~Server();

  // Other settings for a server that runs, in two steps, since only the first can fail: `prepare`
  // reads what they name, `apply` puts them in force. Requests under way keep what they began with,
  // connections their certificate; `listen` has no effect any more. Thread-safe. Errors: kBadConfig,
  // "server.tls_key: ...".
  static base::Result<Prepared> prepare(const config::Server& settings);
  void apply(std::shared_ptr<const Terms> terms);

  std::vector<os::Address> addresses() const;
  std::uint32_t connections() const;
  // When the thread that accepts last came round, which it does several times a second.
  // Thread-safe.
  base::SteadyTime last_turn() const;

  // Stops listening, closes idle connections, lets running requests end. Returns when none is left,
  // or when `grace` is over (false). Thread-safe.
  bool drain(std::chrono::steady_clock::duration grace);

  struct State;

 private:
  explicit Server(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

}  // namespace weir::server
