#include <gtest/gtest.h>

#include "loading.h"

namespace weir::config {
namespace {

TEST(Headers, AreKeptInOrder) {
  const auto loaded =
      parse(with_least("headers = { X-Title = \" weir \", HTTP-Referer = \"x\" }\n"));
  ASSERT_TRUE(loaded) << loaded.error().message;
  const auto& headers = loaded->config.upstreams[0].headers;
  ASSERT_EQ(headers.size(), 2U);
  EXPECT_EQ(headers[0].first, "X-Title");
  EXPECT_EQ(headers[0].second, "weir");
  EXPECT_EQ(headers[1].first, "HTTP-Referer");
}

TEST(Headers, WhatWeirSetsItselfIsRefused) {
  for (const std::string_view name :
       {"Host", "content-length", "AUTHORIZATION", "Connection", "Transfer-Encoding",
        "X-Weir-Route", "X-Forwarded-For", "Cookie", "Content-Type"}) {
    const std::string found =
        fault(with_least("headers = { " + std::string(name) + " = \"x\" }\n"));
    EXPECT_TRUE(contains(found, "3:13: local.a.headers." + std::string(name) + ": weir sets"))
        << found;
  }
}

TEST(Headers, NamesAndValuesCannotBreakTheRequest) {
  EXPECT_TRUE(
      contains(fault(with_least("headers = { \"a b\" = \"x\" }\n")), "no name of a header"));
  EXPECT_TRUE(contains(fault(with_least("headers = { \"\" = \"x\" }\n")), "no name of a header"));
  EXPECT_TRUE(
      contains(fault(with_least("headers = { \"a:\\r\\nb\" = \"x\" }\n")), "no name of a header"));
  EXPECT_TRUE(
      contains(fault(with_least("headers = { a = \"x\\r\\ny: z\" }\n")), "control character"));
  EXPECT_TRUE(contains(fault(with_least("headers = { a = \"x\", A = \"y\" }\n")), "there twice"));
  EXPECT_TRUE(contains(fault(with_least("headers = { a = 1 }\n")), "text in quotes is needed"));
  EXPECT_TRUE(contains(fault(with_least("headers = [\"a: b\"]\n")), "found a list"));
}

}  // namespace
}  // namespace weir::config
