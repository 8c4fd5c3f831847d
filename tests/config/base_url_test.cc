#include <gtest/gtest.h>

#include "loading.h"

namespace weir::config {
namespace {

std::string base_url(std::string_view written) {
  const std::string text = "[local.a]\nbase_url = '" + std::string(written) + "'\n";
  const auto loaded = parse(text);
  return loaded ? loaded->config.upstreams[0].base_url.text() : fault(text);
}

TEST(BaseUrl, EveryFormLeadsToTheVersion) {
  for (const auto& [written, address] : std::vector<std::pair<std::string, std::string>>{
           {"https://h", "https://h/v1"},
           {"https://h/", "https://h/v1"},
           {"https://h/v1", "https://h/v1"},
           {"https://h/v1/", "https://h/v1"},
           {"https://h/v1//", "https://h/v1"},
           {"https://h//v1", "https://h/v1"},
           {"https://h/v1/chat/completions", "https://h/v1"},
           {"https://h/v1/chat/completions/", "https://h/v1"},
           {"https://h/chat/completions", "https://h/v1"},
           {"https://taotoken.net/api", "https://taotoken.net/api/v1"},
           {"https://taotoken.net/api/", "https://taotoken.net/api/v1"},
           {"https://h/api/v4", "https://h/api/v4"},
           {"https://h/api/v4/chat/completions", "https://h/api/v4"},
           {"https://h/v1beta/openai/chat/completions", "https://h/v1beta/openai"},
           {"https://h/v1beta", "https://h/v1beta"},
           {"https://h/version", "https://h/version/v1"},
           {"HTTPS://H.Example:443/V", "https://h.example/V/v1"},
           {"http://h:80", "http://h/v1"},
           {"http://h:443", "http://h:443/v1"},
           {"  http://h  ", "http://h/v1"},
           {"http://[2001:DB8::1]:8080/v1", "http://[2001:db8::1]:8080/v1"}}) {
    EXPECT_EQ(base_url(written), address) << written;
  }
}

TEST(BaseUrl, SaysWhatIsWrong) {
  for (const auto& [written, part] : std::vector<std::pair<std::string, std::string>>{
           {"", "empty"},
           {"h:8080/v1", "http:// or https:// is missing"},
           {"taotoken.net/api", "http:// or https:// is missing"},
           {"ws://h", "only http:// and https://"},
           {"https://user:pass@h", "user names and passwords"},
           {"https://h/v1?key=1", "no ? or #"},
           {"https://h/v1#x", "no ? or #"},
           {"https://h h", "blanks"},
           {"https://\xE4\xBD\xA0", "signs that no address has"},
           {"https://", "host is missing"},
           {"https://:80", "host is missing"},
           {"https://h:0", "port 0"},
           {"https://h:99999", "from 0 to 65535"},
           {"http://::1:80", "needs brackets"}}) {
    EXPECT_TRUE(contains(base_url(written), "2:12: local.a.base_url: ")) << base_url(written);
    EXPECT_TRUE(contains(base_url(written), part)) << written << " gives " << base_url(written);
  }
}

TEST(BaseUrl, AuthorityHasThePortOnlyWhenItIsNotTheOwnOne) {
  EXPECT_EQ((BaseUrl{true, "h", 443, "/v1"}.authority()), "h");
  EXPECT_EQ((BaseUrl{false, "h", 443, "/v1"}.authority()), "h:443");
  EXPECT_EQ((BaseUrl{false, "::1", 80, "/v1"}.authority()), "[::1]");
  EXPECT_EQ((BaseUrl{false, "::1", 8080, "/v1"}.authority()), "[::1]:8080");
}

}  // namespace
}  // namespace weir::config
