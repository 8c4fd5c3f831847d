#include "json_writer.h"

#include <gtest/gtest.h>

namespace weir::openai {
namespace {

std::string written(std::string_view json, Fractions form = Fractions::kExact) {
  std::string out;
  append_tojson(out, *read_json(json, "It"), form);
  return out;
}

TEST(AppendTojson, SeparatesWithSpaces) {
  EXPECT_EQ(written("{\"a\":[1,2 ,\n3],\"b\" : {}, \"c\":[ ]}"),
            R"({"a": [1, 2, 3], "b": {}, "c": []})");
}

TEST(AppendTojson, EscapesOnlyWhatMustBe) {
  EXPECT_EQ(written(R"("\u00e9 \/ \u0001 \u007f \" \\ \n\t \u2028 \ud83e\udd8a")"),
            "\"é / \\u0001 \x7F \\\" \\\\ \\n\\t \u2028 🦊\"");
}

TEST(AppendTojson, KeepsWords) {
  EXPECT_EQ(written("[true,false,null]"), "[true, false, null]");
}

TEST(AppendTojson, WritesIntegersAsTheServerDoes) {
  EXPECT_EQ(written("[-0,9223372036854775807,18446744073709551615]"),
            "[0, 9223372036854775807, -1]");
}

// Recorded from a llama-server of September 2026.
TEST(AppendTojson, WritesFractionsAsPythonDoes) {
  EXPECT_EQ(written("[1e2,1.0,0.1,1e20,1e15,1e16,123456789.5,18446744073709551616,1e-4,0.00001,"
                    "0.30000000000000004,5e-324,-0.0,12345678901234567890.0]"),
            "[100.0, 1.0, 0.1, 1e+20, 1000000000000000.0, 1e+16, 123456789.5, "
            "1.8446744073709552e+19, 0.0001, 1e-05, 0.30000000000000004, 5e-324, -0.0, "
            "1.2345678901234567e+19]");
}

TEST(AppendTojson, WritesFractionsInSixDigitsForOlderServers) {
  EXPECT_EQ(written("[40.0,0.1,1e20,123456789.5,0.00001]", Fractions::kShort),
            "[40, 0.1, 1e+20, 1.23457e+08, 1e-05]");
}

TEST(AppendTojson, KnowsWhereTheFormMatters) {
  std::string out;
  EXPECT_TRUE(append_tojson(out, JsonView("[0.5,1,\"1.0\",1e20]"), Fractions::kUnknown));
  EXPECT_FALSE(append_tojson(out, JsonView("[1.0,0.5]"), Fractions::kUnknown));
}

TEST(AppendTojson, KeepsANumberThatIsTooLarge) {
  EXPECT_EQ(written("[1e400]"), "[1e400]");
}

}  // namespace
}  // namespace weir::openai
