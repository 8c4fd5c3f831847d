#include "failure.h"
#include "nodes.h"
#include "rendering.h"
#include "text.h"

namespace weir::jinja {

Value Expression::evaluate(Rendering& run) const {
  run.charge(1);
  const Descent descent(run);
  run.at(offset);
  return value(run);
}

Value Identifier::value(Rendering& run) const {
  const Value& found = run.variables().get(name.symbol);
  if (!found.is_undefined()) {
    if (run.is_watched()) {
      run.note_use(found);
    }
    return found;
  }
  if (name.global == nullptr) {
    return Value::undefined(name.text);
  }
  auto* const function = run.arena().make<Function>();
  function->name = name.text;
  function->builtin = name.global;
  return Value::callable(function);
}

Value ListLiteral::value(Rendering& run) const {
  auto* const array = run.arena().make<Array>(run.arena().resource());
  array->items.reserve(items.size());
  for (const ExpressionPtr& item : items) {
    array->items.push_back(item->evaluate(run));
  }
  return kind == Kind::kTuple ? Value::tuple(array) : Value::list(array);
}

Value ObjectLiteral::value(Rendering& run) const {
  auto* const object = run.arena().make<Object>(run.arena().resource());
  for (const auto& [key, member] : pairs) {
    const Value key_value = key->evaluate(run);
    insert(run, *object, key_value, member->evaluate(run));
  }
  return Value::dictionary(object);
}

Value Unary::value(Rendering& run) const {
  const Value subject = operand->evaluate(run);
  if (sign == Sign::kNot) {
    return Value::boolean(!truth_of(subject));
  }
  if (!subject.is_number()) {
    throw RenderFailure("a sign before something that is no number");
  }
  if (sign == Sign::kPlus) {
    return subject;
  }
  return subject.is_int() ? Value::number(static_cast<std::int64_t>(
                                0 - static_cast<std::uint64_t>(subject.integer)))
                          : Value::number(-subject.real);
}

Value Ternary::value(Rendering& run) const {
  return truth_of(condition->evaluate(run)) ? then->evaluate(run) : otherwise->evaluate(run);
}

Value Selection::value(Rendering& run) const {
  return truth_of(condition->evaluate(run)) ? subject->evaluate(run) : Value::undefined();
}

Value KeywordArgument::value(Rendering& run) const {
  const auto* const identifier = dynamic_cast<const Identifier*>(key.get());
  if (identifier == nullptr) {
    throw RenderFailure("a keyword argument without a name");
  }
  auto* const keyword = run.arena().make<Keyword>();
  keyword->name = identifier->name.text;
  keyword->value = argument->evaluate(run);
  return Value::keyword_argument(keyword);
}

Value Spread::value(Rendering&) const {
  throw RenderFailure("'*' before an argument");
}

namespace {

void add_all(Rendering& run, const Expressions& arguments, Call& call) {
  for (const ExpressionPtr& argument : arguments) {
    call.add(argument->evaluate(run));
  }
}

// The names of filters that have another name as methods.
std::string_view method_name(std::string_view filter) {
  if (filter == "count") {
    return "length";
  }
  if (filter == "d") {
    return "default";
  }
  if (filter == "e") {
    return "escape";
  }
  return filter == "trim" ? "strip" : filter;
}

bool works_on_text(std::string_view method) {
  for (const std::string_view name :
       {"capitalize", "lower", "replace", "strip", "title", "upper", "wordcount"}) {
    if (method == name) {
      return true;
    }
  }
  return false;
}

}  // namespace

// Arguments first, then what is called, as llama.cpp has it.
Value CallExpression::value(Rendering& run) const {
  Call call(run, "");
  add_all(run, arguments, call);
  const Value function = callee->evaluate(run);
  if (!function.is(Kind::kFunction)) {
    throw RenderFailure("a call of " + std::string(kind_name(function.kind)));
  }
  return invoke(*function.function, call);
}

Filter::Filter(ExpressionPtr expression) : source(std::move(expression)) {
  const auto* identifier = dynamic_cast<const Identifier*>(source.get());
  if (const auto* const call = dynamic_cast<const CallExpression*>(source.get())) {
    identifier = dynamic_cast<const Identifier*>(call->callee.get());
    arguments = &call->arguments;
  }
  if (identifier != nullptr) {
    name = method_name(identifier->name.text);
    method = method_number(name);
    takes_text = arguments == nullptr && works_on_text(name);
  }
}

Value Filter::apply(Rendering& run, const Value& input) const {
  if (name.empty()) {
    throw RenderFailure("something behind '|' that is no filter");
  }
  Call call(run, name);
  if (arguments != nullptr) {
    add_all(run, *arguments, call);
  }
  const bool converts = takes_text && !input.is_undefined() && !input.is_string();
  const Value subject = converts ? to_text(run, input) : input;
  const Value function = bound_method(run, subject, name, method);
  if (function.is_undefined()) {
    throw RenderFailure("no filter '" + std::string(name) + "' for " +
                        std::string(kind_name(subject.kind)));
  }
  return invoke(*function.function, call);
}

Value FilterExpression::value(Rendering& run) const {
  return filter.apply(run, operand->evaluate(run));
}

Test::Test(ExpressionPtr its_operand, bool is_negated, ExpressionPtr its_test)
    : operand(std::move(its_operand)), negated(is_negated), test(std::move(its_test)) {
  const auto* identifier = dynamic_cast<const Identifier*>(test.get());
  if (const auto* const call = dynamic_cast<const CallExpression*>(test.get())) {
    identifier = dynamic_cast<const Identifier*>(call->callee.get());
    arguments = &call->arguments;
  }
  if (identifier != nullptr) {
    name = &identifier->name;
    full_name = "test_is_" + name->text;
    function = test_named(name->text);
  }
}

Value Test::value(Rendering& run) const {
  const Value subject = operand->evaluate(run);
  if (name == nullptr) {
    throw RenderFailure("something behind 'is' that is no test");
  }
  Call call(run, full_name);
  call.add(subject);
  if (arguments != nullptr) {
    add_all(run, *arguments, call);
  }
  if (function == nullptr) {
    throw RenderFailure("an unknown test '" + name->text + "'");
  }
  if (run.is_watched()) {
    run.note_use(subject);
    run.note_operation(subject, full_name);
  }
  const Value result = function(call);
  return negated ? Value::boolean(!truth_of(result)) : result;
}

}  // namespace weir::jinja
