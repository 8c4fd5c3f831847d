#include "weir/server/server.h"

#include <gtest/gtest.h>

#include "descriptors.h"
#include "http_text.h"
#include "raw_client.h"
#include "weir/http/request_head.h"
#include "weir/os/process.h"
#include "weir/os/wait.h"

namespace weir::server {
namespace {

using fakes::RawClient;
using fakes::Reply;
using fakes::request_text;

// A server whose relay answers with what it was sent.
class ServerTest : public testing::Test {
 protected:
  void start() {
    auto logger = log::Logger::open({.level = "error", .file = {}});
    logger_ = std::move(*logger);
    settings_.listen = {{"127.0.0.1", 0}};
    Endpoints endpoints;
    endpoints.relays = {{"POST", "/v1/echo", [](const auto& request, auto& sink) {
                           if (request.body == "throw") {
                             throw std::runtime_error("as a bug would");
                           }
                           const std::string head = "HTTP/1.1 200 OK\r\nContent-Length: " +
                                                    std::to_string(request.body.size()) +
                                                    "\r\nX-Id: " + request.id + "\r\n\r\n";
                           const std::string_view pieces[] = {head, request.body};
                           sink.write(pieces);
                         }}};
    endpoints.pages = {{"GET", "/health", true, [](const auto&) { return Page{.body = "ok"}; }},
                       {"POST", "/page", false,
                        [](const proxy::ClientRequest& request) {
                          return Page{
                              .status = 202, .content_type = "text/x", .body = request.body};
                        }},
                       {"GET", "/bug", false,
                        [](const auto&) -> Page { throw std::runtime_error("as a bug would"); }}};
    auto server = Server::start(settings_, std::move(endpoints), *logger_);
    ASSERT_TRUE(server) << server.error().message;
    server_ = std::move(*server);
    port_ = server_->addresses().front().port();
  }

  Reply ask(std::string_view method_and_path, std::string_view lines = "",
            std::string_view body = "") {
    RawClient client(port_);
    client.send(request_text(method_and_path, lines, body));
    return client.read_reply();
  }

