#pragma once

#include "weir/os/socket.h"
#include "weir/os/wait.h"

namespace weir::os {

// Two ends of a connection on 127.0.0.1.
struct SocketPair {
  Socket client;
  Socket server;
};

inline SocketPair socket_pair() {
  const auto listener = listen_on("127.0.0.1", 0);
  auto client = start_connect(local_address(*listener));
  wait_for(listener->handle(), Interest::kRead, base::SteadyTime::max(), {});
  return {std::move(*client), accept_next(*listener).socket};
}

inline void say(const Socket& socket, std::string_view text) {
  send(socket.handle(), {&text, 1});
}

}  // namespace weir::os
