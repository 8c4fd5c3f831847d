#include "pool.h"

#include <algorithm>

namespace weir::upstream {
namespace {

constexpr std::size_t kIdleConnectionsMax = 64;

}  // namespace

bool Pool::is_usable(const Connection& connection) const {
  return std::chrono::steady_clock::now() - connection.idle_since <= idle_max_ &&
         !connection.is_stale();
}

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
  while (auto connection = take_last()) {
    if (is_usable(*connection)) {
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

// Looks at them with the lock, so that no request finds the pool empty meanwhile: there are few,
// and nothing is waited for.
void Pool::drop_stale() {
  std::vector<std::unique_ptr<Connection>> dead;  // closed after the lock
  const base::MutexLock lock(mutex_);
  const auto first_dead =
      std::stable_partition(idle_.begin(), idle_.end(),
                            [this](const auto& connection) { return is_usable(*connection); });
  dead.assign(std::make_move_iterator(first_dead), std::make_move_iterator(idle_.end()));
  idle_.erase(first_dead, idle_.end());
}

}  // namespace weir::upstream
