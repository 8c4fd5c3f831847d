#pragma once

// What weir itself answers when something does not work. This is the one place that knows which
// HTTP status, code and SDK error type belongs to which base::ErrorCode.

#include <string>
#include <string_view>

#include "weir/base/result.h"

namespace weir::openai {

struct ErrorReply {
  int status = 500;
  std::string_view code;  // for the header X-Weir-Error; a constant
  std::string body;       // {"error":{"message","type","param","code"}}, always valid JSON
};

ErrorReply error_reply(const base::Error& error);

// The same as the last event of a stream that broke: `data: {"error":{...}}` and a blank line. The
// caller sees to it that the stream is at an event boundary.
std::string error_event(const base::Error& error);

}  // namespace weir::openai
