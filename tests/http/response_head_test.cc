#include "weir/http/response_head.h"

#include <gtest/gtest.h>

namespace weir::http {
namespace {

BodyFraming framing(std::string_view text, std::string_view method = "POST") {
  const auto head = parse_response_head(text);
  EXPECT_TRUE(head) << text;
  const auto framed = head ? framing_of(*head, method) : std::nullopt;
  EXPECT_TRUE(framed) << text;
  return framed.value_or(BodyFraming());
}

TEST(EndOfHead, EveryLineEnd) {
  EXPECT_EQ(end_of_head("HTTP/1.1 200 OK\r\nA: b\r\n\r\nbody"), 25U);
  EXPECT_EQ(end_of_head("HTTP/1.1 200 OK\nA: b\n\nbody"), 22U);
  EXPECT_EQ(end_of_head("HTTP/1.1 200 OK\r\nA: b\n\r\nbody"), 24U);
  EXPECT_EQ(end_of_head("HTTP/1.1 200 OK\r\nA: b\r\n"), 0U);
  EXPECT_EQ(end_of_head("HTTP/1.1 200 OK\r\nA: b\r\n\r"), 0U);
  EXPECT_EQ(end_of_head(""), 0U);
}

TEST(ParseResponseHead, KeepsLinesAsTheyCame) {
  const auto head = parse_response_head(
      "HTTP/1.1 429 Too Many %41\r\nX-A:  b \r\nx-a: c\r\nX-Empty:\r\nSet-Cookie: a=b; c\r\n\r\n");
  ASSERT_TRUE(head);
  EXPECT_EQ(head->status, 429);
  EXPECT_EQ(head->reason_phrase, "Too Many %41");
  ASSERT_EQ(head->fields.size(), 4U);
  EXPECT_EQ(head->fields[0].line, "X-A:  b ");
  EXPECT_EQ(head->fields[0].value(), "b");
  EXPECT_EQ(head->value_of("X-a"), "b");
  EXPECT_EQ(head->fields[2].value(), "");
}

TEST(ParseResponseHead, LeavesOutWhatCanBeReadInTwoWays) {
  const auto head = parse_response_head(std::string_view(
      "HTTP/1.1 200 OK\rX-R: 1\r\nX-A: b\rSet-Cookie: evil\r\nX-N: a\0b\r\n"
      "Content-Length : 3\r\nTransfer-Encoding\t: chunked\r\nX-B: c\r\n folded: d\r\n\r\n",
      130));
  ASSERT_TRUE(head);
  EXPECT_EQ(head->reason_phrase, "OK");
  ASSERT_EQ(head->fields.size(), 1U);
  EXPECT_EQ(head->fields[0].line, "X-B: c");
}

TEST(ParseResponseHead, ViewsOutliveAMove) {
  auto head = parse_response_head("HTTP/1.1 200 OK\r\nX: 1\r\n\r\n");
  const ResponseHead moved = std::move(*head);
  head.reset();
  EXPECT_EQ(moved.value_of("x"), "1");
  EXPECT_EQ(moved.reason_phrase, "OK");
}

TEST(ParseResponseHead, StatusLineForms) {
  EXPECT_EQ(parse_response_head("HTTP/1.1 200\r\n\r\n")->reason_phrase, "");
  EXPECT_EQ(parse_response_head("HTTP/1.1 200 \r\n\r\n")->reason_phrase, "");
  EXPECT_TRUE(parse_response_head("HTTP/1.0 200 OK\n\n")->http_1_0);
  for (const char* text :
       {"\r\n\r\n", "SSH-2.0\r\n\r\n", "HTTP/2 200 OK\r\n\r\n", "HTTP/1.1 20\r\n\r\n",
        "HTTP/1.1 2000 OK\r\n\r\n", "HTTP/1.1 abc OK\r\n\r\n", "HTTP/1.1 099 OK\r\n\r\n",
        "HTTP/1.1 200 OK\r\nno colon\r\n\r\n"}) {
    EXPECT_FALSE(parse_response_head(text)) << text;
  }
}

TEST(FramingOf, ByHeader) {
  EXPECT_EQ(framing("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\n").length, 5U);
  EXPECT_EQ(framing("HTTP/1.1 200 OK\r\nContent-Length: 5\r\ncontent-length: 5\r\n\r\n").length,
            5U);
  EXPECT_EQ(framing("HTTP/1.1 200 OK\r\nTransfer-Encoding: Chunked\r\n\r\n").framing,
            Framing::kChunked);
  EXPECT_EQ(
      framing("HTTP/1.1 200 OK\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n").framing,
      Framing::kChunked);
  EXPECT_EQ(framing("HTTP/1.1 200 OK\r\n\r\n").framing, Framing::kUntilClose);
}

TEST(FramingOf, AnswersWithoutABody) {
  EXPECT_EQ(framing("HTTP/1.1 204 No\r\nContent-Length: 5\r\n\r\n").framing, Framing::kNone);
  EXPECT_EQ(framing("HTTP/1.1 304 No\r\n\r\n").framing, Framing::kNone);
  EXPECT_EQ(framing("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\n", "HEAD").framing,
            Framing::kNone);
}

TEST(FramingOf, Contradictions) {
  for (const char* lines : {"Content-Length: 5\r\nContent-Length: 6\r\n", "Content-Length: x\r\n",
                            "Content-Length: -1\r\n", "Content-Length:\r\n"}) {
    const auto head = parse_response_head("HTTP/1.1 200 OK\r\n" + std::string(lines) + "\r\n");
    EXPECT_FALSE(framing_of(*head, "POST")) << lines;
  }
}

TEST(FramingOf, KeepAlive) {
  EXPECT_TRUE(framing("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\n").keeps_alive);
  EXPECT_FALSE(
      framing("HTTP/1.1 200 OK\r\nContent-Length: 5\r\nConnection: x, Close\r\n\r\n").keeps_alive);
  EXPECT_FALSE(framing("HTTP/1.1 200 OK\r\n\r\n").keeps_alive);
  EXPECT_FALSE(framing("HTTP/1.0 200 OK\r\nContent-Length: 5\r\n\r\n").keeps_alive);
  EXPECT_TRUE(framing("HTTP/1.0 200 OK\r\nContent-Length: 5\r\nConnection: keep-alive\r\n\r\n")
                  .keeps_alive);
}

}  // namespace
}  // namespace weir::http
