#include "weir/openai/error_reply.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

namespace weir::openai {
namespace {

using base::ErrorCode;
using Json = nlohmann::json;

TEST(ErrorReply, StatusAndCodeAreThoseOfTheContract) {
  const struct {
    ErrorCode error;
    int status;
    const char* code;
  } kCases[] = {{ErrorCode::kBadJson, 400, "bad_json"},
                {ErrorCode::kBadRequest, 400, "bad_request"},
                {ErrorCode::kBodyTooLarge, 413, "body_too_large"},
                {ErrorCode::kUnsupportedEncoding, 415, "unsupported_encoding"},
                {ErrorCode::kHeaderTooLarge, 431, "header_too_large"},
                {ErrorCode::kUnauthorized, 401, "unauthorized"},
                {ErrorCode::kForbiddenOrigin, 403, "forbidden_origin"},
                {ErrorCode::kNotFound, 404, "not_found"},
                {ErrorCode::kMethodNotAllowed, 405, "method_not_allowed"},
                {ErrorCode::kRequestTimeout, 408, "request_timeout"},
                {ErrorCode::kUpstreamUnreachable, 502, "upstream_unreachable"},
                {ErrorCode::kUpstreamTimeout, 504, "upstream_timeout"},
                {ErrorCode::kOverloaded, 503, "overloaded"},
                {ErrorCode::kDraining, 503, "draining"},
                {ErrorCode::kInternal, 500, "internal"},
                {ErrorCode::kBadConfig, 422, "bad_config"}};
  for (const auto& [error, status, code] : kCases) {
    const ErrorReply reply = error_reply({error, "why"});
    EXPECT_EQ(reply.status, status);
    EXPECT_EQ(reply.code, code);
    EXPECT_EQ(Json::parse(reply.body)["error"]["code"], code);
  }
}

TEST(ErrorReply, BodyHasTheFourMembersInOrder) {
  EXPECT_EQ(error_reply({ErrorCode::kUnauthorized, "no key"}).body,
            R"({"error":{"message":"no key","type":"authentication_error","param":null,)"
            R"("code":"unauthorized"}})");
}

TEST(ErrorReply, AnthropicsClientsGetTheirShape) {
  const auto body = [](ErrorCode error) {
    return error_reply({error, "why"}, ErrorShape::kAnthropic).body;
  };
  EXPECT_EQ(body(ErrorCode::kNotFound),
            R"({"type":"error","error":{"type":"not_found_error","message":"why"}})");
  const std::pair<ErrorCode, std::string> types[] = {
      {ErrorCode::kBadJson, "invalid_request_error"},  {ErrorCode::kUnauthorized, "authentication_error"},
      {ErrorCode::kForbiddenOrigin, "permission_error"}, {ErrorCode::kBodyTooLarge, "request_too_large"},
      {ErrorCode::kDraining, "overloaded_error"},      {ErrorCode::kInternal, "api_error"}};
  for (const auto& [error, type] : types) {
    EXPECT_EQ(Json::parse(body(error))["error"]["type"], type);
  }
}

TEST(ErrorReply, ThePathTellsWhoseClientItIs) {
  for (const auto path : {"/v1/messages", "/v1/messages/count_tokens", "/v1/messages/batches/x"}) {
    EXPECT_EQ(error_shape_of(path), ErrorShape::kAnthropic) << path;
  }
  for (const auto path : {"/v1/chat/completions", "/v1/messagesx", "/messages", "/", ""}) {
    EXPECT_EQ(error_shape_of(path), ErrorShape::kOpenAi) << path;
  }
}

TEST(ErrorReply, BodyIsValidWhateverTheMessageHolds) {
  std::string message;
  for (int byte = 0; byte < 256; ++byte) {
    message.push_back(static_cast<char>(byte));
  }
  EXPECT_TRUE(Json::accept(error_reply({ErrorCode::kInternal, message}).body));
}

TEST(ErrorEvent, IsOneEventOnItsOwn) {
  const std::string event = error_event({ErrorCode::kUpstreamUnreachable, "it\nbroke"});
  EXPECT_TRUE(event.starts_with("data: {\"error\":{"));
  EXPECT_EQ(event.find('\n'), event.size() - 2);
  EXPECT_TRUE(event.ends_with("}}\n\n"));
}

}  // namespace
}  // namespace weir::openai
