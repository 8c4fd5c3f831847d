// Keeps the tables of docs/http-api.md true.

#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <map>
#include <string>

#include "front_limits.h"
#include "markdown.h"
#include "weir/base/result.h"
#include "weir/config/load.h"
#include "weir/http/body_decoder.h"
#include "weir/http/request_head.h"
#include "weir/openai/error_reply.h"

namespace weir::docs {
namespace {

using base::ErrorCode;

TEST(HttpApi, ErrorTableIsTheCodes) {
  std::map<std::string, std::string> in_code;  // code -> "status type"
  for (int i = 0; i <= static_cast<int>(ErrorCode::kInternal); ++i) {
    const auto reply = openai::error_reply({static_cast<ErrorCode>(i), "x"});
    const std::string type = "\"type\":\"";
    const auto at = reply.body.find(type) + type.size();
    in_code[std::string(reply.code)] =
        std::to_string(reply.status) + " " + reply.body.substr(at, reply.body.find('"', at) - at);
  }
  in_code.erase("client_gone");  // nobody receives it
  std::map<std::string, std::string> in_page;
  for (const auto& row : table_named(file_text("docs/http-api.md"), "code").rows) {
    in_page[list_of(row[0]).front()] = row[1] + " " + list_of(row[2]).front();
  }
  EXPECT_EQ(in_page, in_code);
}

template <class Duration>
std::string seconds(Duration duration) {
  const auto milliseconds = std::chrono::duration_cast<std::chrono::milliseconds>(duration).count();
  return milliseconds % 1000 == 0 ? std::to_string(milliseconds / 1000) + " s"
                                  : std::to_string(milliseconds) + " ms";
}

std::map<std::string, std::string> constants() {
  const auto bytes = [](std::size_t value) { return std::to_string(value) + " bytes"; };
  return {{"kHeadBytesMax", bytes(http::kHeadBytesMax)},
          {"kHeaderLineBytesMax", bytes(http::kHeaderLineBytesMax)},
          {"kTargetBytesMax", bytes(http::kTargetBytesMax)},
          {"kHeaderFieldsMax", std::to_string(http::kHeaderFieldsMax) + " fields"},
          {"kEmptyLinesMax", std::to_string(http::kEmptyLinesMax) + " lines"},
          {"kChunkLineBytesMax", bytes(http::kChunkLineBytesMax)},
          {"kTrailerFieldsMax", std::to_string(http::kTrailerFieldsMax) + " fields"},
          {"kTrailerBytesMax", bytes(http::kTrailerBytesMax)},
          {"kChunkMarkBytesMax", bytes(http::kChunkMarkBytesMax)},
          {"kPageBodyBytesMax", bytes(server::kPageBodyBytesMax)},
          {"kIdleConnectionMax", seconds(server::kIdleConnectionMax)}};
}

// A name is a constant, or a key of config.toml with its table.
TEST(HttpApi, LimitsAreThoseOfTheCode) {
  const auto known = constants();
  const auto keys = config::known_keys();
  for (const auto& row : table_named(file_text("docs/http-api.md"), "limit").rows) {
    const std::string name = list_of(row[1]).front();
    if (const auto constant = known.find(name); constant != known.end()) {
      EXPECT_EQ(row[2], constant->second) << name;
      continue;
    }
    const auto key = std::find_if(keys.begin(), keys.end(), [&](const config::KeyDoc& doc) {
      return (doc.table.empty() ? doc.key : doc.table + "." + doc.key) == name;
    });
    if (key == keys.end()) {
      ADD_FAILURE() << name << " is neither a constant nor a key";
      continue;
    }
    EXPECT_EQ(row[2].substr(0, row[2].find(' ')), key->default_text) << name;
  }
}

}  // namespace
}  // namespace weir::docs
