#include "pool.h"

#include <algorithm>

namespace weir::upstream {
namespace {

constexpr std::size_t kIdleConnectionsMax = 64;

}  // namespace

std::unique_ptr<Connection> Pool::take() {
  std::vector<std::unique_ptr<Connection>> dead;  // closed after the lock
  const base::MutexLock lock(mutex_);
  const auto oldest = std::chrono::steady_clock::now() - idle_max_;
  while (!idle_.empty()) {
    std::unique_ptr<Connection> connection = std::move(idle_.back());
    idle_.pop_back();
    if (connection->idle_since >= oldest && !connection->is_stale()) {
      return connection;
    }
    dead.push_back(std::move(connection));
  }
  return nullptr;
}

void Pool::give_back(std::unique_ptr<Connection> connection) {
  connection->idle_since = std::chrono::steady_clock::now();
  std::vector<std::unique_ptr<Connection>> dead;
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
