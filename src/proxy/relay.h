#pragma once

// Passes the body of an answer on, as it comes.

#include "held_answer.h"
#include "reply_writer.h"

namespace weir::proxy {

// Sends the head (with `extra` where missing), what was held, and all that follows. `record` learns
// how it ended. The exchange is used up.
void relay(HeldAnswer answer, const ExtraHeaders& extra, ReplyWriter& writer,
           metrics::RequestRecord& record);

}  // namespace weir::proxy
