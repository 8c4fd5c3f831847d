#pragma once

// Reads tokens as llama.cpp's parser does, which is lenient in places (commas between arguments may
// be missing) and strict in others (no "recursive", no "import"). The grammar of expressions stands
// in parser_expressions.cc, that of statements in parser_statements.cc.

#include <algorithm>
#include <initializer_list>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "failure.h"
#include "nodes.h"
#include "program.h"
#include "token.h"

namespace weir::jinja {

class Parser {
 public:
  Parser(Program& program, std::vector<Token> tokens)
      : program_(program), tokens_(std::move(tokens)) {}

  // All of the template. Throws SyntaxFailure.
  Statements parse();

 private:
  // One level deeper in the source, for as long as it lives.
  class Level {
   public:
    explicit Level(Parser& parser);
    ~Level() { --parser_.level_; }
    Level(const Level&) = delete;
    Level& operator=(const Level&) = delete;

   private:
    Parser& parser_;
  };

  // --- tokens
  const Token& peek(std::size_t ahead = 0) const;
  const Token& next();
  bool is(TokenKind kind) const { return peek().kind == kind; }
  bool is_word(std::string_view word, std::size_t ahead = 0) const;
  bool is_statement(std::initializer_list<std::string_view> words) const;
  bool skip(TokenKind kind);
  void expect(TokenKind kind, std::string_view what);
  void expect_word(std::string_view word);
  [[noreturn]] void fail(const std::string& what) const;

  // --- statements
  void add_statement(Statements& body);
  std::unique_ptr<Statement> tag_statement();
  Statements statements_until(std::initializer_list<std::string_view> words);
  void end_tag(std::string_view word);
  std::unique_ptr<Statement> set_statement();
  std::unique_ptr<Statement> if_statement();
  std::unique_ptr<Statement> for_statement();
  std::unique_ptr<Statement> macro_statement();
  std::unique_ptr<Statement> call_statement();
  std::unique_ptr<Statement> filter_statement();
  std::unique_ptr<Statement> loop_control(Flow flow);

  // --- expressions, from the loosest binding to the tightest
  ExpressionPtr sequence(bool of_primaries = false);  // a, b, c
  ExpressionPtr expression();
  ExpressionPtr logical_or();
  ExpressionPtr logical_and();
  ExpressionPtr logical_not();
  ExpressionPtr comparison();
  ExpressionPtr sum();
  ExpressionPtr product();
  ExpressionPtr test();
  bool begins_argument() const;
  ExpressionPtr filter();
  ExpressionPtr sign();
  ExpressionPtr call_or_member();
  ExpressionPtr calls(ExpressionPtr callee);
  ExpressionPtr members(ExpressionPtr object);
  void bracketed(Member& member);
  Expressions arguments();
  ExpressionPtr argument();
  ExpressionPtr primary();
  ExpressionPtr number(const Token& token);
  ExpressionPtr list_literal(std::size_t offset);
  ExpressionPtr object_literal(std::size_t offset);
  bool comparison_operator(Operator& operation);

  // --- building
  Value kept(std::string text);

  template <class Node, class... Arguments>
  std::unique_ptr<Node> make(std::size_t offset, Arguments&&... its_arguments) {
    const std::uint32_t below = std::max({std::uint32_t{0}, height_of(its_arguments)...});
    auto node = std::make_unique<Node>(std::forward<Arguments>(its_arguments)...);
    node->offset = static_cast<std::uint32_t>(offset);
    set_height(*node, below + 1);
    return node;
  }
  template <class Other>
  static std::uint32_t height_of(const Other&) {
    return 0;
  }
  static std::uint32_t height_of(const ExpressionPtr& node) { return node ? node->height : 0; }
  static std::uint32_t height_of(const Expressions& nodes);
  static std::uint32_t height_of(const ObjectLiteral::Pairs& pairs);
  static void set_height(Statement&, std::uint32_t) {}
  void set_height(Expression& node, std::uint32_t height) const;

  Program& program_;
  const std::vector<Token> tokens_;
  std::size_t current_ = 0;
  std::size_t level_ = 0;
};

}  // namespace weir::jinja
