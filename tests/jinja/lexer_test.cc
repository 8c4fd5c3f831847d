#include "lexer.h"

#include <gtest/gtest.h>

#include <string>
#include <string_view>
#include <vector>

#include "failure.h"

namespace weir::jinja {
namespace {

// The texts of a template's tokens, with "|" between them.
std::string texts(std::string_view source) {
  std::string all;
  for (const Token& token : tokenize(normalized_lines(source))) {
    all += (all.empty() ? "" : "|") + token.text;
  }
  return all;
}

std::string failure_of(std::string_view source) {
  try {
    tokenize(normalized_lines(source));
    return "none";
  } catch (const SyntaxFailure& failure) {
    return std::to_string(failure.offset) + " " + failure.what();
  }
}

TEST(Lexer, TextAloneIsOneToken) {
  EXPECT_EQ(texts("a { b } c"), "a { b } c");
}

TEST(Lexer, AnEmptySourceHasNoTokens) {
  EXPECT_EQ(tokenize("").size(), 0u);
}

TEST(Lexer, OneLineEndAtTheVeryEndGoes) {
  EXPECT_EQ(texts("ab\n\n"), "ab\n");
}

TEST(Lexer, LineEndsBecomeLf) {
  EXPECT_EQ(normalized_lines("a\r\nb\rc\r\n"), "a\nb\nc");
}

TEST(Lexer, TheLineEndAfterAStatementGoes) {
  EXPECT_EQ(texts("{% x %}\n\nab"), "{%|x|%}|\nab");
}

TEST(Lexer, TheLineEndAfterAnExpressionStays) {
  EXPECT_EQ(texts("{{ x }}\nab"), "{{|x|}}|\nab");
}

TEST(Lexer, TheIndentationOfAStatementGoes) {
  EXPECT_EQ(texts("ab\n  {% x %}"), "ab\n|{%|x|%}");
}

TEST(Lexer, TheIndentationOfAnExpressionStays) {
  EXPECT_EQ(texts("ab\n  {{ x }}"), "ab\n  |{{|x|}}");
}

TEST(Lexer, BlanksBetweenTwoStatementsOfALineStay) {
  EXPECT_EQ(texts("{% x %}  {% y %}"), "{%|x|%}|  |{%|y|%}");
}

TEST(Lexer, AFirstCharacterBeforeAStatementGoes) {
  EXPECT_EQ(texts("a {% x %}"), "{%|x|%}");
}

TEST(Lexer, AMinusTakesAllBlanksOnItsSide) {
  EXPECT_EQ(texts("ab \n\t{{- x -}} \n\n cd"), "ab|{{-|x|-}}|cd");
}

TEST(Lexer, ACommentIsOneToken) {
  const auto tokens = tokenize("ab{# {{ x }} #}cd");
  ASSERT_EQ(tokens.size(), 3u);
  EXPECT_EQ(tokens[1].kind, TokenKind::kComment);
}

TEST(Lexer, SymbolsAreCutLongestFirst) {
  EXPECT_EQ(texts("{{ a<=b!=c[1]|d~e }}"), "{{|a|<=|b|!=|c|[|1|]|||d|~|e|}}");
}

TEST(Lexer, BracesInsideAnObjectEndNoTag) {
  EXPECT_EQ(texts("{{ {'a':{'b':1}} }}"), "{{|{|a|:|{|b|:|1|}|}|}}");
}

TEST(Lexer, ASignBeforeANumberBelongsToIt) {
  EXPECT_EQ(texts("{{ (-1) - +2.5 }}"), "{{|(|-1|)|-|+2.5|}}");
}

TEST(Lexer, AMinusAfterAnOperandIsAnOperator) {
  const auto tokens = tokenize("{{ a -1 }}");
  ASSERT_EQ(tokens.size(), 5u);
  EXPECT_EQ(tokens[2].kind, TokenKind::kAdditive);
}

TEST(Lexer, ADotBeforeALetterEndsANumber) {
  EXPECT_EQ(texts("{{ a.0.b }}"), "{{|a|.|0|.|b|}}");
}

TEST(Lexer, EscapesOfStringsAreResolved) {
  EXPECT_EQ(texts(R"({{ 'a\n\'\\' }})"), "{{|a\n'\\|}}");
}

TEST(Lexer, AnUnknownEscapeIsRefused) {
  EXPECT_EQ(failure_of(R"({{ '\d' }})"), "5 an unknown escape in a string");
}

TEST(Lexer, AnOpenStringIsRefusedAtItsStart) {
  EXPECT_EQ(failure_of("ab{{ 'cd"), "5 a string is not closed");
}

TEST(Lexer, AnOpenCommentIsRefusedAtItsStart) {
  EXPECT_EQ(failure_of("ab{# cd"), "2 a comment is not closed");
}

TEST(Lexer, AStrangeCharacterIsRefused) {
  EXPECT_EQ(failure_of("{{ a ? b }}"), "5 a character that means nothing here");
}

}  // namespace
}  // namespace weir::jinja
