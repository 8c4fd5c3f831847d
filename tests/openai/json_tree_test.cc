#include "json_tree.h"

#include <gtest/gtest.h>

#include <string>

namespace weir::openai {
namespace {

std::string dumped(std::string_view text) {
  const auto tree = json_tree(text);
  return tree ? tree->dump() : "nothing";
}

TEST(JsonTree, KeepsTheOrderOfKeys) {
  EXPECT_EQ(dumped(R"( {"z":1,"a":[true,null,"x",{"b":-2.5}],"m":{}} )"),
            R"({"z":1,"a":[true,null,"x",{"b":-2.5}],"m":{}})");
}

TEST(JsonTree, ASingleValueIsATree) {
  EXPECT_EQ(dumped("5"), "5");
  EXPECT_EQ(dumped("\"x\""), "\"x\"");
}

TEST(JsonTree, TheLastOfEqualKeysCountsAtThePlaceOfTheFirst) {
  EXPECT_EQ(dumped(R"({"a":1,"b":2,"a":{"c":3,"c":4},"d":5,"a":6,"b":7})"),
            R"({"a":6,"b":7,"d":5})");
}

TEST(JsonTree, RefusesWhatTheServerRefuses) {
  EXPECT_EQ(dumped(R"(["\ud800"])"), "nothing");
  EXPECT_EQ(dumped("[1e400]"), "nothing");
  EXPECT_EQ(dumped("{} {}"), "nothing");
  EXPECT_EQ(dumped(""), "nothing");
}

TEST(JsonTree, ManyKeysAreNoTrouble) {
  std::string text = "{";
  for (int i = 0; i < 200000; ++i) {
    text += "\"k" + std::to_string(i % 150000) + "\":" + std::to_string(i) + ",";
  }
  text.back() = '}';
  const auto tree = json_tree(text);
  ASSERT_TRUE(tree.has_value());
  EXPECT_EQ(tree->size(), 150000U);
  EXPECT_EQ(tree->begin().value(), 150000);
}

}  // namespace
}  // namespace weir::openai
