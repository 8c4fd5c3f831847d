#include "weir/http/header_list.h"

#include <gtest/gtest.h>

namespace weir::http {
namespace {

TEST(ListNames, AnyItemInAnyLetterCase) {
  for (const char* list : {"close", "CLOSE", "a, close", "close,a", "a,\tClose ,b", ",,close,"}) {
    EXPECT_TRUE(list_names(list, "close")) << list;
  }
}

TEST(ListNames, WholeItemsOnly) {
  for (const char* list : {"", ",", "closed", "not close", "clo,se", "close;q=1"}) {
    EXPECT_FALSE(list_names(list, "close")) << list;
  }
}

}  // namespace
}  // namespace weir::http
