#include "connect_race.h"

#include <algorithm>
#include <optional>

#include "connection.h"

namespace weir::upstream {
namespace {

using std::chrono::steady_clock;

class Race {
 public:
  Race(const std::vector<os::Address>& addresses, base::SteadyTime deadline)
      : addresses_(addresses), deadline_(deadline) {}

  std::variant<Winner, Failure> run(const os::Guards& guards) {
    while (next_ < addresses_.size() || !running_.empty()) {
      const bool one_more = next_ < addresses_.size();
      if (one_more && (running_.empty() || steady_clock::now() >= start_next_)) {
        start();
        continue;
      }
      const auto until = one_more ? std::min(start_next_, deadline_) : deadline_;
      const auto outcome = os::wait_for_any(handles(), os::Interest::kWrite, until, guards);
      if (outcome == os::WaitOutcome::kReady) {
        if (auto winner = take_winner()) {
          return *std::move(winner);
        }
      } else if (outcome != os::WaitOutcome::kTimeout) {
        return failure_of_wait(outcome, "");
      } else if (until == deadline_) {
        return failure_of(running_.front().index, "no answer within connect_timeout");
      }
    }
    return last_;
  }

 private:
  Failure failure_of(std::size_t index, const std::string& why) const {
    const os::Address& address = addresses_[index];
    return {FailureKind::kDown,
            "connect to " + address.ip() + " port " + std::to_string(address.port()) + ": " + why};
  }

  void start() {
    const std::size_t index = next_++;
    auto socket = os::start_connect(addresses_[index]);
    if (socket) {
      running_.push_back({*std::move(socket), index});
      start_next_ = steady_clock::now() + kNextAddressAfter;
    } else {
      last_ = failure_of(index, socket.error().message);
      last_.kind = socket.error().code == base::ErrorCode::kOverloaded ? FailureKind::kNoSockets
                                                                       : FailureKind::kDown;
    }
  }

  std::vector<os::NativeSocket> handles() const {
    std::vector<os::NativeSocket> handles;
    for (const Winner& one : running_) {
      handles.push_back(one.socket.handle());
    }
    return handles;
  }

  static bool is_decided(const os::Socket& socket) {
    return os::wait_for(socket.handle(), os::Interest::kWrite, base::SteadyTime(), {}) ==
           os::WaitOutcome::kReady;
  }

  // Nothing: those that were decided have lost, and are gone.
  std::optional<Winner> take_winner() {
    for (auto one = running_.begin(); one != running_.end();) {
      if (!is_decided(one->socket)) {
        ++one;
        continue;
      }
      const std::string error = os::connect_error(one->socket);
      if (error.empty()) {
        return std::move(*one);
      }
      last_ = failure_of(one->index, error);
      one = running_.erase(one);
      start_next_ = steady_clock::now();
    }
    return std::nullopt;
  }

  const std::vector<os::Address>& addresses_;
  const base::SteadyTime deadline_;
  std::vector<Winner> running_;
  std::size_t next_ = 0;
  base::SteadyTime start_next_{};
  Failure last_{FailureKind::kDown, "the name has no address"};
};

}  // namespace

std::variant<Winner, Failure> race(const std::vector<os::Address>& addresses,
                                   base::SteadyTime deadline, const os::Guards& guards) {
  return Race(addresses, deadline).run(guards);
}

}  // namespace weir::upstream
