#pragma once

// Why an exchange with an upstream came to nothing, or broke in the middle.

#include <string>

namespace weir::upstream {

enum class FailureKind {
  kDown,  // no connection: name not found, refused, not reached in time, TLS or certificate refused
  kBusy,  // as many requests are under way as it takes at a time; nothing was sent
  kNoSockets,   // the system gives weir no more; the upstream was not asked
  kTimeout,     // connected, but no first byte, or silence, for longer than configured
  kBroken,      // closed or reset before the answer was whole
  kNotHttp,     // what came is no HTTP answer
  kClientGone,  // the client left; nobody waits for the answer any more
  kStopped,     // weir is stopping and the time for running answers is over
};

struct Failure {
  FailureKind kind = FailureKind::kDown;
  std::string cause;  // one line for logs and error messages; names no key
};

}  // namespace weir::upstream
