#pragma once

#include "nodes.h"

namespace weir::jinja {

// A break or continue that leaves a macro: it goes to the loop around the call, as in llama.cpp.
struct LoopSignal {
  Flow flow;
};

}  // namespace weir::jinja
