#include "silent_address.h"

#include <sys/socket.h>

#include <chrono>

#include "weir/os/wait.h"

namespace weir::fakes {

SilentAddress::SilentAddress(const std::string& host)
    : listener_(std::move(*os::listen_on(host, 0))) {
  ::listen(static_cast<int>(listener_.handle()), 0);
  while (is_connected_soon()) {
  }
}

bool SilentAddress::is_connected_soon() {
  queued_.push_back(std::move(*os::start_connect(address())));
  return os::wait_for(queued_.back().handle(), os::Interest::kWrite,
                      std::chrono::steady_clock::now() + std::chrono::milliseconds(100),
                      {}) == os::WaitOutcome::kReady;
}

}  // namespace weir::fakes
