#include "weir/openai/model_list.h"

#include <gtest/gtest.h>

#include "weir/openai/server_props.h"

namespace weir::openai {
namespace {

TEST(ModelList, HasTheShapeThatClientsRead) {
  EXPECT_EQ(model_list({{"auto", "weir"}, {"a\"b", "local"}}, 17),
            R"({"object":"list","data":[)"
            R"({"id":"auto","object":"model","created":17,"owned_by":"weir"},)"
            R"({"id":"a\"b","object":"model","created":17,"owned_by":"local"}]})");
}

TEST(ModelList, MayBeEmpty) {
  EXPECT_EQ(model_list({}, 17), R"({"object":"list","data":[]})");
}

TEST(ModelList, IsReadBackByOurOwnReader) {
  EXPECT_EQ(parse_model_ids(model_list({{"a", "x"}, {"b", "y"}}, 1)),
            (std::vector<std::string>{"a", "b"}));
}

}  // namespace
}  // namespace weir::openai
