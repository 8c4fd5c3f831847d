#include "parser.h"

#include "lexer.h"

namespace weir::jinja {
namespace {

// Of a tree of operators. A chain a + b + c is a tree as high as it is long.
constexpr std::uint32_t kHeightMax = 1000;

}  // namespace

Parser::Level::Level(Parser& parser) : parser_(parser) {
  if (++parser_.level_ > kTemplateNestingMax) {
    parser_.fail("nested too deeply");
  }
}

const Token& Parser::peek(std::size_t ahead) const {
  static const Token kNone;
  return current_ + ahead < tokens_.size() ? tokens_[current_ + ahead] : kNone;
}

const Token& Parser::next() {
  if (current_ >= tokens_.size()) {
    fail("the template ends too early");
  }
  return tokens_[current_++];
}

bool Parser::is_word(std::string_view word, std::size_t ahead) const {
  const Token& token = peek(ahead);
  return token.kind == TokenKind::kIdentifier && token.text == word;
}

bool Parser::is_statement(std::initializer_list<std::string_view> words) const {
  return is(TokenKind::kOpenStatement) &&
         std::any_of(words.begin(), words.end(),
                     [this](std::string_view word) { return is_word(word, 1); });
}

bool Parser::skip(TokenKind kind) {
  const bool found = is(kind);
  current_ += found ? 1 : 0;
  return found;
}

void Parser::expect(TokenKind kind, std::string_view what) {
  if (!skip(kind)) {
    fail("expected " + std::string(what));
  }
}

void Parser::expect_word(std::string_view word) {
  if (!is_word(word)) {
    fail("expected " + std::string(word));
  }
  ++current_;
}

void Parser::fail(const std::string& what) const {
  const bool ended = current_ >= tokens_.size();
  throw SyntaxFailure(ended ? what + ", but the template ends" : what,
                      ended ? program_.text.size() : tokens_[current_].offset);
}

Value Parser::kept(std::string text) {
  program_.strings.push_back(std::move(text));
  return Value::string(program_.strings.back());
}

std::uint32_t Parser::height_of(const Expressions& nodes) {
  std::uint32_t height = 0;
  for (const ExpressionPtr& node : nodes) {
    height = std::max(height, height_of(node));
  }
  return height;
}

std::uint32_t Parser::height_of(const ObjectLiteral::Pairs& pairs) {
  std::uint32_t height = 0;
  for (const auto& [key, value] : pairs) {
    height = std::max({height, height_of(key), height_of(value)});
  }
  return height;
}

void Parser::set_height(Expression& node, std::uint32_t height) const {
  if (height > kHeightMax) {
    fail("an expression of too many operators");
  }
  node.height = height;
}

Name& Program::name(std::string_view name_text) {
  const auto found = symbols.find(name_text);
  if (found != symbols.end()) {
    return names[found->second];
  }
  const auto symbol = static_cast<Symbol>(names.size());
  names.push_back(
      {std::string(name_text), symbol, global_function(name_text), method_number(name_text)});
  symbols.emplace(names.back().text, symbol);
  return names.back();
}

void parse_into(Program& program) {
  program.text = normalized_lines(program.source);
  program.body = Parser(program, tokenize(program.text)).parse();
}

}  // namespace weir::jinja
