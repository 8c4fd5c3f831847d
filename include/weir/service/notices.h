#pragma once

// What the service manager hears from a running weir: the notices of systemd's sd_notify(3).
// Without a manager, and on other systems, nothing is sent.

#include <chrono>
#include <functional>
#include <string>
#include <string_view>

namespace weir::service {

// Thread-safe. `status` is one line for a person, as `systemctl status` shows it; no key and no
// prompt in it.
class Notices {
 public:
  using Send = std::function<void(std::string_view datagram)>;

  Notices();  // to the manager that the environment names
  explicit Notices(Send send) : send_(std::move(send)) {}

  // It listens; also the end of a reload.
  void ready(std::string_view status) const;
  // A reload begins; `ready` must follow.
  void reloading() const;
  // It stops, and may need as long as `time_needed` for it, whatever the unit allows.
  void stopping(std::chrono::seconds time_needed, std::string_view status) const;
  // The watchdog's sign of life.
  void alive() const;

 private:
  Send send_;
};

}  // namespace weir::service
