// The operators between two values.

#include <cmath>

#include "failure.h"
#include "nodes.h"
#include "rendering.h"
#include "tests.h"
#include "text.h"

namespace weir::jinja {
namespace {

bool is_null(const Value& value) {
  return value.is_none() || value.is_undefined();
}

bool is_membership(Operator operation) {
  return operation == Operator::kIn || operation == Operator::kNotIn;
}

bool is_joining(Operator operation) {
  return operation == Operator::kAdd || operation == Operator::kConcat;
}

Value membership(Rendering& run, Operator operation, const Value& left, const Value& right) {
  return Value::boolean(is_in(run, left, right) == (operation == Operator::kIn));
}

[[noreturn]] void fail(const Value& left, const Value& right) {
  throw RenderFailure("an operator between " + std::string(kind_name(left.kind)) + " and " +
                      std::string(kind_name(right.kind)) + " that have it not");
}

// At least one side is none or undefined: beside a string it counts as an empty one.
Value with_null(Rendering& run, Operator operation, const Value& left, const Value& right) {
  if (right.is_undefined() && is_membership(operation)) {
    return Value::boolean(operation == Operator::kNotIn);
  }
  const bool any_undefined = left.is_undefined() || right.is_undefined();
  if (!any_undefined && !right.is_none() && is_membership(operation)) {
    return membership(run, operation, left, right);
  }
  if (is_joining(operation) && is_null(left) && right.is_string()) {
    return right.unmarked();
  }
  if (is_joining(operation) && is_null(right) && left.is_string()) {
    return left.unmarked();
  }
  fail(left, right);
}

bool is_numeric_operator(Operator operation) {
  return !is_membership(operation) && operation != Operator::kConcat;
}

// Integers are calculated with as floats, too, and cut afterwards.
Value arithmetic(Operator operation, const Value& left, const Value& right) {
  const double a = real_of(left);
  const double b = real_of(right);
  const auto result = [&](double real) {
    return left.is_int() && right.is_int() ? Value::number(to_integer(real)) : Value::number(real);
  };
  switch (operation) {
    case Operator::kAdd:
      return result(a + b);
    case Operator::kSubtract:
      return result(a - b);
    case Operator::kMultiply:
      return result(a * b);
    case Operator::kModulo:
      return result(std::fmod(a, b));
    case Operator::kDivide:
      return Value::number(a / b);
    case Operator::kLess:
      return Value::boolean(a < b);
    case Operator::kGreater:
      return Value::boolean(a > b);
    case Operator::kLessOrEqual:
      return Value::boolean(a <= b);
    default:
      return Value::boolean(a >= b);
  }
}

Value joined(Rendering& run, const Array& left, const Array& right) {
  const std::size_t size = left.items.size() + right.items.size();
  run.charge(size / 4);
  auto* const array = run.arena().make<Array>(run.arena().resource());
  array->items.reserve(size);
  array->items.insert(array->items.end(), left.items.begin(), left.items.end());
  array->items.insert(array->items.end(), right.items.begin(), right.items.end());
  return Value::list(array);
}

Value repeated(Rendering& run, const Value& text, std::int64_t times) {
  if (times <= 0 || text.size == 0) {
    return Value::string("");
  }
  const std::size_t most = std::string().max_size() / text.size;
  run.check_memory(static_cast<std::uint64_t>(times) > most
                       ? most * text.size
                       : static_cast<std::size_t>(times) * text.size);
  Value all = text.unmarked();
  for (std::int64_t i = 1; i < times; ++i) {
    run.charge(1);
    all = concat(run, all, text);
  }
  return all;
}

bool is_repetition(Operator operation, const Value& left, const Value& right) {
  return operation == Operator::kMultiply &&
         ((left.is_string() && right.is_int()) || (left.is_int() && right.is_string()));
}

// Everything but and, or, ==, !=.
Value combined(Rendering& run, Operator operation, const Value& left, const Value& right) {
  if (is_null(left) || is_null(right)) {
    return with_null(run, operation, left, right);
  }
  if (left.is_number() && right.is_number() && is_numeric_operator(operation)) {
    return arithmetic(operation, left, right);
  }
  if (left.is_array() && right.is_array()) {
    if (operation == Operator::kAdd) {
      return joined(run, *left.array, *right.array);
    }
  } else if (right.is_array() && is_membership(operation)) {
    return membership(run, operation, left, right);
  }
  if (is_joining(operation) && (left.is_string() || right.is_string())) {
    return concat(run, to_text(run, left), to_text(run, right));
  }
  if (is_repetition(operation, left, right)) {
    return left.is_string() ? repeated(run, left, right.integer)
                            : repeated(run, right, left.integer);
  }
  const bool can_hold = right.is_object() || (left.is_string() && right.is_string());
  if (can_hold && is_membership(operation)) {
    return membership(run, operation, left, right);
  }
  fail(left, right);
}

}  // namespace

Value Binary::value(Rendering& run) const {
  const Value first = left->evaluate(run);
  if (operation == Operator::kAnd) {
    return truth_of(first) ? right->evaluate(run) : first;
  }
  if (operation == Operator::kOr) {
    return truth_of(first) ? first : right->evaluate(run);
  }
  const Value second = right->evaluate(run);
  if (operation == Operator::kEqual || operation == Operator::kNotEqual) {
    return Value::boolean(are_equal(run, first, second) == (operation == Operator::kEqual));
  }
  return combined(run, operation, first, second);
}

}  // namespace weir::jinja
