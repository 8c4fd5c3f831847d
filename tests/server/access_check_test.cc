#include "access_check.h"

#include <gtest/gtest.h>

namespace weir::server {
namespace {

using base::ErrorCode;

proxy::ClientRequest request_with(const std::vector<std::pair<const char*, const char*>>& fields) {
  proxy::ClientRequest request;
  for (const auto& [name, value] : fields) {
    request.headers.push_back({name, value, ""});
  }
  return request;
}

config::Server with_keys() {
  config::Server settings;
  settings.keys = {{"a", base::Secret("key-a")}, {"b", base::Secret("key-b")}};
  return settings;
}

TEST(CheckKey, AnyOfTheKeysInAnySpelling) {
  const config::Server settings = with_keys();
  for (const auto& request :
       {request_with({{"Authorization", "Bearer key-a"}}),
        request_with({{"authorization", "bearer   key-b"}}), request_with({{"x-API-key", "key-b"}}),
        request_with({{"Authorization", "Bearer wrong"}, {"X-Api-Key", "key-a"}})}) {
    EXPECT_TRUE(check_key(settings, request));
  }
}

TEST(CheckKey, TheKeyShownIsNamed) {
  const config::Server settings = with_keys();
  EXPECT_EQ(*check_key(settings, request_with({{"Authorization", "Bearer key-b"}})), "b");
  EXPECT_EQ(*check_key(settings, request_with({{"X-Api-Key", "key-a"}})), "a");
}

TEST(CheckKey, EverythingElseIsUnauthorized) {
  const config::Server settings = with_keys();
  for (const auto& request :
       {request_with({}), request_with({{"Authorization", "key-a"}}),
        request_with({{"Authorization", "Basic key-a"}}), request_with({{"X-Api-Key", ""}}),
        request_with({{"Authorization", "Bearer "}}), request_with({{"X-Api-Key", "key-aa"}}),
        request_with({{"Authorization", "Bearer key-a key-b"}})}) {
    const auto key = check_key(settings, request);
    ASSERT_FALSE(key);
    EXPECT_EQ(key.error().code, ErrorCode::kUnauthorized);
    EXPECT_EQ(key.error().message.find("key-a"), std::string::npos);
  }
}

TEST(CheckKey, WithoutKeysEverybodyMayAsk) {
  const config::Server settings;
  EXPECT_EQ(*check_key(settings, request_with({{"Authorization", "Bearer x"}})), "");
  EXPECT_EQ(*check_key(settings, request_with({})), "");
}

TEST(CheckOrigin, PagesOfThisMachineAndConfiguredOnes) {
  config::Server settings;
  settings.allow_origins = {"app://notes"};
  for (const char* origin : {"http://localhost:3000", "http://127.0.0.1", "http://[::1]:80",
                             "https://LOCALHOST", "app://notes"}) {
    EXPECT_FALSE(check_origin(settings, request_with({{"Origin", origin}}))) << origin;
  }
  for (const char* origin : {"https://evil.example", "null", "http://localhost.evil.example",
                             "http://127.0.0.1.evil.example", "app://notes2",
                             "http://evil.example#localhost", "http://localhost:80@evil.example"}) {
    const auto error = check_origin(settings, request_with({{"Origin", origin}}));
    ASSERT_TRUE(error) << origin;
    EXPECT_EQ(error->code, ErrorCode::kForbiddenOrigin);
  }
  settings.allow_origins = {"*"};
  EXPECT_FALSE(check_origin(settings, request_with({{"Origin", "https://any.example"}})));
}

TEST(CheckOrigin, ANameThatWasReboundToThisMachine) {
  config::Server settings;
  for (const char* host : {"localhost", "localhost:8090", "127.0.0.1:8090", "[::1]:8090", "[::1]",
                           "127.1.2.3", "localhost.", ""}) {
    EXPECT_FALSE(check_origin(settings, request_with({{"Host", host}}))) << host;
  }
  for (const char* host : {"evil.example", "evil.example:8090", "127.0.0.1.evil.example",
                           "localhost.evil.example:80"}) {
    EXPECT_TRUE(check_origin(settings, request_with({{"Host", host}}))) << host;
  }
  EXPECT_TRUE(check_origin(settings, request_with({{"Host", "[::1].evil.example"}})));
  settings.keys = {{"a", base::Secret("key")}};  // then the key is the guard
  EXPECT_FALSE(check_origin(settings, request_with({{"Host", "proxy.home"}})));
}

}  // namespace
}  // namespace weir::server
