#pragma once

// An address that answers neither yes nor no to who wants to connect: its queue of connections is
// full, so that the system drops what comes.

#include <cstdint>
#include <string>
#include <vector>

#include "weir/os/socket.h"

namespace weir::fakes {

class SilentAddress {
 public:
  explicit SilentAddress(const std::string& host = "127.0.0.1");

  os::Address address() const { return os::local_address(listener_); }
  std::uint16_t port() const { return address().port(); }

 private:
  bool is_connected_soon();

  os::Socket listener_;
  std::vector<os::Socket> queued_;
};

}  // namespace weir::fakes
