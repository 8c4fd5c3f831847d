#include "way.h"

#include <gtest/gtest.h>

namespace weir::proxy {
namespace {

constexpr std::string_view kOwn = "0123456789abcdef";

std::string way(std::string_view before) {
  const auto from_here = way_from_here(before, kOwn);
  return from_here ? *from_here : "loop";
}

TEST(Way, BeginsHereAndGoesOn) {
  EXPECT_EQ(way(""), kOwn);
  EXPECT_EQ(way("fedc"), "fedc, 0123456789abcdef");
  EXPECT_EQ(way("fedc,ab ,\tcd"), "fedc, ab, cd, 0123456789abcdef");
}

TEST(Way, ThroughHereTwiceIsALoop) {
  const auto loop = way_from_here("fedc, 0123456789abcdef,ab", kOwn);
  ASSERT_FALSE(loop);
  EXPECT_EQ(loop.error().code, base::ErrorCode::kLoop);
}

TEST(Way, ThroughTooManyIsALoop) {
  EXPECT_EQ(way("1,2,3,4,5,6,7"), "1, 2, 3, 4, 5, 6, 7, 0123456789abcdef");
  EXPECT_EQ(way("1,2,3,4,5,6,7,8"), "loop");
}

TEST(Way, WhatNoWeirWritesIsNoPartOfIt) {
  EXPECT_EQ(way(",, a client's own words, 0123456789abcdef0, AB"), kOwn);
}

}  // namespace
}  // namespace weir::proxy
