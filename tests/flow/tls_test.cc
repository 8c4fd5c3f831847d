// HTTPS towards clients.

#include <gtest/gtest.h>
#include <openssl/ssl.h>

#include <filesystem>
#include <fstream>
#include <random>
#include <thread>

#include "gate.h"
#include "http_text.h"
#include "weir_fixture.h"

namespace weir::flow {
namespace {

using fakes::Ending;
using fakes::Gate;
using fakes::Got;
using fakes::TestCa;

class TlsTest : public testing::Test {
 protected:
  TlsTest() {
    std::filesystem::create_directories(folder_);
    TestCa::shared().write_server("weir.test", cert_, key_);
  }
  ~TlsTest() override { std::filesystem::remove_all(folder_); }

  Change https(const Change& more = {}) const {
    return [this, more](config::Config& config) {
      config.server.tls_cert = cert_;
      config.server.tls_key = key_;
      if (more) {
        more(config);
      }
    };
  }
  RawClient secure_client(const Weir& weir) const {
    RawClient client = weir.client();
    EXPECT_TRUE(client.start_tls(trusting_.get()));
    return client;
  }
  Reply ask_securely(const Weir& weir, std::string_view body) const {
    RawClient client = secure_client(weir);
    client.send(post(body));
    return client.read_reply();
  }

