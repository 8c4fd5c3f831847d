#include <gtest/gtest.h>

#include "loading.h"

namespace weir::config {
namespace {

TEST(SourceText, Utf16WithAndWithoutMarkIsNamed) {
  using namespace std::string_view_literals;
  for (const std::string_view bytes : {"\xFF\xFE[\0l\0"sv, "[\0l\0o\0"sv}) {
    EXPECT_EQ(fault(bytes), "1:1: the file is UTF-16 (little endian); save it as UTF-8");
  }
  for (const std::string_view bytes : {"\xFE\xFF\0[\0l"sv, "\0[\0l\0o"sv}) {
    EXPECT_EQ(fault(bytes), "1:1: the file is UTF-16 (big endian); save it as UTF-8");
  }
  EXPECT_EQ(fault("\xFF\xFE\0\0[\0\0\0"sv), "1:1: the file is UTF-32; save it as UTF-8");
}

TEST(SourceText, InvalidUtf8HasLineAndColumn) {
  EXPECT_EQ(fault("# \xE4\xBD\xA0\xE5\xA5\xBD\n# \xE4\xBD\xA0 caf\xE9\n"),
            "2:8: a byte that is no UTF-8; save the file as UTF-8");
}

TEST(SourceText, ColumnsAreRightBehindAByteOrderMark) {
  EXPECT_TRUE(fault("\xEF\xBB\xBFx = 1\n" + std::string(kLeast)).starts_with("1:1: x: "));
}

TEST(SourceText, AByteOrderMarkInACommentIsHarmless) {
  EXPECT_TRUE(parse(with_least("# \xEF\xBB\xBF here\n")));
}

TEST(SourceText, ANulByteIsNoReasonToStopReading) {
  EXPECT_FALSE(parse(with_least(std::string("x = 1\n\0y = 2\n", 13))));
}

}  // namespace
}  // namespace weir::config
