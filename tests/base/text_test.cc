#include "weir/base/text.h"

#include <gtest/gtest.h>

namespace weir::base {
namespace {

TEST(TrimPasted, TakesOffWhatClingsToAKey) {
  EXPECT_EQ(trim_pasted("\xEF\xBB\xBF key\xC2\xA0\r\n"), "key");
  EXPECT_EQ(trim_pasted(" \t key \xC2\xA0 \n"), "key");
  EXPECT_EQ(trim_pasted("\xC2\xA0\r\n"), "");
  EXPECT_EQ(trim_pasted("a b"), "a b");
}

TEST(NearestOf, NamesTheKeyOfATypo) {
  const std::vector<std::string_view> keys{"threshold_tokens", "long_route", "short_route"};
  EXPECT_EQ(nearest_of("treshold_tokens", keys), "threshold_tokens");
  EXPECT_EQ(nearest_of("treshold", {"threshold", "listen"}), "threshold");
  EXPECT_EQ(nearest_of("longroute", keys), "long_route");
}

TEST(NearestOf, NeighboursThatChangedPlacesAreOneSlip) {
  const std::vector<std::string_view> words{"serve", "demo", "count", "route"};
  EXPECT_EQ(nearest_of("sevre", words), "serve");
  EXPECT_EQ(nearest_of("oscut", words), "");
  EXPECT_EQ(nearest_of("ab", {"ba"}), "ba");
}

TEST(NearestOf, SaysNothingWhenNothingIsNear) {
  EXPECT_EQ(nearest_of("colour", {"threshold_tokens"}), "");
}

TEST(FindInvalidUtf8, AcceptsEveryLength) {
  EXPECT_EQ(find_invalid_utf8("plain ascii that is longer than a word"), std::string_view::npos);
  EXPECT_EQ(find_invalid_utf8("\xC3\xA9 \xE5\xA5\xBD \xF0\x9F\xA6\x8A"), std::string_view::npos);
  EXPECT_EQ(find_invalid_utf8(""), std::string_view::npos);
}

TEST(FindInvalidUtf8, NamesTheFirstBadByte) {
  EXPECT_EQ(find_invalid_utf8("12345678ab\xFF"), 10U);
  EXPECT_EQ(find_invalid_utf8("\xC0\x80"), 0U);           // overlong
  EXPECT_EQ(find_invalid_utf8("a\xED\xA0\x80"), 1U);      // surrogate
  EXPECT_EQ(find_invalid_utf8("a\xF4\x90\x80\x80"), 1U);  // above U+10FFFF
  EXPECT_EQ(find_invalid_utf8("a\xE5\xA5"), 1U);          // cut
  EXPECT_EQ(find_invalid_utf8("\xE1\x80\x80\xEC\xBF\xBF\xE1\x80\xC0"), 6U);
  EXPECT_EQ(find_invalid_utf8("\xE5\x7F\x80"), 0U);
  EXPECT_EQ(find_invalid_utf8("\xE0\x9F\xBF"), 0U);  // overlong
}

TEST(AppendUtf8, WritesSurrogatesAsReplacement) {
  std::string out;
  append_utf8(out, 0x41);
  append_utf8(out, 0xE9);
  append_utf8(out, 0x597D);
  append_utf8(out, 0x1F98A);
  append_utf8(out, 0xD83D);
  EXPECT_EQ(out, "A\xC3\xA9\xE5\xA5\xBD\xF0\x9F\xA6\x8A\xEF\xBF\xBD");
}

TEST(Printable, KeepsAMessageOnOneLine) {
  EXPECT_EQ(printable("a\r\nX: b\x7F", 10), "a??X: b?");
  EXPECT_EQ(printable("abcdef", 3), "abc...");
}

}  // namespace
}  // namespace weir::base
