#include "weir/http/request_head.h"

#include <gtest/gtest.h>

#include <string>

namespace weir::http {
namespace {

using base::ErrorCode;

const std::string kLine = "POST /v1/chat/completions HTTP/1.1\r\n";

ErrorCode error_of(const std::string& text) {
  const auto head = parse_request_head(text);
  return head ? ErrorCode::kInternal : head.error().code;
}

TEST(ParseRequestHead, KeepsLinesAsTheyCame) {
  const std::string text = kLine +
                           "Host: h\r\nX-A:  %41 b \t\r\nx-a:\r\nX-High: caf\xE9\r\n"
                           "Content-Length: 12\r\n\r\n";
  const auto head = parse_request_head(text);
  ASSERT_TRUE(head) << head.error().message;
  EXPECT_EQ(head->method, "POST");
  EXPECT_EQ(head->target, "/v1/chat/completions");
  ASSERT_EQ(head->fields.size(), 5U);
  EXPECT_EQ(head->fields[1].line, "X-A:  %41 b \t");
  EXPECT_EQ(head->fields[1].name, "X-A");
  EXPECT_EQ(head->fields[1].value(), "%41 b");
  EXPECT_EQ(head->fields[2].value(), "");
  EXPECT_EQ(head->value_of("x-HIGH"), "caf\xE9");
  EXPECT_EQ(head->value_of("missing"), "");
  EXPECT_EQ(head->content_length, 12U);
  EXPECT_TRUE(head->has_body());
  EXPECT_TRUE(head->keeps_alive);
}

TEST(ParseRequestHead, BodyAndItsFraming) {
  EXPECT_FALSE(parse_request_head(kLine + "\r\n")->has_body());
  EXPECT_FALSE(parse_request_head(kLine + "Content-Length: 0\r\n\r\n")->has_body());
  const std::string chunked = kLine + "transfer-encoding: CHUNKED\r\n\r\n";
  EXPECT_TRUE(parse_request_head(chunked)->is_chunked);
}

TEST(ParseRequestHead, KeepAliveByVersionAndHeader) {
  const auto keeps = [](const std::string& version, const std::string& lines) {
    const std::string text = "GET / HTTP/" + version + "\r\n" + lines + "\r\n";
    const auto head = parse_request_head(text);
    return head && head->keeps_alive;
  };
  EXPECT_TRUE(keeps("1.1", ""));
  EXPECT_FALSE(keeps("1.1", "Connection: close\r\n"));
  EXPECT_FALSE(keeps("1.1", "Connection: X-A, Close\r\n"));
  EXPECT_FALSE(keeps("1.1", "Connection: close\r\nConnection: keep-alive\r\n"));
  EXPECT_FALSE(keeps("1.0", ""));
  EXPECT_TRUE(keeps("1.0", "Connection: Keep-Alive\r\n"));
}

TEST(ParseRequestHead, Expect) {
  const std::string text = kLine + "Expect: 100-Continue\r\n\r\n";
  EXPECT_TRUE(parse_request_head(text)->expects_continue);
}

TEST(ParseRequestHead, RefusesWhatCouldMeanTwoThings) {
  for (const std::string& lines : {
           std::string("Content-Length: 1\r\nContent-Length: 1\r\n"),
           std::string("Host: localhost\r\nhost: evil.example\r\n"),
           std::string("Content-Length: 1, 1\r\n"),
           std::string("Content-Length: +1\r\n"),
           std::string("Content-Length: 1 1\r\n"),
           std::string("Content-Length:\r\n"),
           std::string("Content-Length: 1\r\nTransfer-Encoding: chunked\r\n"),
           std::string("Transfer-Encoding: chunked\r\nContent-Length: 1\r\n"),
           std::string("Transfer-Encoding: gzip\r\n"),
           std::string("Transfer-Encoding: chunked, gzip\r\n"),
           std::string("Transfer-Encoding:\r\n"),
           std::string("Host : h\r\n"),
           std::string(" Host: h\r\n"),
           std::string("X-A: 1\r\n\tfolded\r\n"),
           std::string("no colon\r\n"),
           std::string(": no name\r\n"),
           std::string("X-A: \x01\r\n"),
           std::string("X-A: a\0b\r\n", 10),
           std::string("X-A: a\rb\r\n"),
           std::string("X-A: a\nX-B: b\r\n"),
           std::string("X(A): 1\r\n"),
       }) {
    EXPECT_EQ(error_of(kLine + lines + "\r\n"), ErrorCode::kBadRequest) << lines;
  }
  EXPECT_EQ(error_of("GET / HTTP/1.0\r\nTransfer-Encoding: chunked\r\n\r\n"),
            ErrorCode::kBadRequest);
}

TEST(ParseRequestHead, RefusesOtherFirstLines) {
  for (const char* line : {"", "GET /", "GET  / HTTP/1.1", " GET / HTTP/1.1", "GET / HTTP/1.1 ",
                           "GET / HTTP/1.2", "GET / http/1.1", "GET / HTTP/2.0", "G@T / HTTP/1.1",
                           "GET /\x7F HTTP/1.1", "GET / x HTTP/1.1", "GET\t/ HTTP/1.1"}) {
    EXPECT_EQ(error_of(std::string(line) + "\r\n\r\n"), ErrorCode::kBadRequest) << line;
  }
}

TEST(ParseRequestHead, Bounds) {
  const auto with = [](std::size_t fields) {
    std::string text = kLine;
    for (std::size_t i = 0; i < fields; ++i) {
      text += "X: 1\r\n";
    }
    return text + "\r\n";
  };
  EXPECT_TRUE(parse_request_head(with(kHeaderFieldsMax)));
  EXPECT_EQ(error_of(with(kHeaderFieldsMax + 1)), ErrorCode::kHeaderTooLarge);
  const auto line_of = [](std::size_t bytes) {
    return kLine + "X: " + std::string(bytes - 3, 'a') + "\r\n\r\n";
  };
  EXPECT_TRUE(parse_request_head(line_of(kHeaderLineBytesMax)));
  EXPECT_EQ(error_of(line_of(kHeaderLineBytesMax + 1)), ErrorCode::kHeaderTooLarge);
  const auto target_of = [](std::size_t bytes) {
    return "GET " + std::string(bytes, '/') + " HTTP/1.1\r\n\r\n";
  };
  EXPECT_TRUE(parse_request_head(target_of(kTargetBytesMax)));
  EXPECT_EQ(error_of(target_of(kTargetBytesMax + 1)), ErrorCode::kHeaderTooLarge);
}

TEST(ParseRequestHead, PackedBody) {
  EXPECT_EQ(error_of(kLine + "Content-Encoding: gzip\r\n\r\n"), ErrorCode::kUnsupportedEncoding);
  EXPECT_TRUE(parse_request_head(kLine + "Content-Encoding: Identity\r\n\r\n"));
}

}  // namespace
}  // namespace weir::http
