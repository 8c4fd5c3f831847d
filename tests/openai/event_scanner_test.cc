#include "weir/openai/event_scanner.h"

#include <gtest/gtest.h>

#include <string>

#include "captures.h"

namespace weir::openai {
namespace {

EventScanner fed(std::string_view bytes) {
  EventScanner scanner;
  scanner.feed(bytes);
  return scanner;
}

std::string first_of(std::string_view bytes) {
  const EventScanner scanner = fed(bytes);
  return std::string(scanner.first_event().value_or("(none)"));
}

constexpr std::string_view kUsageEvent =
    R"(data: {"id":"u1","choices":[],"usage":{"prompt_tokens":5,"completion_tokens":1}})"
    "\n\n";

TEST(EventScanner, NothingYetIsABoundary) {
  const EventScanner scanner;
  EXPECT_TRUE(scanner.at_boundary());
  EXPECT_FALSE(scanner.first_event_began());
  EXPECT_FALSE(scanner.first_event().has_value());
}

TEST(EventScanner, BoundaryIsBehindABlankLine) {
  EXPECT_FALSE(fed("data: x").at_boundary());
  EXPECT_FALSE(fed("data: x\n").at_boundary());
  EXPECT_TRUE(fed("data: x\n\n").at_boundary());
  EXPECT_FALSE(fed("data: x\n\nd").at_boundary());
  EXPECT_FALSE(fed(": ping\n").at_boundary());
  EXPECT_TRUE(fed(": ping\n\n").at_boundary());
}

TEST(EventScanner, FirstEventNeedsItsBlankLine) {
  EXPECT_EQ(first_of("data: one\n"), "(none)");
  EXPECT_EQ(first_of("data: one\n\ndata: two\n\n"), "one");
}

TEST(EventScanner, CommentsAndRetryAreNoEvent) {
  const EventScanner scanner = fed(": PROCESSING\n\nretry: 500\n\nid: 7\n\n");
  EXPECT_FALSE(scanner.first_event_began());
  EXPECT_FALSE(scanner.first_event().has_value());
  EXPECT_TRUE(scanner.at_boundary());
}

TEST(EventScanner, FirstEventBeginsWithItsFirstByte) {
  EXPECT_TRUE(fed(": ping\n\nd").first_event_began());
}

TEST(EventScanner, ReadsDataWithAndWithoutASpace) {
  EXPECT_EQ(first_of("data:one\n\n"), "one");
  EXPECT_EQ(first_of("data:  one\n\n"), " one");
  EXPECT_EQ(first_of("data\n\n"), "");
  EXPECT_EQ(first_of("database: no\n\n"), "(none)");
}

TEST(EventScanner, JoinsDataLines) {
  EXPECT_EQ(first_of("event: message\ndata: a\n: comment\ndata:\ndata: b\n\n"), "a\n\nb");
}

TEST(EventScanner, ReadsCrLfAndCr) {
  EXPECT_EQ(first_of("data: a\r\ndata: b\r\n\r\n"), "a\nb");
  EXPECT_EQ(first_of("data: a\rdata: b\r\r"), "a\nb");
  EXPECT_TRUE(fed("data: a\r\n\r\n").at_boundary());
}

TEST(EventScanner, SeesDone) {
  EXPECT_TRUE(fed("data: {}\n\ndata: [DONE]\n\n").done_seen());
  EXPECT_FALSE(fed("data: [DONE]\n").done_seen());
  EXPECT_FALSE(fed("data: {\"content\":\"[DONE]\"}\n\n").done_seen());
}

TEST(EventScanner, FindsUsageInTheLastEventThatHasIt) {
  EventScanner scanner;
  scanner.feed("data: {\"usage\":null}\n\ndata: {\"usage\":{\"prompt_tokens\":3}}\n\n");
  scanner.feed(kUsageEvent);
  scanner.feed("data: [DONE]\n\n");
  EXPECT_EQ(scanner.usage_prompt_tokens(), 5U);
}

TEST(EventScanner, UsageInATextIsNoUsage) {
  EXPECT_FALSE(fed(R"(data: {"delta":{"content":"{\"usage\":{\"prompt_tokens\":5}}"}})"
                   "\n\n")
                   .usage_prompt_tokens()
                   .has_value());
}

