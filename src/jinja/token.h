#pragma once

// The smallest pieces of a template.

#include <cstddef>
#include <string>

namespace weir::jinja {

enum class TokenKind {
  kEnd,
  kText,  // what stands between the tags
  kComment,
  kNumber,
  kString,
  kIdentifier,  // names and keywords alike
  kEquals,
  kOpenParen,
  kCloseParen,
  kOpenStatement,    // {% {%-
  kCloseStatement,   // %} -%}
  kOpenExpression,   // {{ {{-
  kCloseExpression,  // }} -}}
  kOpenBracket,
  kCloseBracket,
  kOpenBrace,
  kCloseBrace,
  kComma,
  kDot,
  kColon,
  kPipe,
  kAdditive,        // + - ~
  kMultiplicative,  // * / %
  kComparison,      // < > <= >= == !=
  kSign,            // + - where no operand stands to the left
};

struct Token {
  TokenKind kind = TokenKind::kEnd;
  std::string text;        // of a string: without quotes and escapes
  std::size_t offset = 0;  // in the normalized source
};

}  // namespace weir::jinja
