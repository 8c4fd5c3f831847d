#include "front.h"

#include <algorithm>

#include "front_limits.h"
#include "weir/config/steady.h"

namespace weir::server {
namespace {

using std::chrono::steady_clock;

}  // namespace

Front::Front(std::vector<os::Socket> listeners, const TermsInForce& terms, Serve serve,
             Refuse refuse)
    : listeners_(std::move(listeners)),
      terms_(terms),
      serve_(std::move(serve)),
      refuse_(std::move(refuse)) {
  for (os::Socket& listener : listeners_) {
    poller_.add(listener.handle(), &listener);
  }
}

void Front::start() {
  thread_ = std::thread([this] { poll(); });
}

Front::~Front() {
  stop();
}

void Front::stop() {
  draining_ = true;
  stopping_ = true;
  poller_.wake();
  if (thread_.joinable()) {
    thread_.join();
  }
  {
    const base::MutexLock lock(mutex_);
    for (const ClientConnection* connection : active_) {
      os::shut_down_both(connection->handle());
    }
  }
  workers_.join();
}

void Front::poll() {
  auto next_check = steady_clock::now() + kPollerTick;
  while (!stopping_) {
    last_turn_ = steady_clock::now();
    for (void* token : poller_.wait(kPollerTick)) {
      const auto listener =
          std::find_if(listeners_.begin(), listeners_.end(),
                       [&](const os::Socket& socket) { return &socket == token; });
      if (listener != listeners_.end()) {
        accept_all(*listener);
      } else {
        on_readable(static_cast<ClientConnection*>(token));
      }
    }
    if (draining_) {
      for (os::Socket& listener : listeners_) {
        listener.close();
      }
      close_waiting();
    }
    if (steady_clock::now() >= next_check) {
      close_late();
      resume_accepting();
      next_check = steady_clock::now() + kPollerTick;
    }
  }
  close_waiting();
  leaving_.clear();
}

void Front::accept_all(const os::Socket& listener) {
  while (!draining_) {
    os::Accepted accepted = os::accept_next(listener);
    if (!accepted.socket.is_open()) {
      if (accepted.is_exhausted && !free_a_socket()) {
        pause_accepting();
      }
      return;
    }
    take_in(std::move(accepted));
  }
}

// The system gives no more sockets: without a pause the poller would be told of the waiting client
// over and over, and take a whole core for it.
void Front::pause_accepting() {
  for (const os::Socket& listener : listeners_) {
    poller_.remove(listener.handle());
  }
  accepting_ = false;
}

void Front::resume_accepting() {
  if (accepting_) {
    return;
  }
  accepting_ = true;
  for (os::Socket& listener : listeners_) {
    if (listener.is_open() && !poller_.add(listener.handle(), &listener)) {
      return pause_accepting();  // the poller wants memory of the system, too
    }
  }
}

void Front::take_in(os::Accepted accepted) {
  const auto terms = terms_.get();
  auto connection =
      std::make_unique<ClientConnection>(std::move(accepted.socket), accepted.peer, terms);
  ++connections_;
  const std::uint32_t connections_max = terms->settings.connections_max;
  if (connections_ > connections_max && !close_oldest_idle()) {
    return refuse(std::move(connection),
                  {base::ErrorCode::kOverloaded,
                   "weir serves " + std::to_string(connections_max) +
                       " connections already (server.connections_max); try again later"});
  }
  connection->waiting_since = steady_clock::now();
  if (!connection->receive_available() || connection->spoke_tls()) {
    end(std::move(connection));
  } else if (connection->head_length() > 0) {
    hand_over(std::move(connection));
  } else {
    park(std::move(connection));
  }
}

// A client that could not be understood hears of it where that is possible.
void Front::end(Held connection) {
  if (connection->spoke_plain_http()) {
    return refuse(std::move(connection),
                  {base::ErrorCode::kBadRequest,
                   "weir speaks HTTPS here (server.tls_cert), and this client plain HTTP; "
                   "its base_url must begin with https://"});
  }
  if (connection->spoke_tls()) {  // it makes "wrong version number" or the like of the answer
    return refuse(std::move(connection),
                  {base::ErrorCode::kBadRequest,
                   "weir speaks plain HTTP here, and this client HTTPS; its base_url must begin "
                   "with http://, or weir needs server.tls_cert"});
  }
  if (!connection->handshake_failure().empty()) {
    const std::string why = "no TLS with this client: " + connection->handshake_failure();
    return refuse(std::move(connection), {base::ErrorCode::kBadRequest, why});
  }
  forget(std::move(connection));
}

// Says why, as far as that can be done at once. The client does not count any more, but its socket
// stays until it has read the answer, for a moment at most.
void Front::refuse(Held connection, const base::Error& error) {
  refuse_(*connection, error);
  connection->shut_down_sending();
  --connections_;
  if (leaving_.size() < kLeavingMax && connection->discard_available(kLeavingBytesMax)) {
    ClientConnection* raw = connection.get();
    raw->waiting_since = steady_clock::now();
    leaving_[raw] = std::move(connection);
    poller_.arm_once(raw->handle(), raw);
  }
}

void Front::discard_from(ClientConnection* leaving) {
  if (leaving->discard_available(kLeavingBytesMax)) {
    poller_.arm_once(leaving->handle(), leaving);
  } else {
    leaving_.erase(leaving);
  }
}

// Of those that are needed least. False: all are in use.
bool Front::free_a_socket() {
  if (!leaving_.empty()) {
    leaving_.erase(leaving_.begin());
    return true;
  }
  return close_oldest_idle();
}

void Front::forget(Held connection) {
  connection.reset();
  --connections_;
}

Front::Held Front::take_waiting(ClientConnection* connection) {
  const base::MutexLock lock(mutex_);
  const auto found = waiting_.find(connection);
  if (found == waiting_.end()) {
    return nullptr;  // closed meanwhile
  }
  Held held = std::move(found->second);
  waiting_.erase(found);
  return held;
}

void Front::on_readable(ClientConnection* connection) {
  if (leaving_.contains(connection)) {
    return discard_from(connection);
  }
  Held held = take_waiting(connection);
  if (!held) {
    return;
  }
  const bool was_idle = held->is_idle();
  if (!held->receive_available() || held->spoke_tls()) {
    return end(std::move(held));
  }
  if (held->head_length() > 0) {
    return hand_over(std::move(held));
  }
  if (held->input().size() > http::kHeadBytesMax) {
    return refuse(std::move(held), {base::ErrorCode::kHeaderTooLarge,
                                    "the request's head is longer than " +
                                        std::to_string(http::kHeadBytesMax) + " bytes"});
  }
  if (was_idle) {
    held->waiting_since = steady_clock::now();
  }
  park(std::move(held));
}

void Front::hand_over(Held connection) {
  ClientConnection* raw = connection.release();
  {
    const base::MutexLock lock(mutex_);
    active_.insert(raw);
  }
  if (!workers_.run([this, raw] { work_on(raw); })) {
    {
      const base::MutexLock lock(mutex_);
      active_.erase(raw);
    }
    refuse(Held(raw), {base::ErrorCode::kOverloaded,
                       "the system gives weir no more threads; try again later"});
  }
}

// On a worker: this request, the next one if it comes at once, then back to the poller.
void Front::work_on(ClientConnection* connection) {
  bool alive = true;
  while (alive && connection->head_length() > 0) {
    alive = serve_(*connection);
    if (alive && connection->head_length() == 0) {
      const auto deadline = steady_clock::now() + kLingerForNext;
      if (os::wait_for(connection->handle(), os::Interest::kRead, deadline, {}) ==
          os::WaitOutcome::kReady) {
        alive = connection->receive_available();
      }
    }
  }
  Held held(connection);
  {
    const base::MutexLock lock(mutex_);
    active_.erase(connection);
    if (!alive || draining_) {
      changed_.notify_all();
    }
  }
  if (!alive || draining_) {
    return forget(std::move(held));
  }
  held->waiting_since = steady_clock::now();
  park(std::move(held));
}

void Front::park(Held connection) {
  ClientConnection* raw = connection.get();
  const base::MutexLock lock(mutex_);  // held while arming, so that the poller finds it in the map
  waiting_[raw] = std::move(connection);
  poller_.arm_once(raw->handle(), raw);
}

void Front::close_late() {
  const auto now = steady_clock::now();
  const auto head_max = config::steady(terms_.get()->settings.header_timeout);
  std::vector<Held> late;
  std::vector<Held> slow_heads;
  {
    const base::MutexLock lock(mutex_);
    for (auto entry = waiting_.begin(); entry != waiting_.end();) {
      const bool idle = entry->second->is_idle();  // a handshake has as long as a head
      const auto limit = idle ? steady_clock::duration(kIdleConnectionMax) : head_max;
      if (now - entry->second->waiting_since < limit) {
        ++entry;
        continue;
      }
      (idle ? late : slow_heads).push_back(std::move(entry->second));
      entry = waiting_.erase(entry);
    }
  }
  for (Held& connection : slow_heads) {
    refuse(std::move(connection), {base::ErrorCode::kRequestTimeout,
                                   "the request's head did not come within server.header_timeout"});
  }
  for (Held& connection : late) {
    forget(std::move(connection));
  }
  std::erase_if(leaving_, [now](const auto& entry) {
    return now - entry.second->waiting_since >= kRefusedDrainMax;
  });
}

bool Front::close_oldest_idle() {
  Held oldest;
  {
    const base::MutexLock lock(mutex_);
    const auto found =
        std::min_element(waiting_.begin(), waiting_.end(), [](const auto& a, const auto& b) {
          const auto age = [](const auto& entry) {
            return std::pair(!entry.second->input().empty(), entry.second->waiting_since);
          };
          return age(a) < age(b);
        });
    if (found == waiting_.end() || !found->second->input().empty()) {
      return false;
    }
    oldest = std::move(found->second);
    waiting_.erase(found);
  }
  forget(std::move(oldest));
  return true;
}

void Front::close_waiting() {
  std::map<ClientConnection*, Held> closed;
  {
    const base::MutexLock lock(mutex_);
    closed.swap(waiting_);
  }
  for (auto& [raw, connection] : closed) {
    forget(std::move(connection));
  }
}

bool Front::drain(base::SteadyTime deadline) {
  draining_ = true;
  poller_.wake();
  const base::MutexLock lock(mutex_);
  while (!active_.empty()) {
    if (!changed_.wait_until(mutex_, deadline)) {
      return active_.empty();
    }
  }
  return true;
}

}  // namespace weir::server
