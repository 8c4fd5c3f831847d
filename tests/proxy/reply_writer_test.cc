#include "reply_writer.h"

#include <gtest/gtest.h>

#include "recording_sink.h"
#include "scripted_upstream.h"
#include "weir/upstream/upstream.h"

namespace weir::proxy {
namespace {

using fakes::RecordingSink;

class ReplyWriterTest : public testing::Test {
 protected:
  ReplyWriterTest() {
    config::Upstream settings;
    settings.base_url = {false, "127.0.0.1", fake_.port(), "/v1"};
    upstream_ = std::move(*upstream::Upstream::open(settings));
    request_.method = "POST";
  }

  // An exchange whose head is `head` (body: none to be read).
  upstream::Exchange exchange(const std::string& head) {
    fake_.next([head](fakes::Talk& talk) {
      talk.send(head);
      talk.wait_for_close();
    });
    upstream::OutgoingRequest request;
    request.endpoint = "/x";
    return std::move(*upstream_->begin(request, {}).exchange);
  }

  fakes::ScriptedUpstream fake_;
  std::unique_ptr<upstream::Upstream> upstream_;
  ClientRequest request_;
  RecordingSink sink_;
  metrics::RequestRecord record_;
  ReplyWriter writer_{request_, sink_, record_};
};

TEST_F(ReplyWriterTest, TheHeadWaitsForTheFirstPiece) {
  const auto answer = exchange("HTTP/1.1 201 Made\r\nContent-Length: 2\r\nX-A: b\r\n\r\n");
  writer_.start(answer, {{"X-Weir-Route", "local.a"}, {"X-A", "ours"}});
  EXPECT_EQ(sink_.bytes, "");
  EXPECT_TRUE(writer_.piece("ok"));
  EXPECT_TRUE(writer_.finish());
  EXPECT_EQ(sink_.bytes,
            "HTTP/1.1 201 Made\r\nX-A: b\r\nX-Weir-Route: local.a\r\nContent-Length: 2\r\n\r\nok");
  EXPECT_EQ(sink_.writes, 1);
  EXPECT_EQ(record_.status, 201);
  EXPECT_EQ(record_.bytes, 2U);
  EXPECT_TRUE(sink_.keeps_alive());
}

TEST_F(ReplyWriterTest, WithoutALengthPiecesAreChunks) {
  writer_.start(exchange("HTTP/1.1 200 OK\r\n\r\n"), {});
  writer_.piece("first");
  writer_.piece("");  // an empty chunk would be the end
  writer_.piece(std::string(300, 'x'));
  writer_.finish();
  EXPECT_EQ(sink_.bytes,
            "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nfirst\r\n12c\r\n" +
                std::string(300, 'x') + "\r\n0\r\n\r\n");
}

TEST_F(ReplyWriterTest, AnHttp10ClientReadsToTheClose) {
  request_.http_1_0 = true;
  writer_.start(exchange("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"), {});
  writer_.piece("first");
  writer_.finish();
  EXPECT_EQ(sink_.bytes, "HTTP/1.1 200 OK\r\nConnection: close\r\n\r\nfirst");
  EXPECT_FALSE(sink_.keeps_alive());
}

TEST_F(ReplyWriterTest, AnAbortHasNoProperEnd) {
  writer_.start(exchange("HTTP/1.1 200 OK\r\n\r\n"), {});
  writer_.piece("a");
  sink_.bytes.clear();
  writer_.abort("last");
  EXPECT_EQ(sink_.bytes, "4\r\nlast\r\n");
  EXPECT_FALSE(sink_.keeps_alive());
}

TEST_F(ReplyWriterTest, AnAbortAddsNothingToALength) {
  writer_.start(exchange("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\n"), {});
  writer_.piece("a");
  sink_.bytes.clear();
  writer_.abort("last");
  EXPECT_EQ(sink_.bytes, "");
  EXPECT_FALSE(sink_.keeps_alive());
}

TEST_F(ReplyWriterTest, AnErrorOfOurOwn) {
  writer_.error({base::ErrorCode::kOverloaded, "full"}, {{"X-Request-Id", "r"}});
  EXPECT_TRUE(sink_.bytes.starts_with(
      "HTTP/1.1 503 Service Unavailable\r\nContent-Type: application/json\r\nX-Request-Id: r\r\n"
      "X-Weir-Error: overloaded\r\nRetry-After: "))
      << sink_.bytes;
  EXPECT_TRUE(sink_.bytes.ends_with(R"("param":null,"code":"overloaded"}})"));
  EXPECT_EQ(record_.status, 503);
}

TEST_F(ReplyWriterTest, AClientThatHasGoneIsTold) {
  writer_.start(exchange("HTTP/1.1 200 OK\r\n\r\n"), {});
  sink_.is_gone = true;
  EXPECT_FALSE(writer_.piece("a"));
}

}  // namespace
}  // namespace weir::proxy
