#pragma once

// Waiting, in one place: for a socket, and at the same time for the client to leave and for weir to
// stop. That is why a silent prefill is cancelled at once without a second thread or a timer.

#include <span>

#include "weir/base/clock.h"
#include "weir/os/socket.h"

namespace weir::os {

enum class Interest { kRead, kWrite, kReadOrWrite, kNothing };

enum class WaitOutcome {
  kReady,       // the socket can be used (or has failed: the next call on it tells)
  kTimeout,     // `deadline` came
  kClientGone,  // the guarded client closed or reset its connection, or closed its sending side
  kStopped,     // the guarded stop signal was raised
};

// Two things that end any wait. Either may be kNoSocket.
struct Guards {
  NativeSocket client = kNoSocket;  // watched for its end only; bytes that it sends are left alone
  NativeSocket stop = kNoSocket;    // StopSignal::handle()
};

// With Interest::kNothing `socket` is not looked at: a sleep that the guards can end.
WaitOutcome wait_for(NativeSocket socket, Interest interest, base::SteadyTime deadline,
                     const Guards& guards);

// The same for several sockets: kReady when any of them is.
WaitOutcome wait_for_any(std::span<const NativeSocket> sockets, Interest interest,
                         base::SteadyTime deadline, const Guards& guards);

// Raised once, never lowered; a wait in any thread sees it. Thread-safe.
class StopSignal {
 public:
  StopSignal();
  ~StopSignal();
  StopSignal(const StopSignal&) = delete;
  StopSignal& operator=(const StopSignal&) = delete;

  void raise();
  bool is_raised() const;
  NativeSocket handle() const { return read_end_; }

 private:
  NativeSocket read_end_ = kNoSocket;
};

}  // namespace weir::os
