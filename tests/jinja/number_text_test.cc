// How numbers with a fraction are written: by llama.cpp 0.7.0, asked with these very templates.

#include <gtest/gtest.h>

#include "rendered.h"

namespace weir::jinja {
namespace {

std::string printed(const std::string& number) {
  return rendered("{{ x }}|{{ x | tojson }}|{{ x | string }}", "{\"x\":" + number + "}");
}

TEST(NumberText, FiltersWriteTheShortestDigitsThatAreTheNumber) {
  EXPECT_EQ(printed("40.0"), "40.0|40.0|40.0");
  EXPECT_EQ(printed("-0.0"), "-0.0|-0.0|-0.0");
  EXPECT_EQ(printed("123456789.125"), "123456789.125|123456789.125|123456789.125");
  EXPECT_EQ(printed("0.3333333333333333"), "0.333333|0.3333333333333333|0.3333333333333333");
}

TEST(NumberText, FiltersWriteAnExponentFarFromOne) {
  EXPECT_EQ(printed("1e15"), "1000000000000000.0|1000000000000000.0|1000000000000000.0");
  EXPECT_EQ(printed("1e16"), "10000000000000000.0|1e+16|1e+16");
  EXPECT_EQ(printed("123456789012345680.0"),
            "123456789012345680.0|1.2345678901234568e+17|1.2345678901234568e+17");
  EXPECT_EQ(printed("0.0001"), "0.0001|0.0001|0.0001");
  EXPECT_EQ(printed("0.00001"), "0.00001|1e-05|1e-05");
  EXPECT_EQ(printed("5e-324"), "0.0|5e-324|5e-324");
}

TEST(Slices, AnEmptySequenceBackwardsIsEmpty) {
  EXPECT_EQ(rendered("{{ [][::-1] | length }}{{ ''[::-1] }}."), "0.");
}

}  // namespace
}  // namespace weir::jinja
