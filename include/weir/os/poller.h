#pragma once

// Watches many sockets from one thread (epoll on Linux). Each socket carries a pointer that is
// given back when it is readable or closed.

#include <chrono>
#include <memory>
#include <vector>

#include "weir/os/socket.h"

namespace weir::os {

class Poller {
 public:
  Poller();
  ~Poller();
  Poller(const Poller&) = delete;
  Poller& operator=(const Poller&) = delete;

  // Reports `token` every time the socket is readable, until remove.
  bool add(NativeSocket socket, void* token);
  // Reports `token` once; call again to hear of the next time. The socket may be known already.
  bool arm_once(NativeSocket socket, void* token);
  void remove(NativeSocket socket);

  // Makes a wait in another thread return early. Thread-safe, as are add, arm_once and remove.
  void wake();

  // The tokens that are ready; empty after `timeout` or a wake. One thread only.
  const std::vector<void*>& wait(std::chrono::milliseconds timeout);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace weir::os
