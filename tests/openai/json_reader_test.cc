#include "json_reader.h"

#include <gtest/gtest.h>

#include <string>

namespace weir::openai {
namespace {

bool accepts(std::string_view text) {
  return read_json(text, "It").has_value();
}

std::string fault(std::string_view text) {
  const auto read = read_json(text, "It");
  return read ? "" : read.error().message;
}

std::string decoded(std::string_view text) {
  std::string storage;
  return std::string(read_json(text, "It")->text(storage));
}

TEST(ReadJson, AcceptsEveryKindOfValue) {
  for (const char* text : {"null", "true", "false", "0", "-0", "1.5", "1e400", "-2E-3", "\"\"",
                           "[]", "{}", " [ 1 , {\"a\" : [ ] } ]\r\n\t"}) {
    EXPECT_TRUE(accepts(text)) << text;
  }
}

TEST(ReadJson, RefusesWhatIsNoJson) {
  for (const char* text :
       {"",         " ",         "{",         "}",        "[",           "]",
        "[1,]",     "[,1]",      "{\"a\"}",   "{\"a\":}", "{\"a\":1,}",  "{a:1}",
        "{'a':1}",  "01",        "1.",        ".5",       "+1",          "1e",
        "1e+",      "-",         "tru",       "truex",    "nul",         "NaN",
        "Infinity", "\"",        "\"\\\"",    "\"\\x\"",  "\"\\u12g4\"", "\"\\u123\"",
        "\"a\nb\"", "[1 2]",     "{\"a\" 1}", "[1]]",     "{}{}",        "1 2",
        "[1}",      "{\"a\":1]", "//c\n1",    "{1:2}"}) {
    EXPECT_FALSE(accepts(text)) << text;
  }
}

TEST(ReadJson, RefusesANulByteInTheText) {
  EXPECT_FALSE(accepts(std::string_view("[1\0]", 4)));
  EXPECT_FALSE(accepts(std::string_view("\"\\\0\"", 4)));
  EXPECT_FALSE(accepts(std::string_view("1\0", 2)));
}

TEST(ReadJson, NamesTheByteOfTheFault) {
  EXPECT_EQ(fault("{\"a\":1,}"),
            "It is not valid JSON: at byte 7: a key in double quotes was expected.");
}

TEST(ReadJson, NamesTheByteOfInvalidUtf8) {
  EXPECT_EQ(fault("{\"a\":\"\xFF\"}"),
            "It is not valid JSON: at byte 6: a byte that is no valid UTF-8.");
}

TEST(ReadJson, SaysThatAnEmptyBodyIsEmpty) {
  EXPECT_EQ(fault(""), "It is not valid JSON: at byte 0: it is empty.");
}

TEST(ReadJson, TakesAByteOrderMarkAtTheStart) {
  EXPECT_TRUE(accepts("\xEF\xBB\xBF{}"));
  EXPECT_FALSE(accepts("{}\xEF\xBB\xBF"));
  EXPECT_NE(fault("\xEF\xBB\xBF{").find("at byte 4:"), std::string::npos);
}

TEST(ReadJson, TakesTheDeepestNestingAllowed) {
  const std::string open(kJsonDepthMax, '[');
  const std::string close(kJsonDepthMax, ']');
  EXPECT_TRUE(accepts(open + close));
  EXPECT_FALSE(accepts("[" + open + close + "]"));
}

TEST(ReadJson, RefusesOneHundredThousandLevels) {
  const std::string open(100000, '[');
  EXPECT_NE(fault(open).find("more than 256 levels"), std::string::npos);
}

TEST(ReadJson, TakesTwoMillionSiblings) {
  std::string text = "[";
  for (int i = 0; i < 2000000; ++i) {
    text += "0,";
  }
  EXPECT_TRUE(accepts(text + "0]"));
}

TEST(JsonView, DecodesEveryEscape) {
  EXPECT_EQ(decoded(R"("\"\\\/\b\f\n\r\t\u0041\u00e9\u20ac\ud83e\udd8a")"),
            "\"\\/\b\f\n\r\tA\u00e9\u20ac\U0001F98A");
}

TEST(JsonView, DecodesNulAsAByte) {
  EXPECT_EQ(decoded(R"("a\u0000b")"), std::string("a\0b", 3));
}

TEST(JsonView, DecodesHalfAPairAsReplacement) {
  EXPECT_EQ(decoded(R"("cut \ud83d")"), "cut \uFFFD");
  EXPECT_EQ(decoded(R"("\udc00x")"), "\uFFFDx");
  EXPECT_EQ(decoded(R"("\ud83d\u0041")"), "\uFFFDA");
  EXPECT_EQ(decoded(R"("\ud83d\ud83e\udd8a")"), "\uFFFD\U0001F98A");
  EXPECT_EQ(decoded(R"("\ud83d\n")"), "\uFFFD\n");
}

TEST(JsonView, DoesNotCopyAStringWithoutEscapes) {
  const std::string text = "\"a long string without escapes, with \xC3\xA9\"";
  std::string storage;
  const std::string_view found = read_json(text, "It")->text(storage);
  EXPECT_EQ(found.data(), text.data() + 1);
  EXPECT_TRUE(storage.empty());
}

TEST(JsonView, ComparesDecodedText) {
  EXPECT_TRUE(read_json(R"("mod\u0065l")", "It")->equals("model"));
  EXPECT_FALSE(read_json(R"("mod\u0065")", "It")->equals("model"));
  EXPECT_FALSE(read_json("[\"model\"]", "It")->equals("model"));
}

TEST(JsonView, LastOfEqualMembersCounts) {
  EXPECT_EQ(read_json(R"({"a":1,"b":2,"\u0061":3})", "It")->member("a").raw(), "3");
}

TEST(JsonView, AbsentMemberIsAbsent) {
  EXPECT_TRUE(read_json("{\"a\":1}", "It")->member("b").is_absent());
  EXPECT_TRUE(read_json("[1]", "It")->member("a").is_absent());
  EXPECT_TRUE(JsonView().member("a").is_absent());
}

TEST(JsonView, NumberThatIsTooLargeIsNoNumber) {
  EXPECT_EQ(read_json("12.5", "It")->number(), 12.5);
  EXPECT_FALSE(read_json("1e400", "It")->number().has_value());
  EXPECT_FALSE(read_json("\"1\"", "It")->number().has_value());
}

TEST(ElementCursor, StepsOverEveryKindOfElement) {
  const std::string text = R"([ 1 ,"a,]" , [[2],3],{"b":[4]},null , true])";
  std::string seen;
  const auto whole = read_json(text, "It");
  for (ElementCursor at(*whole); at.next();) {
    seen += std::string(at.value().raw()) + "|";
  }
  EXPECT_EQ(seen, R"(1|"a,]"|[[2],3]|{"b":[4]}|null|true|)");
}

