#include "weir/base/json_text.h"

#include <gtest/gtest.h>

namespace weir::base {
namespace {

std::string written(std::string_view text) {
  std::string out;
  append_json_string(out, text);
  return out;
}

TEST(AppendJsonString, EscapesWhatJsonForbids) {
  EXPECT_EQ(written("a\"b\\c\n\x01\x7F"), R"("a\"b\\c\n\u0001\u007f")");
  EXPECT_EQ(written(std::string_view("\0", 1)), R"("\u0000")");
}

TEST(AppendJsonString, KeepsLettersOfEveryScript) {
  EXPECT_EQ(written("\xE5\xA5\xBD\xF0\x9F\xA6\x8A"), "\"\xE5\xA5\xBD\xF0\x9F\xA6\x8A\"");
}

TEST(AppendJsonString, ReplacesInvalidBytes) {
  EXPECT_EQ(written("a\xFFz\xC3"), "\"a\xEF\xBF\xBDz\xEF\xBF\xBD\"");
}

}  // namespace
}  // namespace weir::base
