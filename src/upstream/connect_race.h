#pragma once

// Connecting to a name that stands for several addresses: all are tried, the one that answers first
// wins.

#include <chrono>
#include <cstddef>
#include <variant>
#include <vector>

#include "weir/base/clock.h"
#include "weir/os/socket.h"
#include "weir/os/wait.h"
#include "weir/upstream/failure.h"

namespace weir::upstream {

// An address that has not answered for so long gets company by the next one (RFC 8305 recommends
// 250 ms). One that refuses does at once.
inline constexpr std::chrono::milliseconds kNextAddressAfter{250};

struct Winner {
  os::Socket socket;
  std::size_t index = 0;  // in the list
};

// A connected socket to one of `addresses`, which are tried in their order. A failure is kDown (none
// before `deadline`; the cause names an address), kClientGone or kStopped.
std::variant<Winner, Failure> race(const std::vector<os::Address>& addresses,
                                   base::SteadyTime deadline, const os::Guards& guards);

}  // namespace weir::upstream
