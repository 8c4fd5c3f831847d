#pragma once

// An answer whose head is held back while another upstream could still be asked: read just far
// enough to know whether it is an answer or a reason to fall back.

#include <optional>
#include <string>

#include "weir/base/clock.h"
#include "weir/config/config.h"
#include "weir/upstream/upstream.h"

namespace weir::proxy {

constexpr std::size_t kHeldBytesMax = 65536;  // of a body that is held back; more is released

struct HeldAnswer {
  std::optional<upstream::Exchange> exchange;  // none: no head came
  std::string held;                            // body bytes read so far, not sent yet
  bool at_end = false;                         // `held` is the whole body
  std::optional<upstream::Failure> failure;    // no head, or it broke while it was held
  std::optional<config::FallbackCause> cause;  // what would justify a fallback
};

// The failure of an attempt as a cause for fallback; nothing when no fallback may follow (the
// client has gone, weir stops or has no sockets).
std::optional<config::FallbackCause> cause_of(const upstream::Failure& failure);

// Reads the beginning of `exchange`: an error or a plain answer whole (as far as kHeldBytesMax), a
// stream up to its first event that is no comment; but never beyond `release_at`. Says in `cause`
// whether that is a reason to fall back.
HeldAnswer hold_answer(upstream::Exchange exchange, base::SteadyTime release_at);

}  // namespace weir::proxy
