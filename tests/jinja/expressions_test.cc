#include <gtest/gtest.h>

#include "rendered.h"

namespace weir::jinja {
namespace {

// What {{ expression }} prints.
std::string value(std::string_view expression, std::string_view variables = "{}") {
  return outcome("{{ " + std::string(expression) + " }}", variables);
}

TEST(Printing, ScalarsPrintAsInPython) {
  EXPECT_EQ(value("1"), "1");
  EXPECT_EQ(value("1.50"), "1.5");
  EXPECT_EQ(value("2.0"), "2.0");
  EXPECT_EQ(value("true"), "True");
  EXPECT_EQ(value("False"), "False");
}

TEST(Printing, FloatsHaveSixDigits) {
  EXPECT_EQ(value("0.1234567"), "0.123457");
  EXPECT_EQ(value("0.0000001"), "0.0");
  EXPECT_EQ(value("x", R"({"x": 1e20})"), "100000000000000000000.0");
}

TEST(Printing, NothingIsPrintedOfNoneUndefinedObjectsAndFunctions) {
  EXPECT_EQ(value("none"), "");
  EXPECT_EQ(value("missing"), "");
  EXPECT_EQ(value("{'a': 1}"), "");
  EXPECT_EQ(value("range"), "");
}

TEST(Printing, AnArrayPrintsItsItemsOnly) {
  EXPECT_EQ(value("['a', [1, none], 2.5]"), "a12.5");
}

TEST(Printing, AnArrayAsTextLooksLikePython) {
  EXPECT_EQ(value("['a', 1, none, true, 1.0, {'k': [2]}] ~ ''"),
            "['a', 1, None, True, 1.0, {'k': [2]}]");
  EXPECT_EQ(value("[\"it's\"] ~ ''"), R"(["it's"])");
  EXPECT_EQ(value("(1,) ~ ''"), "no template");
  EXPECT_EQ(value("(1, 2) ~ ''"), "(1, 2)");
  EXPECT_EQ(value("[missing, missing.x] ~ ''"),
            "[Undefined (hint: 'missing'), Undefined (hint: 'object_property')]");
}

TEST(Arithmetic, IntegersStayIntegersButForDivision) {
  EXPECT_EQ(value("1 + 2 * 3"), "7");
  EXPECT_EQ(value("7 / 2"), "3.5");
  EXPECT_EQ(value("4 / 2"), "2.0");
  EXPECT_EQ(value("7 % 3"), "1");
  EXPECT_EQ(value("-7 % 3"), "-1");
  EXPECT_EQ(value("1 + 0.5"), "1.5");
}

TEST(Arithmetic, WhatIsTooLargeBecomesTheSmallestInteger) {
  EXPECT_EQ(value("9223372036854775807 + 1"), "-9223372036854775808");
  EXPECT_EQ(value("1 % 0"), "-9223372036854775808");
}

TEST(Arithmetic, ThereIsNoneWithBooleans) {
  EXPECT_EQ(value("true + 1"), "refused");
}

TEST(Arithmetic, SignsBindToNumbersFirst) {
  EXPECT_EQ(value("-1 | abs"), "1");
  EXPECT_EQ(value("-x", R"({"x": 3})"), "-3");
  EXPECT_EQ(value("- 'a'"), "refused");
}

TEST(Comparison, NumbersAndBooleansAreEqualByValue) {
  EXPECT_EQ(value("1 == 1.0"), "True");
  EXPECT_EQ(value("true == 1"), "True");
  EXPECT_EQ(value("1 == '1'"), "False");
  EXPECT_EQ(value("none == missing"), "False");
}

TEST(Comparison, ArraysAreEqualUnlessTheyHoldArrays) {
  EXPECT_EQ(value("[1, 'a'] == [1, 'a']"), "True");
  EXPECT_EQ(value("[1] == (1, 2)"), "False");
  EXPECT_EQ(value("[[1]] == [[1]]"), "False");
  EXPECT_EQ(value("{'a': 1} == {'a': 1}"), "True");
}

TEST(Comparison, OnlyNumbersHaveAnOrder) {
  EXPECT_EQ(value("1 < 2.5 and 2 >= 2"), "True");
  EXPECT_EQ(value("'a' < 'b'"), "refused");
}

TEST(Logic, AndAndOrGiveOneOfTheirSides) {
  EXPECT_EQ(value("'' or 'b'"), "b");
  EXPECT_EQ(value("'a' and 'b'"), "b");
  EXPECT_EQ(value("0 and missing.x.y()"), "0");
  EXPECT_EQ(value("not ''"), "True");
}

TEST(Logic, NotBindsLooserThanIn) {
  EXPECT_EQ(value("not 'a' in 'abc'"), "False");
}

TEST(Membership, InSearchesStringsListsAndKeys) {
  EXPECT_EQ(value("'b' in 'abc'"), "True");
  EXPECT_EQ(value("1 in [1, 2]"), "True");
  EXPECT_EQ(value("'a' in {'a': 1}"), "True");
  EXPECT_EQ(value("'a' not in missing"), "True");
  EXPECT_EQ(value("none in [none]"), "True");
  EXPECT_EQ(value("1 in 'abc'"), "refused");
}

TEST(Joining, StringsJoinWithAnything) {
  EXPECT_EQ(value("'a' ~ 1 ~ true ~ 2.0"), "a1True2.0");
  EXPECT_EQ(value("'a' + 1"), "a1");
  EXPECT_EQ(value("none + 'a' ~ missing"), "a");
  EXPECT_EQ(value("1 ~ 2"), "refused");
  EXPECT_EQ(value("none ~ none"), "refused");
}

TEST(Joining, ArraysJoinAndStringsRepeat) {
  EXPECT_EQ(value("([1] + [2, 3]) | length"), "3");
  EXPECT_EQ(value("'ab' * 3"), "ababab");
  EXPECT_EQ(value("-1 * 'ab'"), "");
}

TEST(Joining, WhatWasJoinedBeforeStaysAsItWas) {
  EXPECT_EQ(rendered("{% set a = 'x' ~ 'y' %}{% set b = a ~ '1' %}{% set c = a ~ '2' %}"
                     "{{ a }} {{ b }} {{ c }}"),
            "xy xy1 xy2");
}

TEST(Ternary, TheElseMayBeMissing) {
  EXPECT_EQ(value("'a' if true else 'b'"), "a");
  EXPECT_EQ(value("'a' if false else 'b' if false else 'c'"), "c");
  EXPECT_EQ(value("'a' if false"), "");
}

TEST(Literals, AdjacentStringsAreOne) {
  EXPECT_EQ(value("'a' \"b\" 'c'"), "abc");
}

TEST(Literals, CommasInListsMayBeMissing) {
  EXPECT_EQ(value("[1 2, 3,]"), "123");
}

TEST(Literals, KeysOfObjectsAreExpressions) {
  EXPECT_EQ(value("{'a' ~ 1: 2}['a1']"), "2");
  EXPECT_EQ(value("{1: 'x'}[1.0]"), "x");
  EXPECT_EQ(value("{[1]: 2}"), "refused");
}

TEST(Members, NamesIndexesAndKeys) {
  const auto variables = R"({"o": {"a": {"b": [10, 20]}}})";
  EXPECT_EQ(value("o.a.b[1]", variables), "20");
  EXPECT_EQ(value("o['a'].b[-1]", variables), "20");
  EXPECT_EQ(value("o.a.b.0", variables), "10");
  EXPECT_EQ(value("o.x.y.z", variables), "");
  EXPECT_EQ(value("o.a.b[9]", variables), "");
}

TEST(Members, AMethodHidesAMemberUnlessInBrackets) {
  const auto variables = R"({"o": {"items": 1}})";
  EXPECT_EQ(value("o.items is callable", variables), "True");
  EXPECT_EQ(value("o['items']", variables), "1");
}

TEST(Members, OfNumbersThereAreNone) {
  EXPECT_EQ(value("(1).x"), "");
  EXPECT_EQ(value("(1)[0]"), "refused");
  EXPECT_EQ(value("'abc'[none]"), "refused");
}

TEST(Members, StringsAreIndexedByBytesFromTheStart) {
  EXPECT_EQ(value("'abc'[1]"), "b");
  EXPECT_EQ(value("'abc'[-1] is undefined"), "True");
}

TEST(Slices, TakePartsAsInPython) {
  EXPECT_EQ(value("'abcdef'[1:4]"), "bcd");
  EXPECT_EQ(value("'abcdef'[:-2]"), "abcd");
  EXPECT_EQ(value("'abcdef'[-2:]"), "ef");
  EXPECT_EQ(value("'abcdef'[::2]"), "ace");
  EXPECT_EQ(value("'abcdef'[::-1]"), "fedcba");
  EXPECT_EQ(value("[1, 2, 3][1:]"), "23");
  EXPECT_EQ(value("[1, 2, 3][5:]"), "");
  EXPECT_EQ(value("[1, 2, 3][::0]"), "refused");
  EXPECT_EQ(value("{'a': 1}[1:]"), "refused");
}

TEST(Calls, OfWhatIsNoFunctionAreRefused) {
  EXPECT_EQ(value("missing()"), "refused");
  EXPECT_EQ(value("'a'.trim()"), "refused");
  EXPECT_EQ(value("range(*[3])"), "refused");
}

TEST(Functions, RangeCounts) {
  EXPECT_EQ(value("range(3)"), "012");
  EXPECT_EQ(value("range(1, 4)"), "123");
  EXPECT_EQ(value("range(5, 0, -2)"), "531");
  EXPECT_EQ(value("range(9223372036854775806, 9223372036854775807, 5)"), "9223372036854775806");
  EXPECT_EQ(value("range(1, 2, 0)"), "refused");
}

TEST(Functions, RaiseExceptionRefusesWithItsMessage) {
  EXPECT_EQ(rendered("ab\n{{ raise_exception('no\\nway') }}"),
            "refused: chat template 2:4: the template raised: no?way");
}

TEST(Functions, StrftimeNowWritesTheTimeGiven) {
  const auto parsed = Template::parse("{{ strftime_now('%Y-%m') }}");
  const auto then = std::chrono::system_clock::from_time_t(1700000000);
  EXPECT_EQ(parsed->render(Json::object(), {}, then).value(), "2023-11");
}

TEST(Tests, TellKindsApart) {
  EXPECT_EQ(value("'a' is string and 1 is integer and 1.5 is float and 1 is number"), "True");
  EXPECT_EQ(value("true is number"), "False");
  EXPECT_EQ(value("true is boolean and [] is sequence and {} is mapping"), "True");
  EXPECT_EQ(value("{} is iterable"), "True");
  EXPECT_EQ(value("missing is iterable"), "True");
  EXPECT_EQ(value("none is none and missing is undefined and none is defined"), "True");
}

TEST(Tests, CanBeNegatedAndHaveArguments) {
  EXPECT_EQ(value("1 is not string"), "True");
  EXPECT_EQ(value("6 is divisibleby(3)"), "True");
  EXPECT_EQ(value("6 is divisibleby(0)"), "refused");
  EXPECT_EQ(value("'a' is in(['a'])"), "True");
  EXPECT_EQ(value("2 is gt(1) and 1 is ne(2) and 'a' is eq('a')"), "True");
  EXPECT_EQ(value("3 is odd and 4 is even"), "True");
}

TEST(Tests, AnArgumentNeedsNoParentheses) {
  EXPECT_EQ(value("3 is eq 3"), "True");
  EXPECT_EQ(value("'A' is eq 'a'.upper()"), "True");
  EXPECT_EQ(value("2 is not in [1]"), "True");
  EXPECT_EQ(value("1 is defined and 2"), "2");
  EXPECT_EQ(value("'a' if 1 is defined else 'b'"), "a");
}

TEST(Tests, SameasComparesWhatThingsAre) {
  EXPECT_EQ(value("[1] is sameas([1])"), "False");
  EXPECT_EQ(value("x is sameas(x) and true is sameas(true)", R"({"x": [1]})"), "True");
  EXPECT_EQ(value("1 is sameas(1.0)"), "False");
}

TEST(Tests, AnUnknownOneIsRefusedWhenReached) {
  EXPECT_EQ(value("1 is strange"), "refused");
  EXPECT_EQ(value("false and 1 is strange"), "False");
}

}  // namespace
}  // namespace weir::jinja
