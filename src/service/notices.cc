#include "weir/service/notices.h"

#include <algorithm>

#include "weir/os/process.h"

namespace weir::service {
namespace {

constexpr std::size_t kStatusBytesMax = 500;  // far below what a datagram may have

std::string with_status(std::string datagram, std::string_view status) {
  std::string line(status.substr(0, kStatusBytesMax));
  std::replace(line.begin(), line.end(), '\n', ' ');  // would begin an assignment of its own
  return datagram.append("\nSTATUS=").append(line);
}

// Of the clock that the manager compares with, CLOCK_MONOTONIC: std's steady clock is that one.
std::string monotonic_now() {
  const auto now = std::chrono::steady_clock::now().time_since_epoch();
  return std::to_string(std::chrono::duration_cast<std::chrono::microseconds>(now).count());
}

}  // namespace

Notices::Notices() : Notices([](std::string_view text) { os::notify_service_manager(text); }) {
}

void Notices::ready(std::string_view status) const {
  send_(with_status("READY=1", status));
}

void Notices::reloading() const {
  send_("RELOADING=1\nMONOTONIC_USEC=" + monotonic_now());
}

void Notices::stopping(std::chrono::seconds time_needed, std::string_view status) const {
  const std::chrono::microseconds time = time_needed;
  send_(with_status("STOPPING=1\nEXTEND_TIMEOUT_USEC=" + std::to_string(time.count()), status));
}

void Notices::alive() const {
  send_("WATCHDOG=1");
}

}  // namespace weir::service