TEST(MemberCursor, StepsOverMembersWithTrickyStrings) {
  const std::string text = "{\"a\\\"\" : \"}\\\\\" ,\n\"\" : {\"x\":\"]\"}, \"c\":-1.5e3 }";
  std::string seen;
  const auto whole = read_json(text, "It");
  for (MemberCursor at(*whole); at.next();) {
    seen += std::string(at.key().raw()) + "=" + std::string(at.value().raw()) + "|";
  }
  EXPECT_EQ(seen, "\"a\\\"\"=\"}\\\\\"|\"\"={\"x\":\"]\"}|\"c\"=-1.5e3|");
}

// Strings of every length with every short pattern of backslashes, at every place in a block.
TEST(MemberCursor, FindsTheEndOfEveryString) {
  for (unsigned pattern = 0; pattern < 4096; ++pattern) {
    std::string string = "\"" + std::string(pattern % 37, 'a');
    for (unsigned bits = pattern, i = 0; i < 12; ++i, bits >>= 1) {
      string += (bits & 1) != 0 ? "\\\\" : (i % 3 == 0 ? "\\\"" : "b");
    }
    string += "\"";
    const std::string text = "{" + string + ":" + string + ",\"c\":[" + string + "]}";
    const auto whole = read_json(text, "It");
    ASSERT_TRUE(whole.has_value()) << text;
    MemberCursor at(*whole);
    ASSERT_TRUE(at.next());
    ASSERT_EQ(at.key().raw(), string);
    ASSERT_EQ(at.value().raw(), string);
    ASSERT_TRUE(at.next());
    ASSERT_EQ(at.value().raw(), "[" + string + "]");
  }
}

TEST(JsonView, KnowsAnEmptyContainer) {
  EXPECT_TRUE(JsonView("{ \n}").is_empty_container());
  EXPECT_TRUE(JsonView("[]").is_empty_container());
  EXPECT_FALSE(JsonView("[0]").is_empty_container());
}

}  // namespace
}  // namespace weir::openai
