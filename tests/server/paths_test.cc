#include "paths.h"

#include <gtest/gtest.h>

namespace weir::server {
namespace {

TEST(NormalisedPath, TakesTheUsualSlips) {
  constexpr std::string_view kChat = "/v1/chat/completions";
  for (const char* target :
       {"/v1/chat/completions", "/chat/completions", "/v1/v1/chat/completions",
        "/v1/v1/v1/chat/completions", "/api/v1/chat/completions", "//v1///chat//completions",
        "/v1/chat/completions/", "/v1/chat/completions?a=b&c", "/v1/chat/completions#x",
        "http://host:8090/v1/chat/completions", "https://host/chat/completions?x"}) {
    EXPECT_EQ(normalised_path(target), kChat) << target;
  }
}

TEST(NormalisedPath, LeavesOthersAlone) {
  EXPECT_EQ(normalised_path("/"), "/");
  EXPECT_EQ(normalised_path("//"), "/");
  EXPECT_EQ(normalised_path("/health"), "/health");
  EXPECT_EQ(normalised_path("/api/v1"), "/api/v1");
  EXPECT_EQ(normalised_path("/v1/%63hat/completions"), "/v1/%63hat/completions");  // not decoded
  EXPECT_EQ(normalised_path("/a/../b"), "/a/../b");
  EXPECT_EQ(normalised_path("http://host"), "/");
  EXPECT_EQ(normalised_path("/x?u=http://h/v1"), "/x");
  EXPECT_EQ(normalised_path("*"), "*");
  EXPECT_EQ(normalised_path("?x"), "/");
}

TEST(IsSlip, OnlyWhatADocumentedPathIsNot) {
  EXPECT_FALSE(is_slip("/v1/models", "/v1/models"));
  EXPECT_FALSE(is_slip("/v1/models?x=1", "/v1/models"));
  EXPECT_FALSE(is_slip("/models", "/v1/models"));
  EXPECT_TRUE(is_slip("/v1/v1/models", "/v1/models"));
  EXPECT_TRUE(is_slip("/api/v1/models", "/v1/models"));
}

}  // namespace
}  // namespace weir::server
