#pragma once

// What weir itself answers when something does not work. This is the one place that knows which
// HTTP status, code and SDK error type belongs to which base::ErrorCode.

#include <string>
#include <string_view>

#include "weir/base/result.h"

namespace weir::openai {

// What clients of that API can read.
enum class ErrorShape {
  kOpenAi,     // {"error":{"message","type","param","code"}}
  kAnthropic,  // {"type":"error","error":{"type","message"}}
};

// `path` is normalised: "/v1/messages" and what is below it is Anthropic's.
ErrorShape error_shape_of(std::string_view path);

struct ErrorReply {
  int status = 500;
  std::string_view code;  // for the header X-Weir-Error; a constant
  std::string body;       // always valid JSON
};

ErrorReply error_reply(const base::Error& error, ErrorShape shape = ErrorShape::kOpenAi);

// The same as the last event of a stream that broke: `data: {"error":{...}}` and a blank line. The
// caller sees to it that the stream is at an event boundary.
std::string error_event(const base::Error& error);

}  // namespace weir::openai