TEST(EventScanner, EverySplitGivesTheSame) {
  for (const std::string line_end : {"\n", "\r\n", "\r"}) {
    std::string stream =
        ": ping|retry: 5||event: e|data: a|data: b||" + std::string(kUsageEvent) + "data: [DONE]||";
    for (std::size_t at = 0; (at = stream.find_first_of("|\n", at)) != std::string::npos;) {
      stream.replace(at, 1, line_end);
      at += line_end.size();
    }
    for (std::size_t first = 0; first <= stream.size(); ++first) {
      for (std::size_t second = first; second <= stream.size(); second += 7) {
        EventScanner scanner;
        scanner.feed(std::string_view(stream).substr(0, first));
        scanner.feed(std::string_view(stream).substr(first, second - first));
        scanner.feed(std::string_view(stream).substr(second));
        ASSERT_EQ(scanner.first_event(), "a\nb");
        ASSERT_EQ(scanner.usage_prompt_tokens(), 5U);
        ASSERT_TRUE(scanner.done_seen());
        ASSERT_TRUE(scanner.at_boundary());
      }
    }
  }
}

TEST(EventScanner, BytesOneByOne) {
  const std::string stream = "data: {\"choices\":[{\"delta\":{\"content\":\"🦊é好\"}}]}\n\n";
  EventScanner scanner;
  for (const char& byte : stream) {
    scanner.feed({&byte, 1});
  }
  EXPECT_EQ(scanner.first_event(), stream.substr(6, stream.size() - 8));
}

// Case S-07.
TEST(EventScanner, AHugeEventIsSkippedAndTheNextIsSeen) {
  EventScanner scanner;
  scanner.feed("data: {\"usage\":{\"prompt_tokens\":9},\"a\":\"");
  const std::string piece(16 * 1024, 'a');
  for (int i = 0; i < 192; ++i) {
    scanner.feed(piece);
    EXPECT_FALSE(scanner.at_boundary());
  }
  scanner.feed("\"}\n\n");
  EXPECT_TRUE(scanner.first_event_skipped());
  EXPECT_FALSE(scanner.first_event().has_value());
  EXPECT_FALSE(scanner.usage_prompt_tokens().has_value());
  scanner.feed(kUsageEvent);
  EXPECT_EQ(scanner.usage_prompt_tokens(), 5U);
  EXPECT_FALSE(scanner.first_event().has_value());
}

TEST(EventScanner, AHugeCommentSpoilsNothing) {
  EventScanner scanner;
  scanner.feed(":" + std::string(kEventBytesMax * 2, 'x'));
  scanner.feed("xx\ndata: a\n\n");
  EXPECT_EQ(scanner.first_event(), "a");
}

TEST(EventScanner, ManyDataLinesAreBounded) {
  EventScanner scanner;
  for (int i = 0; i < 10; ++i) {
    scanner.feed("data: " + std::string(16 * 1024, 'a') + "\n");
  }
  scanner.feed("\n");
  EXPECT_TRUE(scanner.first_event_skipped());
}

TEST(EventScanner, ReadsARecordedStream) {
  const EventScanner scanner = fed(read_capture("chat_stream_usage.http").body);
  EXPECT_TRUE(scanner.done_seen());
  EXPECT_TRUE(scanner.usage_prompt_tokens().has_value());
  EXPECT_TRUE(scanner.at_boundary());
  EXPECT_NE(scanner.first_event()->find("\"role\":\"assistant\""), std::string::npos);
}

TEST(EventScanner, RecordedPingsAreNoEvent) {
  const std::string body = read_capture("chat_stream_ping.http").body;
  const std::size_t pings = body.find("data:");
  ASSERT_GT(pings, 0U);
  EXPECT_FALSE(fed(std::string_view(body).substr(0, pings)).first_event_began());
}

TEST(EventScanner, RecordedBrokenStreamHasNoDone) {
  const EventScanner scanner = fed(read_capture("err_midstream_kv_full.http").body);
  EXPECT_FALSE(scanner.done_seen());
  EXPECT_TRUE(scanner.at_boundary());
}

TEST(UsagePromptTokens, ReadsARecordedAnswerAndItsTail) {
  const std::string body = read_capture("chat_nonstream.http").body;
  const auto whole = usage_prompt_tokens(body);
  ASSERT_TRUE(whole.has_value());
  EXPECT_EQ(usage_prompt_tokens(std::string_view(body).substr(body.find("\"usage\""))), whole);
}

TEST(UsagePromptTokens, BrokenTailsGiveNothing) {
  for (const char* tail :
       {"", "\"usage\"", "\"usage\":", "\"usage\":{", "\"usage\":{\"prompt_tokens\":1",
        "\"usage\":5}", "\"usage\":{\"prompt_tokens\":\"x\"}}"}) {
    EXPECT_FALSE(usage_prompt_tokens(tail).has_value()) << tail;
  }
}

TEST(UsagePromptTokens, TakesTheLastOne) {
  EXPECT_EQ(
      usage_prompt_tokens(R"({"usage":{"prompt_tokens":1},"x":{"usage" : {"prompt_tokens":2}}})"),
      2U);
}

}  // namespace
}  // namespace weir::openai
