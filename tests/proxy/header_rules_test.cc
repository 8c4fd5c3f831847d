#include "header_rules.h"

#include <gtest/gtest.h>

namespace weir::proxy {
namespace {

// The lines of `lines` that pass; each stands for itself.
std::string passing(const std::vector<std::string>& lines) {
  std::vector<HeaderField> fields;
  for (const std::string& line : lines) {
    const std::string_view whole = line;
    const auto colon = whole.find(':');
    std::string_view value = whole.substr(colon + 1);
    value.remove_prefix(std::min(value.size(), value.find_first_not_of(' ')));
    fields.push_back({whole.substr(0, colon), value, whole});
  }
  return lines_for_upstream(fields);
}

TEST(LinesForUpstream, KeepOthersAsTheyCame) {
  EXPECT_EQ(passing({"Accept: */*", "x-dup:1", "X-Dup:  2 ", "X-Empty:", "x-p: %0d%0a"}),
            "Accept: */*\r\nx-dup:1\r\nX-Dup:  2 \r\nX-Empty:\r\nx-p: %0d%0a\r\n");
  EXPECT_EQ(passing({}), "");
}

TEST(LinesForUpstream, DropWhatIsForThisHopOrSetByWeir) {
  EXPECT_EQ(
      passing({"Connection: close", "Keep-Alive: 1", "Proxy-Connection: x", "TE: trailers",
               "Trailer: x", "Upgrade: h2c", "Transfer-Encoding: chunked", "HTTP2-Settings: x",
               "Host: h", "Content-Length: 1", "content-type: text/plain", "EXPECT: 100-continue",
               "Accept-Encoding: gzip", "Content-Encoding: identity", "weir-way: ab"}),
      "");
}

TEST(LinesForUpstream, DropEveryKeyAndCookie) {
  EXPECT_EQ(passing({"Authorization: Bearer k", "AUTHORIZATION: k", "Proxy-Authorization: k",
                     "x-api-key: k", "Api-Key: k", "X-Goog-Api-Key: k", "Cookie: k", "Cookie2: k"}),
            "");
}

TEST(LinesForUpstream, DropWhatTheConfigurationSays) {
  const std::vector<HeaderField> fields{{"user-agent", "curl", "user-agent: curl"},
                                        {"X-A", "1", "X-A: 1"}};
  EXPECT_EQ(lines_for_upstream(fields, {{"User-Agent", "weir"}}), "X-A: 1\r\n");
}

TEST(LinesForUpstream, DropWhatTellsOfTheWayHere) {
  EXPECT_EQ(
      passing({"Forwarded: x", "X-Forwarded-For: x", "x-forwarded-anything: x", "X-Real-IP: x",
               "Via: x", "CF-Ray: x", "cf-visitor: x", "True-Client-IP: x", "Origin: x",
               "Referer: x", "X-Conversation-Id: x", "X-Weir-Route: x", "x-weir-anything: x"}),
      "");
  EXPECT_EQ(passing({"CFG: kept", "X-Forwarded: kept"}), "CFG: kept\r\nX-Forwarded: kept\r\n");
}

TEST(LinesForUpstream, DropWhatConnectionNames) {
  EXPECT_EQ(passing({"Connection: keep-alive, X-Hop", "X-Hop: 1", "X-Kept: 1", "x-other: 1",
                     "connection:x-OTHER"}),
            "X-Kept: 1\r\n");
}

TEST(PassesToClient, EverythingButTheHopAndOurOwn) {
  for (const char* name : {"Content-Type", "Set-Cookie", "Retry-After", "x-ratelimit-limit", "Date",
                           "Content-Encoding", "Access-Control-Allow-Origin", "Server"}) {
    EXPECT_TRUE(passes_to_client(name, "")) << name;
  }
  for (const char* name : {"Connection", "keep-alive", "Transfer-Encoding", "Trailer", "Upgrade",
                           "Content-Length", "X-Weir-Route", "x-weir-error"}) {
    EXPECT_FALSE(passes_to_client(name, "")) << name;
  }
  EXPECT_FALSE(passes_to_client("X-Hop", "close, x-hop"));
  EXPECT_TRUE(passes_to_client("X-Hop", "close, x-hop2"));
}

}  // namespace
}  // namespace weir::proxy