  config::Server settings_;
  std::unique_ptr<log::Logger> logger_;
  std::unique_ptr<Server> server_;
  std::uint16_t port_ = 0;
};

TEST_F(ServerTest, GivesTheRelayTheBodyAsItCame) {
  start();
  std::string body = "{\"a\": \"\xFF\"}";
  body.push_back('\0');
  EXPECT_EQ(ask("POST /v1/echo", "X-Request-Id: r-1\r\n", body).body, body);
}

TEST_F(ServerTest, MakesAnIdWhereTheClientsOwnIsNotFit) {
  start();
  const auto id_for = [&](const std::string& id) {
    return fakes::header_value(ask("POST /v1/echo", "X-Request-Id: " + id + "\r\n", "x").head,
                               "X-Id");
  };
  EXPECT_EQ(id_for("r-1"), "r-1");
  EXPECT_TRUE(id_for(std::string(200, 'x')).starts_with("weir-"));
  EXPECT_TRUE(id_for("caf\xE9").starts_with("weir-"));
  EXPECT_NE(id_for(""), id_for(""));
}

TEST_F(ServerTest, ServesPages) {
  start();
  EXPECT_EQ(ask("GET /health").body, "ok");
  const Reply reply = ask("POST /page", "", "posted");
  EXPECT_EQ(reply.status, 202);
  EXPECT_EQ(reply.body, "posted");
  EXPECT_EQ(fakes::header_value(reply.head, "Content-Type"), "text/x");
}

TEST_F(ServerTest, ABugCostsOneRequest) {
  start();
  for (int i = 0; i < 2; ++i) {
    EXPECT_EQ(ask("POST /v1/echo", "", "throw").status, 500);
    const Reply page = ask("GET /bug");
    EXPECT_EQ(page.status, 500);
    EXPECT_EQ(fakes::header_value(page.head, "X-Weir-Error"), "internal");
  }
  EXPECT_EQ(ask("GET /health").status, 200);
}

TEST_F(ServerTest, CountsItsConnections) {
  start();
  {
    RawClient client(port_);
    client.send(request_text("GET /health", "", ""));
    EXPECT_EQ(client.read_reply().status, 200);
    EXPECT_EQ(server_->connections(), 1U);
  }
  const auto deadline = fakes::patience();
  while (server_->connections() > 0 && std::chrono::steady_clock::now() < deadline) {
    std::this_thread::yield();
  }
  EXPECT_EQ(server_->connections(), 0U);
}

TEST_F(ServerTest, EmptyLinesBeforeARequestArePassedOver) {
  start();
  const std::string echo = request_text("POST /v1/echo", "", "body");
  RawClient client(port_);
  client.send("\r\n\r\n\r\n\r\n" + echo + "\r\n" +
              echo);  // one of them between two requests at once
  EXPECT_EQ(client.read_reply().body, "body");
  EXPECT_EQ(client.read_reply().body, "body");
  client.send("\r");
  client.send("\n");
  client.send(echo);
  EXPECT_EQ(client.read_reply().body, "body");
}

TEST_F(ServerTest, EmptyLinesHaveALimit) {
  start();
  std::string lines;
  for (std::size_t i = 0; i <= http::kEmptyLinesMax; ++i) {
    lines += "\r\n";
  }
  RawClient client(port_);
  client.send(lines + request_text("GET /health", "", ""));
  EXPECT_EQ(client.read_reply().status, 400);
  RawClient bare(port_);
  bare.send("\n" + request_text("GET /health", "", ""));  // no line in the strict form
  EXPECT_EQ(bare.read_reply().status, 400);
}

// A reset in place of the end would take the answer away from clients of some systems.
TEST_F(ServerTest, AClientThatSendsOnSeesWhyItWasRefused) {
  settings_.connections_max = 1;
  settings_.header_timeout = config::Seconds(20);
  start();
  RawClient first(port_);
  first.send("GET /health HTTP/1.1\r\n");  // not idle
  while (server_->connections() == 0) {
    std::this_thread::yield();
  }
  RawClient second(port_);
  second.send(request_text("POST /v1/echo", "", std::string(300000, 'x')));
  EXPECT_EQ(second.read_reply().status, 503);
  EXPECT_EQ(second.wait_for_close(), fakes::Got::kFin);
  EXPECT_TRUE(second.send("more"));       // fails after a reset
  EXPECT_EQ(server_->connections(), 1U);  // the refused one does not count
  first.send("X: " + std::string(300000, 'x'));
  EXPECT_EQ(first.read_reply().status, 431);
  EXPECT_EQ(first.wait_for_close(), fakes::Got::kFin);
  EXPECT_TRUE(first.send("more"));
}

// Many clients read nothing before they have sent all.
TEST_F(ServerTest, ABodyThatIsMuchTooLongCanBeSentToItsEnd) {
  settings_.body_bytes_max = 1000;
  start();
  RawClient client(port_);
  EXPECT_TRUE(client.send(request_text("POST /v1/echo", "", std::string(16 << 20, 'x'))));
  EXPECT_EQ(client.read_reply().status, 413);
}

TEST_F(ServerTest, ARefusedClientThatNeverEndsIsClosed) {
  start();
  RawClient client(port_);
  while (client.send(std::string(65536, 'x'))) {
  }
  EXPECT_NE(client.read_to_end(), fakes::Got::kTimeout);
}

TEST_F(ServerTest, WithoutDescriptorsItWaitsForSomeAndDoesNotSpin) {
  start();
  fakes::Descriptors descriptors;
  descriptors.release(1);
  RawClient client(port_);  // takes it
  ASSERT_TRUE(client.is_connected());
  client.send(request_text("GET /health", "", ""));
  const auto before = os::cpu_microseconds();
  const auto no_answer = std::chrono::steady_clock::now() + std::chrono::milliseconds(600);
  EXPECT_EQ(os::wait_for(client.stream().handle(), os::Interest::kRead, no_answer, {}),
            os::WaitOutcome::kTimeout);
  EXPECT_LT(os::cpu_microseconds() - before, 200000U);
  descriptors.release(2);
  EXPECT_EQ(client.read_reply().status, 200);
}

TEST_F(ServerTest, ListensOnEveryAddress) {
  settings_.listen = {};
  start();
  server_.reset();
  settings_.listen = {{"127.0.0.1", 0}, {"127.0.0.2", 0}};
  auto server = Server::start(settings_, {}, *logger_);
  ASSERT_TRUE(server) << server.error().message;
  ASSERT_EQ((*server)->addresses().size(), 2U);
  for (const os::Address& address : (*server)->addresses()) {
    RawClient client(address.port(), address.ip());
    client.send("GET / HTTP/1.1\r\nHost: localhost\r\n\r\n");
    EXPECT_EQ(client.read_reply().status, 404);
  }
}

TEST_F(ServerTest, DrainsAtOnceWhenNothingRuns) {
  start();
  EXPECT_TRUE(server_->drain(std::chrono::seconds(20)));
}

}  // namespace
}  // namespace weir::server
