#pragma once

// Makes new connections to one upstream: name, addresses, connect, an HTTP proxy in between, TLS.

#include <memory>
#include <string>
#include <variant>
#include <vector>

#include "connection.h"
#include "tls_context.h"
#include "weir/base/mutex.h"
#include "weir/base/result.h"
#include "weir/config/config.h"

namespace weir::upstream {

// Thread-safe.
class Dialer {
 public:
  // Errors: kBadConfig (CA file, proxy address).
  static base::Result<std::unique_ptr<Dialer>> open(const config::Upstream& settings);

  using Dialed = std::variant<std::unique_ptr<Connection>, Failure>;
  // A connection that is ready for a request, within `connect_timeout` in all.
  Dialed dial(config::Seconds connect_timeout, const os::Guards& guards);

 private:
  explicit Dialer(const config::Upstream& settings) : settings_(settings) {}
  struct Host {
    std::string name;
    std::uint16_t port = 0;
  };
  struct Lookup;
  std::shared_ptr<Lookup> lookup();
  using Addresses = std::variant<std::vector<os::Address>, Failure>;
  Addresses addresses(base::SteadyTime deadline, const os::Guards& guards);
  std::optional<Failure> open_tunnel(Connection& connection, base::SteadyTime deadline,
                                     const os::Guards& guards) const;
  using Connected = std::variant<os::Socket, Failure>;
  Connected connect(const std::vector<os::Address>& list, base::SteadyTime deadline,
                    const os::Guards& guards);
  void forget();
  void remember(std::vector<os::Address> known, std::size_t best);

  const config::Upstream& settings_;
  Host target_;  // what is dialed: the proxy if there is one
  std::unique_ptr<TlsContext> tls_;

  base::Mutex mutex_;
  std::vector<os::Address> known_ GUARDED_BY(mutex_);  // the one that worked last comes first
  base::SteadyTime known_until_ GUARDED_BY(mutex_){};
  std::shared_ptr<Lookup> running_ GUARDED_BY(mutex_);  // the last look-up, perhaps done
};

}  // namespace weir::upstream
