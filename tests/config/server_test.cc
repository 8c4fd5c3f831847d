#include <gtest/gtest.h>

#include "loading.h"

namespace weir::config {
namespace {

std::string server_fault(std::string_view keys) {
  return fault(with_least("[server]\n" + std::string(keys)));
}

base::Result<Loaded> server(std::string_view keys) {
  return parse(with_least("[server]\n" + std::string(keys)));
}

TEST(Server, ListenIsOneAddressOrAList) {
  const auto one = server("listen = \"127.0.0.1:0\"\n");
  ASSERT_TRUE(one) << one.error().message;
  ASSERT_EQ(one->config.server.listen.size(), 1U);
  EXPECT_EQ(one->config.server.listen[0].port, 0);
  const auto two = server("listen = [\"127.0.0.1:1\", \"[::1]:2\"]\n");
  ASSERT_TRUE(two) << two.error().message;
  EXPECT_EQ(two->config.server.listen.size(), 2U);
  EXPECT_TRUE(contains(server_fault("listen = 8090\n"), "found a whole number where an address"));
  EXPECT_TRUE(contains(server_fault("listen = []\n"), "the list is empty"));
  EXPECT_TRUE(contains(server_fault("listen = [\"127.0.0.1:1\", \"x\"]\n"),
                       "4:26: server.listen: the port is missing"));
}

TEST(Server, AddressesForOthersNeedClientKeys) {
  EXPECT_TRUE(contains(server_fault("listen = \"0.0.0.0:8090\"\n"),
                       "4:10: server.listen: 0.0.0.0:8090 can be reached by others"));
  EXPECT_TRUE(contains(server_fault("listen = \"[::]:8090\"\nkeys = []\n"), "reached by others"));
  const auto with_key =
      server("listen = \"0.0.0.0:8090\"\n[[server.keys]]\nname = \"a\"\nkey = \"k\"\n");
  ASSERT_TRUE(with_key) << with_key.error().message;
  EXPECT_EQ(with_key->config.server.keys[0].name, "a");
  EXPECT_EQ(with_key->config.server.keys[0].key.reveal(), "k");
}

TEST(Server, ClientKeysNeedNameAndKey) {
  EXPECT_TRUE(contains(server_fault("[[server.keys]]\nkey = \"k\"\n"),
                       "4:1: server.keys.name: is missing; write name = \"laptop\""));
  EXPECT_TRUE(contains(server_fault("[[server.keys]]\nname = \"a\"\n"),
                       "4:1: server.keys.key: is missing"));
  EXPECT_TRUE(
      contains(server_fault("[[server.keys]]\nname = \"a\"\nkey = \"\"\n"), "key is empty"));
  EXPECT_TRUE(
      contains(server_fault("[[server.keys]]\nname = \" \"\nkey = \"k\"\n"), "name is empty"));
  EXPECT_TRUE(contains(server_fault("keys = [\"k\"]\n"), "write [[server.keys]]"));
  EXPECT_TRUE(contains(server_fault("[server.keys]\nname = \"a\"\nkey = \"k\"\n"),
                       "write [[server.keys]] with double brackets"));
}

TEST(Server, ClientKeysAreUnique) {
  const std::string first = "[[server.keys]]\nname = \"a\"\nkey = \"k\"\n";
  EXPECT_TRUE(contains(server_fault(first + "[[server.keys]]\nname = \"a\"\nkey = \"l\"\n"),
                       "7:1: server.keys: the name \"a\" is there twice"));
  EXPECT_TRUE(contains(server_fault(first + "[[server.keys]]\nname = \"b\"\nkey = \"k\"\n"),
                       "7:1: server.keys: the same key as that of \"a\""));
}

TEST(Server, CertificateAndKeyGoTogether) {
  EXPECT_TRUE(contains(server_fault("tls_cert = \"c.pem\"\n"),
                       "4:1: server.tls_cert: there is no tls_key with it"));
  EXPECT_TRUE(contains(server_fault("tls_key = \"c.pem\"\n"), "there is no tls_cert with it"));
  const auto both = server("tls_cert = \"c.pem\"\ntls_key = \"/k.pem\"\n");
  ASSERT_TRUE(both) << both.error().message;
  EXPECT_EQ(both->config.server.tls_cert, "/etc/weir/c.pem");
  EXPECT_EQ(both->config.server.tls_key, "/k.pem");
}

TEST(Server, OriginsAreSchemeHostAndPort) {
  const auto loaded =
      server("allow_origins = [\"http://LocalHost:3000/\", \"https://a.example\"]\n");
  ASSERT_TRUE(loaded) << loaded.error().message;
  EXPECT_EQ(loaded->config.server.allow_origins,
            (std::vector<std::string>{"http://localhost:3000", "https://a.example"}));
  for (const std::string_view wrong : {"*", "localhost:3000", "http://h/x", "null", ""}) {
    EXPECT_TRUE(contains(server_fault("allow_origins = [\"" + std::string(wrong) + "\"]\n"),
                         "this is no origin"))
        << wrong;
  }
}

TEST(Server, NumbersHaveTheirRanges) {
  const auto loaded = server("drain = 0\nheader_timeout = 0.25\nwatch = false\n");
  ASSERT_TRUE(loaded) << loaded.error().message;
  EXPECT_EQ(loaded->config.server.drain, Seconds(0));
  EXPECT_EQ(loaded->config.server.header_timeout, Seconds(0.25));
  EXPECT_FALSE(loaded->config.server.watch);
  for (const std::string_view wrong :
       {"header_timeout = 0", "body_timeout = -1", "send_timeout = nan", "drain = inf",
        "connections_max = 0", "body_bytes_max = 1", "connections_max = 1.5"}) {
    EXPECT_TRUE(contains(server_fault(std::string(wrong) + "\n"), "4:")) << wrong;
  }
  EXPECT_TRUE(contains(server_fault("watch = \"true\"\n"), "without quotes: watch = true"));
}

}  // namespace
}  // namespace weir::config
