#include <gtest/gtest.h>

#include "loading.h"

namespace weir::config {
namespace {

std::string listen(std::string_view text) {
  const auto address = parse_listen(text);
  return address ? address->text() : "fault: " + address.error().message;
}

TEST(ParseListen, TakesWhatPeopleWrite) {
  EXPECT_EQ(listen("127.0.0.1:8090"), "127.0.0.1:8090");
  EXPECT_EQ(listen(" LocalHost:1 "), "localhost:1");
  EXPECT_EQ(listen("[::1]:8090"), "[::1]:8090");
  EXPECT_EQ(listen("0.0.0.0:0"), "0.0.0.0:0");
  EXPECT_EQ(listen("box.lan:65535"), "box.lan:65535");
}

TEST(ParseListen, SaysWhatIsWrong) {
  for (const auto& [text, part] : std::vector<std::pair<std::string, std::string>>{
           {"", "host is missing"},
           {"8090", "write 127.0.0.1:8090"},
           {":8090", "host is missing"},
           {"127.0.0.1", "port is missing"},
           {"127.0.0.1:", "no number"},
           {"127.0.0.1:70000", "from 0 to 65535"},
           {"127.0.0.1:80x", "no number"},
           {"127.0.0.1:-1", "no number"},
           {"::1:8090", "needs brackets"},
           {"[::1:8090", "not closed"},
           {"[1]:80", "no IPv6 address"},
           {"[::1]8090", "no number"},
           {"256.0.0.1:80", "neither a name nor an address"},
           {"1.2.3:80", "neither a name nor an address"},
           {"a b:80", "neither a name nor an address"},
           {"http://127.0.0.1:8090", "without http://"}}) {
    EXPECT_TRUE(contains(listen(text), "fault: ")) << text;
    EXPECT_TRUE(contains(listen(text), part)) << text << " gives " << listen(text);
  }
}

TEST(ListenAddress, KnowsLoopback) {
  for (const std::string_view host : {"127.0.0.1", "127.1.2.3", "::1", "localhost"}) {
    EXPECT_TRUE((ListenAddress{std::string(host), 1}.is_loopback())) << host;
  }
  for (const std::string_view host : {"0.0.0.0", "::", "192.168.0.1", "127.evil.example", "box"}) {
    EXPECT_FALSE((ListenAddress{std::string(host), 1}.is_loopback())) << host;
  }
}

TEST(CheckListen, AnAddressForOthersNeedsAKey) {
  Server server;
  EXPECT_TRUE(check_listen(server));
  server.listen.push_back({"0.0.0.0", 8090});
  EXPECT_FALSE(check_listen(server));
  server.keys.push_back({"laptop", base::Secret("k")});
  EXPECT_TRUE(check_listen(server));
}

}  // namespace
}  // namespace weir::config
