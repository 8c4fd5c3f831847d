#include "weir/base/result.h"

#include <gtest/gtest.h>

namespace weir::base {
namespace {

TEST(Result, HoldsAValue) {
  const Result<int> result(7);
  ASSERT_TRUE(result.has_value());
  EXPECT_EQ(*result, 7);
}

TEST(Result, HoldsAnError) {
  const Result<std::string> result(Error{ErrorCode::kNotFound, "no such path"});
  ASSERT_FALSE(result);
  EXPECT_EQ(result.error().code, ErrorCode::kNotFound);
  EXPECT_EQ(result.error().message, "no such path");
}

TEST(Result, OfNothingIsGoodByDefault) {
  EXPECT_TRUE(Result<void>());
  EXPECT_FALSE(Result<void>(Error{ErrorCode::kInternal, "x"}));
}

}  // namespace
}  // namespace weir::base
