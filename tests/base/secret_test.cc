#include "weir/base/secret.h"

#include <gtest/gtest.h>

namespace weir::base {
namespace {

TEST(Secret, ShowsOnlyThatItIsThere) {
  EXPECT_EQ(Secret("sk-1").redacted(), "***");
  EXPECT_EQ(Secret().redacted(), "");
}

TEST(Secret, EqualsOnlyTheWholeKey) {
  const Secret key("sk-123");
  EXPECT_TRUE(key.equals("sk-123"));
  EXPECT_FALSE(key.equals("sk-12"));
  EXPECT_FALSE(key.equals("sk-1234"));
  EXPECT_FALSE(key.equals("sk-124"));
  EXPECT_FALSE(key.equals(""));
}

TEST(Secret, AnEmptyKeyEqualsNothing) {
  EXPECT_FALSE(Secret().equals(""));
}

}  // namespace
}  // namespace weir::base
