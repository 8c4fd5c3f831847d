#include "text_difference.h"

#include <gtest/gtest.h>

#include <string>

namespace weir::openai {
namespace {

std::string shown(std::string_view left, std::string_view right) {
  const TextDifference difference = text_difference(left, right);
  return difference.left + "|" + difference.right;
}

TEST(TagPieces, AreTagsAndTheTextsBetween) {
  const auto pieces = tag_pieces("a<b>[/c] d<e");
  ASSERT_EQ(pieces.size(), 5U);
  EXPECT_EQ(pieces[0], (TagPiece{false, "a"}));
  EXPECT_EQ(pieces[1], (TagPiece{true, "<b>"}));
  EXPECT_EQ(pieces[2], (TagPiece{true, "[/c]"}));
  EXPECT_EQ(pieces[3], (TagPiece{false, " d"}));
  EXPECT_EQ(pieces[4], (TagPiece{false, "<e"}));
}

TEST(TagPieces, WhatCannotBeSeenCanBeLeftOut) {
  EXPECT_EQ(visible_tag_pieces(" \n<a>\n\n<b> ").size(), 2U);
}

TEST(TextDifference, EqualTextsHaveNone) {
  EXPECT_EQ(shown("<a>same</a>", "<a>same</a>"), "|");
  EXPECT_EQ(shown("", ""), "|");
}

TEST(TextDifference, AnAdditionInTheMiddle) {
  EXPECT_EQ(shown("<u>q</u><a>reply</a>", "<u>q</u><a><think>t</think>reply</a>"),
            "|<think>t</think>");
}

TEST(TextDifference, AnAdditionAtTheEnd) {
  EXPECT_EQ(shown("<u>q</u>\n<a>\n", "<u>q</u>\n<a>\n<think>\n"), "|<think>\n");
}

TEST(TextDifference, TextsInOnePieceAreComparedByLetters) {
  EXPECT_EQ(shown("<u>abcd</u>", "<u>abxd</u>"), "c|x");
}

TEST(TextDifference, AgainstNothing) {
  EXPECT_EQ(shown("", "<a>"), "|<a>");
  EXPECT_EQ(shown("<a>", ""), "<a>|");
}

}  // namespace
}  // namespace weir::openai
