#pragma once

// Passes the body of an answer on, as it comes.

#include "held_answer.h"
#include "reply_writer.h"

namespace weir::proxy {

// Sends the head (with `extra` where missing), what was held, and all that follows. `record` learns
// how it ended. The exchange is used up. A failure that came before anything was sent is given
// back: the client can still get a whole answer.
std::optional<upstream::Failure> relay(HeldAnswer answer, const ExtraHeaders& extra,
                                       ReplyWriter& writer, metrics::RequestRecord& record);

}  // namespace weir::proxy
