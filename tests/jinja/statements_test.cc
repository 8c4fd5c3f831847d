#include <gtest/gtest.h>

#include "rendered.h"

namespace weir::jinja {
namespace {

TEST(Statements, TextStaysAsItIs) {
  EXPECT_EQ(rendered("a\n {b} \n\n"), "a\n {b} \n");
}

TEST(Statements, BlocksTakeTheirLine) {
  EXPECT_EQ(rendered("ab\n  {% if true %}\ncd\n  {% endif %}\nef"), "ab\ncd\nef");
}

TEST(Statements, IfTakesTheFirstTrueBranch) {
  const auto source = "{% if x == 1 %}one{% elif x == 2 %}two{% else %}many{% endif %}";
  EXPECT_EQ(rendered(source, R"({"x": 1})"), "one");
  EXPECT_EQ(rendered(source, R"({"x": 2})"), "two");
  EXPECT_EQ(rendered(source, R"({"x": 3})"), "many");
}

TEST(Statements, ForGoesThroughAList) {
  EXPECT_EQ(rendered("{% for x in [1, 2] %}<{{ x }}>{% endfor %}"), "<1><2>");
}

TEST(Statements, ForGoesThroughTheKeysOfAnObject) {
  EXPECT_EQ(rendered("{% for k in o %}{{ k }},{% endfor %}", R"({"o": {"b": 1, "a": 2}})"), "b,a,");
}

TEST(Statements, ForWithTwoNamesGoesThroughPairs) {
  EXPECT_EQ(rendered("{% for k, v in o %}{{ k }}={{ v }};{% endfor %}", R"({"o": {"b": 1}})"),
            "b=1;");
  EXPECT_EQ(
      rendered("{% for k, v in o.items() %}{{ k }}={{ v }};{% endfor %}", R"({"o": {"b": 1}})"),
      "b=1;");
}

TEST(Statements, ForUnpacksAsManyAsThereAreOnly) {
  EXPECT_EQ(outcome("{% for a, b in [[1, 2, 3]] %}{% endfor %}"), "refused");
  EXPECT_EQ(outcome("{% for a, b in [1] %}{% endfor %}"), "refused");
}

TEST(Statements, ForWithAConditionNumbersTheChosenOnly) {
  EXPECT_EQ(rendered("{% for x in [1, 2, 3, 4] if x % 2 == 0 %}{{ loop.index }}:{{ x }} "
                     "{% endfor %}"),
            "1:2 2:4 ");
}

TEST(Statements, LoopTellsWhereItIs) {
  EXPECT_EQ(rendered("{% for x in 'a b c'.split() %}{{ loop.index }}{{ loop.index0 }}"
                     "{{ loop.revindex }}{{ loop.revindex0 }}{{ loop.length }}"
                     "{% if loop.first %}F{% endif %}{% if loop.last %}L{% endif %} {% endfor %}"),
            "10323F 21213 32103L ");
}

TEST(Statements, LoopKnowsItsNeighbours) {
  EXPECT_EQ(
      rendered("{% for x in [1, 2, 3] %}{{ loop.previtem }}|{{ loop.nextitem }} {% endfor %}"),
      "|2 1|3 2| ");
  EXPECT_EQ(rendered("{% for x in [1] %}{{ loop.nextitem is defined }}{% endfor %}"), "False");
}

TEST(Statements, ElseOfALoopRunsWithoutARound) {
  EXPECT_EQ(rendered("{% for x in [] %}x{% else %}none{% endfor %}"), "none");
  EXPECT_EQ(rendered("{% for x in missing %}x{% else %}none{% endfor %}"), "none");
}

// Python's Jinja prints nothing here.
TEST(Statements, ElseOfALoopRunsWhenEveryRoundContinues) {
  EXPECT_EQ(rendered("{% for x in [1] %}{% continue %}{% else %}none{% endfor %}"), "none");
}

TEST(Statements, ALoopOverANumberIsRefused) {
  EXPECT_EQ(outcome("{% for x in 3 %}{% endfor %}"), "refused");
}

TEST(Statements, BreakAndContinueGoToTheInnermostLoop) {
  EXPECT_EQ(rendered("{% for x in [1, 2, 3, 4] %}{% if x == 2 %}{% continue %}{% endif %}"
                     "{% if x == 4 %}{% break %}{% endif %}{{ x }}{% endfor %}."),
            "13.");
}

// So it is in llama.cpp: what an if has printed goes when it is left by a break.
TEST(Statements, ABreakTakesTheTextOfItsIfAlong) {
  EXPECT_EQ(rendered("{% for x in [1] %}a{% if true %}b{% break %}{% endif %}{% endfor %}"), "a");
}

TEST(Statements, ABreakOutsideOfALoopIsRefused) {
  EXPECT_EQ(outcome("{% break %}"), "refused");
}

TEST(Statements, SetSetsOneNameOrSeveral) {
  EXPECT_EQ(rendered("{% set x = 1 %}{% set a, b = [2, 3] %}{{ x }}{{ a }}{{ b }}"), "123");
}

TEST(Statements, SetWithABodyTakesItsText) {
  EXPECT_EQ(rendered("{% set x %}a{{ 1 }}{% endset %}[{{ x }}]"), "[a1]");
}

TEST(Statements, SetChangesAMemberOfANamespaceInsideOfALoop) {
  EXPECT_EQ(rendered("{% set ns = namespace(n=0) %}{% for x in [1, 2] %}{% set ns.n = ns.n + x %}"
                     "{% endfor %}{{ ns.n }}"),
            "3");
}

TEST(Statements, SetInsideOfALoopEndsWithIt) {
  EXPECT_EQ(rendered("{% set x = 1 %}{% for i in [1] %}{% set x = 2 %}{% endfor %}{{ x }}"), "1");
}

// Python's Jinja gives every round a scope of its own.
TEST(Statements, SetInsideOfALoopIsSeenByTheNextRound) {
  EXPECT_EQ(rendered("{% for i in [1, 2] %}[{{ x }}]{% set x = i %}{% endfor %}"), "[][1]");
}

TEST(Statements, SetInsideOfAnIfStays) {
  EXPECT_EQ(rendered("{% if true %}{% set x = 1 %}{% endif %}{{ x }}"), "1");
}

TEST(Statements, WhatCannotBeSetIsRefusedWhenReached) {
  EXPECT_EQ(outcome("{% set 1 = 2 %}"), "refused");
  EXPECT_EQ(outcome("{% set a['b'] = 2 %}", R"({"a": {}})"), "refused");
  EXPECT_EQ(outcome("{% set a.b = 2 %}", R"({"a": 1})"), "refused");
  EXPECT_EQ(rendered("{% if false %}{% set 1 = 2 %}{% endif %}"), "");
}

TEST(Statements, AFilterBlockFiltersItsText) {
  EXPECT_EQ(rendered("{% filter upper %}a{{ 'b' }}{% endfilter %}"), "AB");
  EXPECT_EQ(rendered("{% filter replace('a', 'x') %}aba{% endfilter %}"), "xbx");
}

TEST(Statements, GenerationTagsDoNothing) {
  EXPECT_EQ(rendered("xa{% generation %}b{% endgeneration %}c"), "xabc");
}

TEST(Statements, CommentsDoNothing) {
  EXPECT_EQ(rendered("ab{# {{ x }} #}\ncd"), "abcd");
}

TEST(Macros, AMacroReturnsItsText) {
  EXPECT_EQ(rendered("{% macro m(a, b='x') %}<{{ a }}{{ b }}>{% endmacro %}{{ m(1) }}{{ m(1, 2) }}"
                     "{{ m(b=3, a=4) }}"),
            "<1x><12><43>");
}

TEST(Macros, AMacroSeesTheVariablesOfItsCaller) {
  EXPECT_EQ(rendered("{% macro m() %}{{ x }}{% endmacro %}{% for x in [1, 2] %}{{ m() }}"
                     "{% endfor %}"),
            "12");
}

TEST(Macros, WhatAMacroSetsEndsWithIt) {
  EXPECT_EQ(rendered("{% macro m() %}{% set x = 2 %}{% endmacro %}{% set x = 1 %}{{ m() }}{{ x }}"),
            "1");
}

TEST(Macros, AMissingArgumentIsRefused) {
  EXPECT_EQ(outcome("{% macro m(a) %}{% endmacro %}{{ m() }}"), "refused");
}

// llama.cpp counts named arguments among those by place.
TEST(Macros, ANamedArgumentHidesTheDefaultsBeforeIt) {
  EXPECT_EQ(rendered("{% macro m(a, b=1, c=2) %}{{ a }}|{{ b }}|{{ c }}{% endmacro %}"
                     "{{ m(0, c=5) }}"),
            "0||2");
}

TEST(Macros, ADefaultSeesTheVariablesOfTheCaller) {
  EXPECT_EQ(rendered("{% set a = 1 %}{% macro m(a, b=a) %}{{ b }}{% endmacro %}{{ m(2) }}"), "1");
}

TEST(Macros, AMacroCanCallItself) {
  EXPECT_EQ(rendered("{% macro m(n) %}{{ n }}{% if n %}{{ m(n - 1) }}{% endif %}{% endmacro %}"
                     "{{ m(3) }}"),
            "3210");
}

TEST(Macros, ABreakInAMacroEndsTheLoopAroundTheCall) {
  EXPECT_EQ(rendered("{% macro m() %}{% break %}{% endmacro %}"
                     "{% for x in [1, 2] %}{{ x }}a{{ m() }}b{% endfor %}."),
            "1a.");
}

TEST(Macros, ACallBlockIsTheCallerOfTheMacro) {
  EXPECT_EQ(rendered("{% macro m(a) %}<{{ caller(a) }}>{% endmacro %}"
                     "{% call(x) m(7) %}[{{ x }}]{% endcall %}"),
            "<[7]>");
}

TEST(Macros, ACallBlockSeesTheVariablesOfItsPlace) {
  EXPECT_EQ(rendered("{% macro m() %}{% set y = 2 %}{{ caller() }}{% endmacro %}{% set y = 1 %}"
                     "{% call m() %}{{ y }}{% endcall %}"),
            "1");
}

}  // namespace
}  // namespace weir::jinja
