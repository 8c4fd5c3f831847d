#include <poll.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstdint>
#include <span>
#include <vector>

#include "weir/os/wait.h"

namespace weir::os {
namespace {

constexpr std::int64_t kPollMillisecondsMax = 3600L * 1000L;  // then the loop polls again

short events_of(Interest interest) {
  switch (interest) {
    case Interest::kRead:
      return POLLIN;
    case Interest::kWrite:
      return POLLOUT;
    case Interest::kReadOrWrite:
      return POLLIN | POLLOUT;
    case Interest::kNothing:
      return 0;
  }
  return 0;
}

int milliseconds_until(base::SteadyTime deadline) {
  const auto left =
      std::chrono::ceil<std::chrono::milliseconds>(deadline - std::chrono::steady_clock::now());
  return static_cast<int>(std::clamp<std::int64_t>(left.count(), 0, kPollMillisecondsMax));
}

pollfd client_entry(const Guards& guards) {
  return {static_cast<int>(guards.client), POLLRDHUP, 0};
}

pollfd stop_entry(const Guards& guards) {
  return {static_cast<int>(guards.stop), POLLIN, 0};
}

// The first two entries are those of the guards.
WaitOutcome wait(std::span<pollfd> entries, base::SteadyTime deadline) {
  for (;;) {
    const int timeout = milliseconds_until(deadline);
    const int ready = ::poll(entries.data(), entries.size(), timeout);
    if (ready > 0) {
      if (entries[0].revents != 0) {
        return WaitOutcome::kClientGone;
      }
      return entries[1].revents != 0 ? WaitOutcome::kStopped : WaitOutcome::kReady;
    }
    if (ready == 0 && std::chrono::steady_clock::now() >= deadline) {
      return WaitOutcome::kTimeout;
    }
    if (ready < 0 && errno != EINTR) {
      return WaitOutcome::kReady;  // the next call on the socket tells what is wrong
    }
  }
}

}  // namespace

WaitOutcome wait_for(NativeSocket socket, Interest interest, base::SteadyTime deadline,
                     const Guards& guards) {
  const NativeSocket watched = interest == Interest::kNothing ? kNoSocket : socket;
  // A negative descriptor is skipped by poll.
  pollfd entries[] = {client_entry(guards),
                      stop_entry(guards),
                      {static_cast<int>(watched), events_of(interest), 0}};
  return wait(entries, deadline);
}

WaitOutcome wait_for_any(std::span<const NativeSocket> sockets, Interest interest,
                         base::SteadyTime deadline, const Guards& guards) {
  std::vector<pollfd> entries{client_entry(guards), stop_entry(guards)};
  for (const NativeSocket socket : sockets) {
    entries.push_back({static_cast<int>(socket), events_of(interest), 0});
  }
  return wait(entries, deadline);
}

StopSignal::StopSignal() : read_end_(::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK)) {
}

StopSignal::~StopSignal() {
  ::close(static_cast<int>(read_end_));
}

void StopSignal::raise() {
  const std::uint64_t one = 1;
  [[maybe_unused]] const ssize_t written = ::write(static_cast<int>(read_end_), &one, sizeof one);
}

bool StopSignal::is_raised() const {
  pollfd entry{static_cast<int>(read_end_), POLLIN, 0};
  return ::poll(&entry, 1, 0) > 0;
}

}  // namespace weir::os