  const std::filesystem::path folder_ = std::filesystem::path(testing::TempDir()) /
                                        ("weir-tls-" + std::to_string(std::random_device()()));
  const std::filesystem::path cert_ = folder_ / "cert.pem";
  const std::filesystem::path key_ = folder_ / "key.pem";
  std::unique_ptr<SSL_CTX, void (*)(SSL_CTX*)> trusting_ = TestCa::shared().client_context();
};

std::string many_bytes() {
  std::mt19937 random(7);
  std::string bytes(3 << 20, '\0');
  for (char& c : bytes) {
    c = static_cast<char>(random());
  }
  return bytes;
}

TEST_F(TlsTest, AnswersAreTheUpstreamsByteForByte) {
  Weir weir(https());
  const std::string body = many_bytes();
  weir.local().next(answers(200, body));
  EXPECT_EQ(ask_securely(weir, short_chat()).body, body);
  std::string stream;
  for (int i = 0; i < 500; ++i) {
    stream += event(std::to_string(i));
  }
  weir.local().next([&](Talk& talk) {
    talk.start_stream();
    for (std::size_t at = 0; at < stream.size(); at += 37) {
      talk.chunk(std::string_view(stream).substr(at, 37));
    }
    talk.end_stream();
  });
  const Reply reply = ask_securely(weir, short_chat(kStream));
  EXPECT_EQ(reply.body, stream);
  EXPECT_TRUE(reply.is_whole);
}

TEST_F(TlsTest, ALargeBodyArrivesWhole) {
  Weir weir(https());
  const std::string text(5 << 20, 'x');
  const std::string body = chat_body(text);
  EXPECT_EQ(ask_securely(weir, body).status, 200);
  EXPECT_EQ(weir.cloud().request(0).body.size(),
            body.size() - std::string("auto").size() + std::string("vendor/long-model").size());
}

TEST_F(TlsTest, AConnectionCarriesManyRequests) {
  Weir weir(https());
  RawClient client = secure_client(weir);
  for (int i = 0; i < 20; ++i) {
    client.send(post(short_chat()));
    EXPECT_EQ(client.read_reply().status, 200);
  }
  client.send(post(short_chat()) + post(short_chat()));
  EXPECT_EQ(client.read_reply().status, 200);
  EXPECT_EQ(client.read_reply().status, 200);
}

TEST_F(TlsTest, NothingBelowTls12AndNothingButHttp11) {
  Weir weir(https());
  const auto old = TestCa::shared().client_context();
  SSL_CTX_set_security_level(old.get(), 0);
  SSL_CTX_set_min_proto_version(old.get(), TLS1_VERSION);
  SSL_CTX_set_max_proto_version(old.get(), TLS1_1_VERSION);
  EXPECT_FALSE(weir.client().start_tls(old.get()));
  const auto tls12 = TestCa::shared().client_context();
  SSL_CTX_set_max_proto_version(tls12.get(), TLS1_2_VERSION);
  EXPECT_TRUE(weir.client().start_tls(tls12.get()));
  const unsigned char both[] = "\x02h2\x08http/1.1";
  const auto with_alpn = TestCa::shared().client_context();
  SSL_CTX_set_alpn_protos(with_alpn.get(), both, sizeof both - 1);
  RawClient client = weir.client();
  ASSERT_TRUE(client.start_tls(with_alpn.get()));
  EXPECT_EQ(client.stream().alpn(), "http/1.1");
  EXPECT_EQ(client.stream().tls_version(), "TLSv1.3");
  SSL_CTX_set_alpn_protos(with_alpn.get(), both, 3);
  EXPECT_FALSE(weir.client().start_tls(with_alpn.get()));
}

TEST_F(TlsTest, PlainHttpIsToldSoAndLoggedOnce) {
  Weir weir(https());
  for (int i = 0; i < 3; ++i) {
    const Reply reply = ask(weir.port(), short_chat());
    EXPECT_EQ(reply.status, 400);
    EXPECT_NE(reply.body.find("https://"), std::string::npos) << reply.body;
  }
  EXPECT_EQ(ask_securely(weir, short_chat()).status, 200);
  ASSERT_TRUE(weir.wait_for_log("and this client plain HTTP"));
  const std::string log = weir.log_text();
  EXPECT_EQ(log.find("plain HTTP"), log.rfind("plain HTTP"));
}

TEST_F(TlsTest, HttpsWhereThereIsNoneIsToldSoAtOnceAndLoggedOnce) {
  Weir weir([](config::Config& config) { config.server.header_timeout = config::Seconds(3600); });
  for (int i = 0; i < 3; ++i) {
    EXPECT_FALSE(weir.client().start_tls(trusting_.get()));  // and does not wait for the timeout
  }
  RawClient slow = weir.client();
  slow.send("\x16");
  slow.send("\x03\x01");
  const Reply reply = slow.read_reply();
  EXPECT_EQ(reply.status, 400);
  EXPECT_NE(reply.body.find("http://"), std::string::npos) << reply.body;
  EXPECT_NE(slow.wait_for_close(), Got::kTimeout);
  EXPECT_EQ(ask(weir.port(), short_chat()).status, 200);
  ASSERT_TRUE(weir.wait_for_log("and this client HTTPS"));
  const std::string log = weir.log_text();
  EXPECT_EQ(log.find("this client HTTPS"), log.rfind("this client HTTPS"));
}

TEST_F(TlsTest, WhoDoesNotTrustTheCertificateIsLogged) {
  Weir weir(https());
  std::unique_ptr<SSL_CTX, void (*)(SSL_CTX*)> strange(SSL_CTX_new(TLS_client_method()),
                                                       SSL_CTX_free);
  SSL_CTX_set_verify(strange.get(), SSL_VERIFY_PEER, nullptr);
  SSL_CTX_set_max_proto_version(strange.get(), TLS1_2_VERSION);  // its alert is in the handshake
  EXPECT_FALSE(weir.client().start_tls(strange.get()));
  EXPECT_TRUE(weir.wait_for_log("no TLS with this client"));
}

TEST_F(TlsTest, AHandshakeThatNeverEndsIsClosedWithTheHeaderTimeout) {
  Weir weir(
      https([](config::Config& config) { config.server.header_timeout = config::Seconds(0.3); }));
  RawClient silent = weir.client();
  RawClient half = weir.client();
  half.send(std::string("\x16\x03\x01\x02\x00\x01", 6));
  EXPECT_EQ(ask_securely(weir, short_chat()).status, 200);  // they hold up nobody
  EXPECT_NE(silent.wait_for_close(), Got::kTimeout);
  EXPECT_NE(half.wait_for_close(), Got::kTimeout);
  EXPECT_EQ(silent.received() + half.received(), "");
}

TEST_F(TlsTest, AClientThatLeavesEndsTheUpstreamsWork) {
  for (const bool resets : {false, true}) {
    Weir weir(https());
    weir.local().always([](Talk& talk) { talk.wait_for_close(); });
    RawClient client = secure_client(weir);
    client.send(post(short_chat()));
    ASSERT_TRUE(weir.local().wait_for_requests(1));
    if (resets) {
      client.reset();
    } else {
      client.leave();
    }
    EXPECT_TRUE(weir.local().wait_for_close(0));
    EXPECT_TRUE(weir.wait_for_log("client closed"));
  }
}

TEST_F(TlsTest, AnAnswerThatClosesTheConnectionEndsTlsProperly) {
  Weir weir(https());
  RawClient client = secure_client(weir);
  client.send(post(short_chat(), "Connection: close\r\n"));
  EXPECT_EQ(client.read_reply().status, 200);
  EXPECT_EQ(client.wait_for_close(), Got::kFin);
}

TEST_F(TlsTest, ARefusedClientSeesWhy) {
  Weir weir(https([](config::Config& config) { config.server.body_bytes_max = 1000; }));
  const Reply reply = ask_securely(weir, chat_body(std::string(2 << 20, 'x')));
  EXPECT_EQ(reply.status, 413);
  EXPECT_TRUE(reply.is_whole);
}

TEST_F(TlsTest, ARenewedCertificateIsTakenByTheNextConnection) {
  Gate gate;
  Weir weir(https());
  weir.local().next([&](Talk& talk) {
    talk.start_stream();
    talk.chunk(event("a"));
    talk.wait(gate);
    talk.end_stream();
  });
  RawClient running = secure_client(weir);
  EXPECT_EQ(running.stream().peer_name(), "weir.test");
  running.send(post(short_chat(kStream)));
  ASSERT_TRUE(running.read_until(event("a")));
  TestCa::shared().write_server("renewed.test", cert_, key_);
  weir.set_next([](config::Config&) {});
  weir.runtime().reload_if_changed();  // looks
  weir.runtime().reload_if_changed();  // and finds it settled
  EXPECT_TRUE(weir.wait_for_log("the new configuration is in force"));
  RawClient next = secure_client(weir);
  EXPECT_EQ(next.stream().peer_name(), "renewed.test");
  gate.open();
  EXPECT_TRUE(running.read_reply().is_whole);
}

TEST_F(TlsTest, AReloadTellsThatACertificateIsAnother) {
  Weir weir(https());
  TestCa::shared().write_server("renewed.test", cert_, key_);
  const auto report = weir.reload(https());
  ASSERT_TRUE(report);
  EXPECT_EQ(report->changed,
            (std::vector<std::string>{"server.tls_cert (contents)", "server.tls_key (contents)"}));
  const auto again = weir.reload(https());
  ASSERT_TRUE(again);
  EXPECT_TRUE(again->changed.empty());
}

TEST_F(TlsTest, AFaultyKeyChangesNothing) {
  Weir weir(https());
  TestCa::shared().write_server("other.test", folder_ / "other.pem", key_);
  const auto mismatch = weir.reload([](config::Config&) {});
  ASSERT_FALSE(mismatch);
  EXPECT_NE(mismatch.error().message.find("server.tls_key: "), std::string::npos);
  EXPECT_NE(mismatch.error().message.find("not the key of the certificate"), std::string::npos)
      << mismatch.error().message;
  std::ofstream(cert_) << "no certificate";
  const auto broken = weir.reload([](config::Config&) {});
  ASSERT_FALSE(broken);
  EXPECT_NE(broken.error().message.find("server.tls_cert: "), std::string::npos);
  EXPECT_EQ(ask_securely(weir, short_chat()).status, 200);
}

TEST_F(TlsTest, AKeyThatEverybodyCanReadIsNamed) {
  std::filesystem::permissions(key_, std::filesystem::perms::others_read,
                               std::filesystem::perm_options::add);
  Weir weir(https());
  EXPECT_TRUE(weir.wait_for_log("every user of this machine can read"));
}

TEST_F(TlsTest, TlsCanBeTurnedOnByAReload) {
  Weir weir;
  EXPECT_EQ(ask(weir.port(), short_chat()).status, 200);
  ASSERT_TRUE(weir.reload(https()));
  EXPECT_EQ(ask_securely(weir, short_chat()).status, 200);
  EXPECT_EQ(ask(weir.port(), short_chat()).status, 400);
}

TEST_F(TlsTest, WhatAnswersWhenItStopsIsStillWhole) {
  Gate gate;
  Weir weir(https([](config::Config& config) { config.server.drain = config::Seconds(60); }));
  weir.local().next([&](Talk& talk) {
    talk.start_stream();
    talk.chunk(event("a"));
    talk.wait(gate);
    talk.end_stream();
  });
  RawClient running = secure_client(weir);
  running.send(post(short_chat(kStream)));
  ASSERT_TRUE(running.read_until(event("a")));
  RawClient idle = secure_client(weir);
  std::thread stopping([&] { weir.runtime().stop(); });
  EXPECT_EQ(idle.wait_for_close(), Got::kFin);
  gate.open();
  EXPECT_TRUE(running.read_reply().is_whole);
  EXPECT_EQ(running.wait_for_close(), Got::kFin);
  stopping.join();
}

}  // namespace
}  // namespace weir::flow
