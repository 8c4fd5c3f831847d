#pragma once

// The poller thread: accepts, holds the connections that wait, and gives those with a complete head
// to a worker.

#include <atomic>
#include <functional>
#include <map>
#include <memory>
#include <set>
#include <thread>
#include <vector>

#include "client_connection.h"
#include "terms.h"
#include "weir/base/mutex.h"
#include "weir/os/poller.h"
#include "workers.h"

namespace weir::server {

class Front {
 public:
  // Serves the requests of a connection, whose `input` holds a complete head, on a worker thread.
  // True: it may wait for the next one; false: close it.
  using Serve = std::function<bool(ClientConnection&)>;
  // Answers a connection that could not be served, with as little as that takes. Called by the
  // poller thread, so it must not wait.
  using Refuse = std::function<void(ClientConnection&, const base::Error&)>;

  // `terms` outlives it.
  Front(std::vector<os::Socket> listeners, const TermsInForce& terms, Serve serve, Refuse refuse);
  ~Front();

  // Begins to accept: apart from the constructor, since `serve` may use what owns this object.
  void start();

  std::uint32_t connections() const { return connections_; }
  // When the poller thread last came round; it does so every kPollerTick at least, unless it hangs.
  base::SteadyTime last_turn() const { return last_turn_; }
  const std::vector<os::Socket>& listeners() const { return listeners_; }
  bool is_draining() const { return draining_; }

  // Stops listening and closes waiting connections; true when every running request has ended
  // before `deadline`.
  bool drain(base::SteadyTime deadline);

  // Ends every connection and every thread. For the owner, whom `serve` and `refuse` may use until
  // it returns: a pointer to this object is not to be trusted while its destructor runs.
  void stop();

 private:
  using Held = std::unique_ptr<ClientConnection>;
  void poll();
  void accept_all(const os::Socket& listener);
  void pause_accepting();
  void resume_accepting();
  void take_in(os::Accepted accepted);
  void on_readable(ClientConnection* connection);
  void hand_over(Held connection);
  void work_on(ClientConnection* connection);
  void park(Held connection);
  void close_late();
  void close_waiting();
  bool close_oldest_idle();
  Held take_waiting(ClientConnection* connection);
  void end(Held connection);
  void refuse(Held connection, const base::Error& error);
  void discard_from(ClientConnection* leaving);
  bool free_a_socket();
  void forget(Held connection);

  std::vector<os::Socket> listeners_;
  const TermsInForce& terms_;
  const Serve serve_;
  const Refuse refuse_;
  os::Poller poller_;
  bool accepting_ = true;  // of the poller thread
  std::map<ClientConnection*, Held>
      leaving_;  // of the poller thread: refused, perhaps still sending
  std::atomic<base::SteadyTime> last_turn_{std::chrono::steady_clock::now()};
  std::atomic<std::uint32_t> connections_{0};
  std::atomic<bool> draining_{false};
  std::atomic<bool> stopping_{false};

  base::Mutex mutex_;
  base::Condition changed_;
  std::map<ClientConnection*, Held> waiting_ GUARDED_BY(mutex_);
  std::set<ClientConnection*> active_ GUARDED_BY(mutex_);

  Workers workers_;
  std::thread thread_;
};

}  // namespace weir::server
