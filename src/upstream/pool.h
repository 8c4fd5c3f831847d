#pragma once

// Idle connections to one upstream, the last used one first. Thread-safe.

#include <chrono>
#include <memory>
#include <vector>

#include "connection.h"
#include "weir/base/mutex.h"

namespace weir::upstream {

class Pool {
 public:
  // `idle_max`: a connection that has been idle for longer is closed instead of used. It must be
  // shorter than what the peer allows.
  explicit Pool(std::chrono::seconds idle_max) : idle_max_(idle_max) {}

  // An idle connection that still stands, or nullptr.
  std::unique_ptr<Connection> take();
  void give_back(std::unique_ptr<Connection> connection);

  // Closes those that the peer has closed, or that have been idle for too long. Without it they
  // would stay half closed, at both ends, until the next request comes.
  void drop_stale();

 private:
  bool is_usable(const Connection& connection) const;
  std::unique_ptr<Connection> take_last();

  const std::chrono::seconds idle_max_;
  base::Mutex mutex_;
  std::vector<std::unique_ptr<Connection>> idle_ GUARDED_BY(mutex_);
};

}  // namespace weir::upstream
