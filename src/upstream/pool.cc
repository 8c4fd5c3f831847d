#include "pool.h"

#include <algorithm>

namespace weir::upstream {
namespace {

constexpr std::size_t kIdleConnectionsMax = 64;

}  // namespace

std::unique_ptr<Connection> Pool::take_last() {
  const base::MutexLock lock(mutex_);
  if (idle_.empty()) {
    return nullptr;
  }
  std::unique_ptr<Connection> connection = std::move(idle_.back());
  idle_.pop_back();
  return connection;
}

// Looks at the connection (a system call) and closes dead ones without the lock, which every
// request takes.
std::unique_ptr<Connection> Pool::take() {
  const auto oldest = std::chrono::steady_clock::now() - idle_max_;
  while (auto connection = take_last()) {
    if (connection->idle_since >= oldest && !connection->is_stale()) {
      return connection;
    }
  }
  return nullptr;
}

void Pool::give_back(std::unique_ptr<Connection> connection) {
  connection->idle_since = std::chrono::steady_clock::now();
  std::vector<std::unique_ptr<Connection>> dead;  // closed after the lock
  const base::MutexLock lock(mutex_);
  const auto oldest = connection->idle_since - idle_max_;
  const auto young = std::find_if(idle_.begin(), idle_.end(),
                                  [&](const auto& idle) { return idle->idle_since >= oldest; });
  dead.assign(std::make_move_iterator(idle_.begin()), std::make_move_iterator(young));
  idle_.erase(idle_.begin(), young);
  if (idle_.size() < kIdleConnectionsMax) {
    idle_.push_back(std::move(connection));
  } else {
    dead.push_back(std::move(connection));
  }
}

}  // namespace weir::upstream
