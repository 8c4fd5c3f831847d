#include "parser.h"

namespace weir::jinja {

Statements Parser::parse() {
  Statements body;
  while (current_ < tokens_.size()) {
    add_statement(body);
  }
  return body;
}

void Parser::add_statement(Statements& body) {
  const Level level(*this);
  const std::size_t offset = peek().offset;
  switch (peek().kind) {
    case TokenKind::kComment:
      ++current_;
      return;
    case TokenKind::kText:
      body.push_back(make<Text>(offset, kept(next().text).view()));
      return;
    case TokenKind::kOpenExpression: {
      ++current_;
      ExpressionPtr value = expression();
      expect(TokenKind::kCloseExpression, "}}");
      body.push_back(make<Output>(offset, std::move(value)));
      return;
    }
    case TokenKind::kOpenStatement:
      ++current_;
      if (auto statement = tag_statement()) {
        statement->offset = static_cast<std::uint32_t>(offset);
        body.push_back(std::move(statement));
      }
      return;
    default:
      fail("expected text or a tag");
  }
}

// Behind "{%". Null for a tag that does nothing.
std::unique_ptr<Statement> Parser::tag_statement() {
  if (!is(TokenKind::kIdentifier)) {
    fail("expected the name of a statement");
  }
  const std::string& name = next().text;
  if (name == "set") {
    return set_statement();
  }
  if (name == "if") {
    return if_statement();
  }
  if (name == "for") {
    return for_statement();
  }
  if (name == "macro") {
    return macro_statement();
  }
  if (name == "call") {
    return call_statement();
  }
  if (name == "filter") {
    return filter_statement();
  }
  if (name == "break" || name == "continue") {
    return loop_control(name == "break" ? Flow::kBreak : Flow::kContinue);
  }
  if (name == "generation" || name == "endgeneration") {
    ++current_;  // "%}", or whatever stands there
    return nullptr;
  }
  --current_;
  fail("an unknown statement");
}

// The statements up to one of the tags `words`, which is left for the caller.
Statements Parser::statements_until(std::initializer_list<std::string_view> words) {
  Statements body;
  while (!is_statement(words)) {
    add_statement(body);
  }
  return body;
}

void Parser::end_tag(std::string_view word) {
  expect(TokenKind::kOpenStatement, "{%");
  expect_word(word);
  expect(TokenKind::kCloseStatement, "%}");
}

std::unique_ptr<Statement> Parser::set_statement() {
  const std::size_t offset = peek().offset;
  ExpressionPtr targets = sequence();
  if (skip(TokenKind::kEquals)) {
    ExpressionPtr value = sequence();
    expect(TokenKind::kCloseStatement, "%}");
    return make<Set>(offset, std::move(targets), std::move(value), Statements());
  }
  expect(TokenKind::kCloseStatement, "%}");
  Statements body = statements_until({"endset"});
  end_tag("endset");
  return make<Set>(offset, std::move(targets), nullptr, std::move(body));
}

std::unique_ptr<Statement> Parser::if_statement() {
  const std::size_t offset = peek().offset;
  std::vector<If::Branch> branches;
  do {
    ExpressionPtr condition = expression();
    expect(TokenKind::kCloseStatement, "%}");
    branches.push_back({std::move(condition), statements_until({"elif", "else", "endif"})});
  } while (is_statement({"elif"}) && (current_ += 2) > 0);
  if (is_statement({"else"})) {
    current_ += 2;
    expect(TokenKind::kCloseStatement, "%}");
    branches.push_back({nullptr, statements_until({"endif"})});
  }
  end_tag("endif");
  return make<If>(offset, std::move(branches));
}

std::unique_ptr<Statement> Parser::for_statement() {
  const std::size_t offset = peek().offset;
  ExpressionPtr targets = sequence(true);
  expect_word("in");
  ExpressionPtr iterable = expression();
  expect(TokenKind::kCloseStatement, "%}");
  Statements body = statements_until({"endfor", "else"});
  Statements otherwise;
  if (is_statement({"else"})) {
    current_ += 2;
    expect(TokenKind::kCloseStatement, "%}");
    otherwise = statements_until({"endfor"});
  }
  end_tag("endfor");
  return make<For>(offset, std::move(targets), std::move(iterable), std::move(body),
                   std::move(otherwise), program_.name("loop"));
}

std::unique_ptr<Statement> Parser::macro_statement() {
  const std::size_t offset = peek().offset;
  ExpressionPtr name = primary();
  Expressions parameters = arguments();
  expect(TokenKind::kCloseStatement, "%}");
  Statements body = statements_until({"endmacro"});
  end_tag("endmacro");
  return make<Macro>(offset, std::move(name), MacroBody(std::move(parameters), std::move(body)));
}

std::unique_ptr<Statement> Parser::call_statement() {
  const std::size_t offset = peek().offset;
  Expressions parameters;
  if (is(TokenKind::kOpenParen)) {
    parameters = arguments();
  }
  ExpressionPtr callee = primary();
  if (dynamic_cast<const Identifier*>(callee.get()) == nullptr) {
    fail("expected the name of a macro");
  }
  Expressions given = arguments();
  expect(TokenKind::kCloseStatement, "%}");
  Statements body = statements_until({"endcall"});
  end_tag("endcall");
  return make<CallBlock>(offset, std::move(callee), std::move(given),
                         MacroBody(std::move(parameters), std::move(body)),
                         program_.name("caller"));
}

std::unique_ptr<Statement> Parser::filter_statement() {
  const std::size_t offset = peek().offset;
  ExpressionPtr filter = primary();
  if (dynamic_cast<const Identifier*>(filter.get()) != nullptr && is(TokenKind::kOpenParen)) {
    filter = calls(std::move(filter));
  }
  expect(TokenKind::kCloseStatement, "%}");
  Statements body = statements_until({"endfilter"});
  end_tag("endfilter");
  return make<FilterBlock>(offset, std::move(filter), std::move(body));
}

std::unique_ptr<Statement> Parser::loop_control(Flow flow) {
  const std::size_t offset = peek().offset;
  expect(TokenKind::kCloseStatement, "%}");
  return make<LoopControl>(offset, flow);
}

}  // namespace weir::jinja
