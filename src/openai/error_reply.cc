#include "weir/openai/error_reply.h"

#include <iterator>
#include <nlohmann/json.hpp>

namespace weir::openai {
namespace {

using base::ErrorCode;

struct Shape {
  ErrorCode error;
  int status;
  std::string_view code;
  std::string_view type;  // as OpenAI's SDKs know them
};

constexpr std::string_view kInvalid = "invalid_request_error";
constexpr std::string_view kServer = "server_error";

constexpr Shape kShapes[] = {
    {ErrorCode::kBadJson, 400, "bad_json", kInvalid},
    {ErrorCode::kBadRequest, 400, "bad_request", kInvalid},
    {ErrorCode::kBodyTooLarge, 413, "body_too_large", kInvalid},
    {ErrorCode::kUnsupportedEncoding, 415, "unsupported_encoding", kInvalid},
    {ErrorCode::kHeaderTooLarge, 431, "header_too_large", kInvalid},
    {ErrorCode::kUnauthorized, 401, "unauthorized", "authentication_error"},
    {ErrorCode::kForbiddenOrigin, 403, "forbidden_origin", "permission_error"},
    {ErrorCode::kNotFound, 404, "not_found", "not_found_error"},
    {ErrorCode::kMethodNotAllowed, 405, "method_not_allowed", kInvalid},
    {ErrorCode::kRequestTimeout, 408, "request_timeout", kInvalid},
    {ErrorCode::kUpstreamUnreachable, 502, "upstream_unreachable", kServer},
    {ErrorCode::kUpstreamTimeout, 504, "upstream_timeout", kServer},
    {ErrorCode::kOverloaded, 503, "overloaded", kServer},
    {ErrorCode::kDraining, 503, "draining", kServer},
    {ErrorCode::kLoop, 508, "loop", kServer},
    // Nobody reads this one: the client has gone. The status is the one that logs show for it.
    {ErrorCode::kClientGone, 499, "client_gone", kInvalid},
    {ErrorCode::kBadConfig, 422, "bad_config", kInvalid},
    {ErrorCode::kCannotRun, 500, "internal", kServer},
    {ErrorCode::kInternal, 500, "internal", kServer},
};

const Shape& shape_of(ErrorCode error) {
  for (const Shape& shape : kShapes) {
    if (shape.error == error) {
      return shape;
    }
  }
  return kShapes[std::size(kShapes) - 1];
}

// Anthropic's words for what OpenAI's SDKs know by another one.
std::string_view anthropic_type(const Shape& shape) {
  if (shape.error == ErrorCode::kBodyTooLarge) {
    return "request_too_large";
  }
  if (shape.status == 503) {
    return "overloaded_error";
  }
  return shape.type == kServer ? std::string_view("api_error") : shape.type;
}

std::string body_of(const Shape& shape, std::string_view message, ErrorShape wanted) {
  using nlohmann::ordered_json;
  ordered_json body;
  if (wanted == ErrorShape::kAnthropic) {
    body = {{"type", "error"}, {"error", {{"type", anthropic_type(shape)}, {"message", message}}}};
  } else {
    body = {{"error",
             {{"message", message}, {"type", shape.type}, {"param", nullptr}, {"code", shape.code}}}};
  }
  return body.dump(-1, ' ', false, ordered_json::error_handler_t::replace);
}

}  // namespace

ErrorShape error_shape_of(std::string_view path) {
  constexpr std::string_view kMessages = "/v1/messages";
  const bool is_messages = path.starts_with(kMessages) &&
                           (path.size() == kMessages.size() || path[kMessages.size()] == '/');
  return is_messages ? ErrorShape::kAnthropic : ErrorShape::kOpenAi;
}

ErrorReply error_reply(const base::Error& error, ErrorShape wanted) {
  const Shape& shape = shape_of(error.code);
  return {shape.status, shape.code, body_of(shape, error.message, wanted)};
}

std::string error_event(const base::Error& error) {
  return "data: " + error_reply(error).body + "\n\n";
}

}  // namespace weir::openai
