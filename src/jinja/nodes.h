#pragma once

// The tree that a template becomes: expressions make values, statements print. Nodes do not change
// once the parser has built them, so any number of threads can walk one tree.

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "environment.h"
#include "functions.h"
#include "value.h"

namespace weir::jinja {

class Rendering;

struct Expression {
  virtual ~Expression() = default;

  // Charges one step, then does what the node does.
  Value evaluate(Rendering& run) const;

  std::uint32_t offset = 0;  // in the normalized source
  std::uint32_t height = 1;  // of the tree below, the node counted

 protected:
  virtual Value value(Rendering& run) const = 0;
};
using ExpressionPtr = std::unique_ptr<Expression>;
using Expressions = std::vector<ExpressionPtr>;

// What a statement asks the loop around it to do.
enum class Flow { kOn, kContinue, kBreak };

struct Statement {
  virtual ~Statement() = default;

  // Charges one step. What is not kOn leaves the output as it was before the statement: llama.cpp
  // loses the text before a break inside an if, too.
  Flow execute(Rendering& run) const;

  std::uint32_t offset = 0;

 protected:
  virtual Flow act(Rendering& run) const = 0;
};
using Statements = std::vector<std::unique_ptr<Statement>>;

Flow execute_all(const Statements& statements, Rendering& run);

// --- names and literals

// A name as the program's table has it, looked up once.
struct Name {
  std::string text;
  Symbol symbol = 0;
  Builtin global = nullptr;  // the function of that name
  int method = kNoMethod;
  bool is_mentioned = false;  // as a variable or a member; false for names that only we set
};

struct Identifier final : Expression {
  explicit Identifier(const Name& its_name) : name(its_name) {}
  Value value(Rendering& run) const override;
  const Name& name;
};

// A literal of any plain kind; a string's bytes live in the program.
struct Literal final : Expression {
  explicit Literal(const Value& its_value) : constant(its_value) {}
  Value value(Rendering&) const override { return constant; }
  const Value constant;
};

struct ListLiteral final : Expression {
  ListLiteral(Kind its_kind, Expressions its_items) : kind(its_kind), items(std::move(its_items)) {}
  Value value(Rendering& run) const override;
  const Kind kind;  // kArray or kTuple
  const Expressions items;
};

struct ObjectLiteral final : Expression {
  using Pairs = std::vector<std::pair<ExpressionPtr, ExpressionPtr>>;
  explicit ObjectLiteral(Pairs its_pairs) : pairs(std::move(its_pairs)) {}
  Value value(Rendering& run) const override;
  const Pairs pairs;
};

// --- operators

enum class Operator {
  kAnd,
  kOr,
  kEqual,
  kNotEqual,
  kIn,
  kNotIn,
  kLess,
  kGreater,
  kLessOrEqual,
  kGreaterOrEqual,
  kAdd,
  kSubtract,
  kConcat,
  kMultiply,
  kDivide,
  kModulo,
};

struct Binary final : Expression {
  Binary(Operator its_operation, ExpressionPtr its_left, ExpressionPtr its_right)
      : operation(its_operation), left(std::move(its_left)), right(std::move(its_right)) {}
  Value value(Rendering& run) const override;
  const Operator operation;
  const ExpressionPtr left, right;
};

struct Unary final : Expression {
  enum class Sign { kNot, kMinus, kPlus };
  Unary(Sign its_sign, ExpressionPtr its_operand)
      : sign(its_sign), operand(std::move(its_operand)) {}
  Value value(Rendering& run) const override;
  const Sign sign;
  const ExpressionPtr operand;
};

// a if b else c
struct Ternary final : Expression {
  Ternary(ExpressionPtr its_condition, ExpressionPtr its_then, ExpressionPtr its_otherwise)
      : condition(std::move(its_condition)),
        then(std::move(its_then)),
        otherwise(std::move(its_otherwise)) {}
  Value value(Rendering& run) const override;
  const ExpressionPtr condition, then, otherwise;
};

// a if b; behind "in" of a for statement: the items of a for which b holds.
struct Selection final : Expression {
  Selection(ExpressionPtr its_subject, ExpressionPtr its_condition)
      : subject(std::move(its_subject)), condition(std::move(its_condition)) {}
  Value value(Rendering& run) const override;
  const ExpressionPtr subject, condition;
};

// --- members, calls, filters, tests

// [start:stop:step] behind a value; each may be null.
struct Slice {
  ExpressionPtr start, stop, step;
};

// object.name, object.0, object[key], object[a:b]
struct Member final : Expression {
  explicit Member(ExpressionPtr its_object) : object(std::move(its_object)) {}
  Value value(Rendering& run) const override;
  const ExpressionPtr object;
  const Name* name = nullptr;  // .name
  ExpressionPtr key;           // [key]; null for []
  std::unique_ptr<Slice> slice;
  Value index;             // .0
  bool is_static = false;  // .something; without a name or an index it fails when evaluated

 private:
  Value key_value(Rendering& run) const;
  Value sliced(Rendering& run, const Value& subject) const;
};

struct KeywordArgument final : Expression {
  KeywordArgument(ExpressionPtr its_key, ExpressionPtr its_value)
      : key(std::move(its_key)), argument(std::move(its_value)) {}
  Value value(Rendering& run) const override;
  const ExpressionPtr key, argument;
};

// *argument: parsed, but llama.cpp fails when it meets one.
struct Spread final : Expression {
  explicit Spread(ExpressionPtr its_argument) : argument(std::move(its_argument)) {}
  Value value(Rendering& run) const override;
  const ExpressionPtr argument;
};

struct CallExpression final : Expression {
  CallExpression(ExpressionPtr its_callee, Expressions its_arguments)
      : callee(std::move(its_callee)), arguments(std::move(its_arguments)) {}
  Value value(Rendering& run) const override;
  const ExpressionPtr callee;
  const Expressions arguments;
};

// A filter behind "|" or in {% filter %}.
struct Filter {
  explicit Filter(ExpressionPtr expression);
  Value apply(Rendering& run, const Value& input) const;

