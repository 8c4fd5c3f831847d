#include <charconv>

#include "parser.h"

namespace weir::jinja {
namespace {

Operator additive(const std::string& text) {
  if (text == "~") {
    return Operator::kConcat;
  }
  return text == "+" ? Operator::kAdd : Operator::kSubtract;
}

Operator multiplicative(const std::string& text) {
  if (text == "*") {
    return Operator::kMultiply;
  }
  return text == "/" ? Operator::kDivide : Operator::kModulo;
}

Operator comparing(const std::string& text) {
  if (text == "==") {
    return Operator::kEqual;
  }
  if (text == "!=") {
    return Operator::kNotEqual;
  }
  if (text.size() == 1) {
    return text == "<" ? Operator::kLess : Operator::kGreater;
  }
  return text == "<=" ? Operator::kLessOrEqual : Operator::kGreaterOrEqual;
}

}  // namespace

ExpressionPtr Parser::sequence(bool of_primaries) {
  const std::size_t offset = peek().offset;
  Expressions items;
  items.push_back(of_primaries ? primary() : expression());
  if (!is(TokenKind::kComma)) {
    return std::move(items.front());
  }
  while (skip(TokenKind::kComma)) {
    items.push_back(of_primaries ? primary() : expression());
  }
  return make<ListLiteral>(offset, Kind::kTuple, std::move(items));
}

ExpressionPtr Parser::expression() {
  const Level level(*this);
  ExpressionPtr value = logical_or();
  const std::size_t offset = peek().offset;
  if (!is_word("if")) {
    return value;
  }
  ++current_;
  ExpressionPtr condition = logical_or();
  if (!is_word("else")) {
    return make<Selection>(offset, std::move(value), std::move(condition));
  }
  ++current_;
  ExpressionPtr otherwise = expression();
  return make<Ternary>(offset, std::move(condition), std::move(value), std::move(otherwise));
}

ExpressionPtr Parser::logical_or() {
  ExpressionPtr left = logical_and();
  while (is_word("or")) {
    const std::size_t offset = next().offset;
    left = make<Binary>(offset, Operator::kOr, std::move(left), logical_and());
  }
  return left;
}

ExpressionPtr Parser::logical_and() {
  ExpressionPtr left = logical_not();
  while (is_word("and")) {
    const std::size_t offset = next().offset;
    left = make<Binary>(offset, Operator::kAnd, std::move(left), logical_not());
  }
  return left;
}

ExpressionPtr Parser::logical_not() {
  if (!is_word("not")) {
    return comparison();
  }
  const Level level(*this);
  const std::size_t offset = next().offset;
  return make<Unary>(offset, Unary::Sign::kNot, logical_not());
}

// Whether one of the operators of a comparison follows; then it is taken.
bool Parser::comparison_operator(Operator& operation) {
  if (is_word("not") && is_word("in", 1)) {
    current_ += 2;
    operation = Operator::kNotIn;
  } else if (is_word("in")) {
    ++current_;
    operation = Operator::kIn;
  } else if (is(TokenKind::kComparison)) {
    operation = comparing(next().text);
  } else {
    return false;
  }
  return true;
}

ExpressionPtr Parser::comparison() {
  ExpressionPtr left = sum();
  std::size_t offset = peek().offset;
  for (Operator operation{}; comparison_operator(operation); offset = peek().offset) {
    left = make<Binary>(offset, operation, std::move(left), sum());
  }
  return left;
}

ExpressionPtr Parser::sum() {
  ExpressionPtr left = product();
  while (is(TokenKind::kAdditive)) {
    const Token& token = next();
    left = make<Binary>(token.offset, additive(token.text), std::move(left), product());
  }
  return left;
}

ExpressionPtr Parser::product() {
  ExpressionPtr left = test();
  while (is(TokenKind::kMultiplicative)) {
    const Token& token = next();
    left = make<Binary>(token.offset, multiplicative(token.text), std::move(left), test());
  }
  return left;
}

// Behind the name of a test: x is eq 3. As in Python, a word is an argument, too, but for three.
bool Parser::begins_argument() const {
  switch (peek().kind) {
    case TokenKind::kIdentifier:
      return !is_word("else") && !is_word("or") && !is_word("and");
    case TokenKind::kNumber:
    case TokenKind::kString:
    case TokenKind::kOpenBracket:
    case TokenKind::kOpenBrace:
      return true;
    default:
      return false;
  }
}

ExpressionPtr Parser::test() {
  ExpressionPtr operand = filter();
  while (is_word("is")) {
    const std::size_t offset = next().offset;
    const bool is_negated = is_word("not");
    current_ += is_negated ? 1 : 0;
    ExpressionPtr condition = primary();
    if (is(TokenKind::kOpenParen)) {
      condition = calls(std::move(condition));
    } else if (begins_argument()) {
      Expressions given;
      given.push_back(call_or_member());
      condition = make<CallExpression>(offset, std::move(condition), std::move(given));
    }
    operand = make<Test>(offset, std::move(operand), is_negated, std::move(condition));
  }
  return operand;
}

ExpressionPtr Parser::filter() {
  ExpressionPtr operand = sign();
  while (is(TokenKind::kPipe)) {
    const std::size_t offset = next().offset;
    ExpressionPtr applied = primary();
    if (is(TokenKind::kOpenParen)) {
      applied = calls(std::move(applied));
    }
    operand = make<FilterExpression>(offset, std::move(operand), std::move(applied));
  }
  return operand;
}

ExpressionPtr Parser::sign() {
  if (!is(TokenKind::kSign)) {
    return call_or_member();
  }
  const Level level(*this);
  const Token& token = next();
  const auto which = token.text == "-" ? Unary::Sign::kMinus : Unary::Sign::kPlus;
  return make<Unary>(token.offset, which, sign());
}

ExpressionPtr Parser::call_or_member() {
  ExpressionPtr value = members(primary());
  return is(TokenKind::kOpenParen) ? calls(std::move(value)) : std::move(value);
}

// f(...), and what may follow: f(...).x(...)
ExpressionPtr Parser::calls(ExpressionPtr callee) {
  do {
    const std::size_t offset = peek().offset;
    Expressions given = arguments();
    callee = members(make<CallExpression>(offset, std::move(callee), std::move(given)));
  } while (is(TokenKind::kOpenParen));
  return callee;
}

ExpressionPtr Parser::members(ExpressionPtr object) {
  while (is(TokenKind::kDot) || is(TokenKind::kOpenBracket)) {
    const Token& token = next();
    auto member = make<Member>(token.offset, std::move(object));
    member->is_static = token.kind == TokenKind::kDot;
    if (!member->is_static) {
      bracketed(*member);
      set_height(*member, std::max(member->height, height_of(member->key) + 1));
    } else {
      const ExpressionPtr property = primary();
      if (const auto* identifier = dynamic_cast<const Identifier*>(property.get())) {
        member->name = &identifier->name;
      } else if (const auto* literal = dynamic_cast<const Literal*>(property.get())) {
        member->index = literal->constant;
      }
    }
    object = std::move(member);
  }
  return object;
}

// Behind "[". [a:b] and so on; without a colon the first expression is the key, whatever follows.
void Parser::bracketed(Member& member) {
  Expressions parts;
  bool is_slice = false;
  while (!is(TokenKind::kCloseBracket)) {
    parts.push_back(is(TokenKind::kColon) ? nullptr : expression());
    is_slice = skip(TokenKind::kColon) || is_slice;
  }
  ++current_;
  if (!is_slice) {
    member.key = parts.empty() ? nullptr : std::move(parts.front());
    return;
  }
  parts.resize(std::max<std::size_t>(parts.size(), 3));
  member.slice =
      std::make_unique<Slice>(Slice{std::move(parts[0]), std::move(parts[1]), std::move(parts[2])});
}

// "(a, b=c)". The commas may be missing.
Expressions Parser::arguments() {
  expect(TokenKind::kOpenParen, "(");
  Expressions list;
  while (!is(TokenKind::kCloseParen)) {
    list.push_back(argument());
    skip(TokenKind::kComma);
  }
  ++current_;
  return list;
}

ExpressionPtr Parser::argument() {
  if (is(TokenKind::kMultiplicative) && peek().text == "*") {
    const std::size_t offset = next().offset;
    return make<Spread>(offset, expression());
  }
  ExpressionPtr value = expression();
  const std::size_t offset = peek().offset;
  if (!skip(TokenKind::kEquals)) {
    return value;
  }
  return make<KeywordArgument>(offset, std::move(value), expression());
}

ExpressionPtr Parser::primary() {
  const Token& token = next();
  switch (token.kind) {
    case TokenKind::kNumber:
      return number(token);
    case TokenKind::kString: {
      std::string text = token.text;
      while (is(TokenKind::kString)) {
        text += next().text;
      }
      return make<Literal>(token.offset, kept(std::move(text)));
    }
    case TokenKind::kIdentifier: {
      Name& name = program_.name(token.text);
      name.is_mentioned = true;
      return make<Identifier>(token.offset, name);
    }
    case TokenKind::kOpenParen: {
      ExpressionPtr inner = sequence();
      expect(TokenKind::kCloseParen, ")");
      return inner;
    }
    case TokenKind::kOpenBracket:
      return list_literal(token.offset);
    case TokenKind::kOpenBrace:
      return object_literal(token.offset);
    default:
      --current_;
      fail("expected a value");
  }
}

ExpressionPtr Parser::number(const Token& token) {
  std::string_view digits = token.text;
  digits.remove_prefix(digits.starts_with('+') ? 1 : 0);
  const char* const end = digits.data() + digits.size();
  std::int64_t integer = 0;
  double real = 0;
  const bool is_real = digits.find('.') != std::string_view::npos;
  const std::errc error = is_real ? std::from_chars(digits.data(), end, real).ec
                                  : std::from_chars(digits.data(), end, integer).ec;
  if (error != std::errc()) {
    --current_;
    fail("a number that is too large or too small");
  }
  return make<Literal>(token.offset, is_real ? Value::number(real) : Value::number(integer));
}

ExpressionPtr Parser::list_literal(std::size_t offset) {
  Expressions items;
  while (!skip(TokenKind::kCloseBracket)) {
    items.push_back(expression());
    skip(TokenKind::kComma);
  }
  return make<ListLiteral>(offset, Kind::kArray, std::move(items));
}

ExpressionPtr Parser::object_literal(std::size_t offset) {
  ObjectLiteral::Pairs pairs;
  while (!skip(TokenKind::kCloseBrace)) {
    ExpressionPtr key = expression();
    expect(TokenKind::kColon, ":");
    pairs.emplace_back(std::move(key), expression());
    skip(TokenKind::kComma);
  }
  return make<ObjectLiteral>(offset, std::move(pairs));
}

}  // namespace weir::jinja
