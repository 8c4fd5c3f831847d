#pragma once

// Holds a step of a script until the test opens it. Opened once, never closed.

#include "weir/os/wait.h"

namespace weir::fakes {

class Gate {
 public:
  void open() { signal_.raise(); }
  os::NativeSocket handle() const { return signal_.handle(); }

 private:
  os::StopSignal signal_;
};

}  // namespace weir::fakes