  ExpressionPtr source;   // owns the name and the arguments
  std::string_view name;  // empty: no filter that could be applied
  int method = kNoMethod;
  bool takes_text = false;                 // input of any kind is made a string first
  const Expressions* arguments = nullptr;  // null: none given
};

struct FilterExpression final : Expression {
  FilterExpression(ExpressionPtr its_operand, ExpressionPtr its_filter)
      : operand(std::move(its_operand)), filter(std::move(its_filter)) {}
  Value value(Rendering& run) const override;
  const ExpressionPtr operand;
  const Filter filter;
};

// operand is test, operand is not test(arguments)
struct Test final : Expression {
  Test(ExpressionPtr its_operand, bool is_negated, ExpressionPtr its_test);
  Value value(Rendering& run) const override;
  const ExpressionPtr operand;
  const bool negated;
  const ExpressionPtr test;
  const Name* name = nullptr;  // null: nothing that could be a test
  std::string full_name;       // test_is_NAME
  Builtin function = nullptr;
  const Expressions* arguments = nullptr;
};

// --- statements

struct Text final : Statement {
  explicit Text(std::string_view its_text) : text(its_text) {}
  Flow act(Rendering& run) const override;
  const std::string_view text;  // in the program
};

struct Output final : Statement {
  explicit Output(ExpressionPtr its_expression) : expression(std::move(its_expression)) {}
  Flow act(Rendering& run) const override;
  const ExpressionPtr expression;
};

struct If final : Statement {
  struct Branch {
    ExpressionPtr condition;  // null: else
    Statements body;
  };
  explicit If(std::vector<Branch> its_branches) : branches(std::move(its_branches)) {}
  Flow act(Rendering& run) const override;
  const std::vector<Branch> branches;
};

// Names on the left of "=" or behind "for".
struct Targets {
  explicit Targets(ExpressionPtr expression);
  ExpressionPtr source;
  std::vector<const Name*> names;  // null: no name
  bool is_tuple = false;
  bool is_name = false;
};

// Checks that `value` has one item for each name of a tuple.
const Array& unpacked(const Targets& targets, const Value& value);
// Sets the name, or each name of the tuple to an item of `value`.
void set_targets(Rendering& run, const Targets& targets, const Value& value);

struct For final : Statement {
  For(ExpressionPtr its_targets, ExpressionPtr its_iterable, Statements its_body,
      Statements its_otherwise, const Name& its_loop);
  Flow act(Rendering& run) const override;
  const Targets targets;
  const ExpressionPtr iterable;
  const Selection* selection;  // iterable, when it selects
  const Statements body, otherwise;
  const Name& loop;

 private:
  using Items = std::vector<Value>;
  Items items_of(Rendering& run, const Value& list) const;
  Items selected(Rendering& run, const Items& items) const;
  void set_loop(Rendering& run, const Items& items, std::size_t index) const;
  bool loop_over(Rendering& run, const Items& items) const;
  Flow execute_body(Rendering& run) const;
};

struct LoopControl final : Statement {
  explicit LoopControl(Flow its_flow) : flow(its_flow) {}
  Flow act(Rendering&) const override { return flow; }
  const Flow flow;
};

// {% set targets = value %}, {% set name %}body{% endset %}
struct Set final : Statement {
  Set(ExpressionPtr its_targets, ExpressionPtr its_value, Statements its_body)
      : targets(std::move(its_targets)), value(std::move(its_value)), body(std::move(its_body)) {}
  Flow act(Rendering& run) const override;
  const Targets targets;
  const ExpressionPtr value;  // null: the body
  const Statements body;
};

// What a macro and the block of a call have in common.
struct MacroBody {
  MacroBody(Expressions its_parameters, Statements its_statements)
      : parameters(std::move(its_parameters)), statements(std::move(its_statements)) {}
  Expressions parameters;
  Statements statements;
};

struct Macro final : Statement {
  Macro(ExpressionPtr its_name, MacroBody its_body)
      : name(std::move(its_name)), body(std::move(its_body)) {}
  Flow act(Rendering& run) const override;
  const ExpressionPtr name;
  const MacroBody body;
};

// {% call(parameters) callee(arguments) %}body{% endcall %}
struct CallBlock final : Statement {
  CallBlock(ExpressionPtr its_callee, Expressions its_arguments, MacroBody its_body,
            const Name& its_caller)
      : callee(std::move(its_callee)),
        arguments(std::move(its_arguments)),
        body(std::move(its_body)),
        caller(its_caller) {}
  Flow act(Rendering& run) const override;
  const ExpressionPtr callee;
  const Expressions arguments;
  const MacroBody body;
  const Name& caller;
};

struct FilterBlock final : Statement {
  FilterBlock(ExpressionPtr its_filter, Statements its_body)
      : filter(std::move(its_filter)), body(std::move(its_body)) {}
  Flow act(Rendering& run) const override;
  const Filter filter;
  const Statements body;
};

}  // namespace weir::jinja
