#include "value.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "failure.h"
#include "rendering.h"
#include "text.h"

namespace weir::jinja {
namespace {

[[noreturn]] void fail_as(const Value& value, std::string_view wanted) {
  throw RenderFailure(std::string(kind_name(value.kind)) + " is no " + std::string(wanted));
}

// A number as llama.cpp keeps it, in both forms; they are equal when both are.
struct Number {
  std::int64_t integer = 0;
  double real = 0;
  bool operator==(const Number&) const = default;
};

double exact_real(std::int64_t integer) {
  const double real = static_cast<double>(integer);
  if (to_integer(real) == integer) {
    return real;
  }
  return std::copysign(std::numeric_limits<double>::infinity(), real);
}

bool is_numeric(const Value& value) {
  return value.is_number() || value.is(Kind::kBool);
}

Number number_of(const Value& value) {
  if (value.is(Kind::kFloat)) {
    return {std::isfinite(value.real) ? to_integer(value.real) : 0, value.real};
  }
  const std::int64_t integer = value.is_int() ? value.integer : (value.truth ? 1 : 0);
  return {integer, exact_real(integer)};
}

bool are_equal_arrays(Rendering& run, const Array& a, const Array& b) {
  return std::equal(a.items.begin(), a.items.end(), b.items.begin(), b.items.end(),
                    [&](const Value& x, const Value& y) { return are_equal(run, x, y); });
}

bool are_equal_objects(Rendering& run, const Object& a, const Object& b) {
  return std::equal(a.entries.begin(), a.entries.end(), b.entries.begin(), b.entries.end(),
                    [&](const Entry& x, const Entry& y) {
                      return are_equal(run, x.key, y.key) && are_equal(run, x.value, y.value);
                    });
}

template <class T>
bool in_order(const T& a, const T& b, Order order) {
  switch (order) {
    case Order::kEqual:
      return a == b;
    case Order::kNotEqual:
      return a != b;
    case Order::kLess:
      return a < b;
    case Order::kGreater:
      return a > b;
    case Order::kGreaterOrEqual:
      return a >= b;
  }
  return false;
}

void check_key(Rendering& run, const Value& key) {
  if (!is_immutable(key) || !is_hashable(run, key)) {
    throw RenderFailure(std::string(kind_name(key.kind)) + " is no key of an object");
  }
}

}  // namespace

Value Value::of(Kind kind) {
  Value value;
  value.kind = kind;
  return value;
}

Value Value::text(Kind kind, std::string_view bytes) {
  Value value = of(kind);
  value.data = bytes.data();
  value.size = bytes.size();
  return value;
}

Value Value::of_array(Kind kind, Array* array) {
  Value value = of(kind);
  value.array = array;
  return value;
}

Value Value::boolean(bool truth) {
  Value value = of(Kind::kBool);
  value.truth = truth;
  return value;
}

Value Value::number(std::int64_t integer) {
  Value value = of(Kind::kInt);
  value.integer = integer;
  return value;
}

Value Value::number(double real) {
  Value value = of(Kind::kFloat);
  value.real = real;
  return value;
}

Value Value::dictionary(Object* object) {
  Value value = of(Kind::kObject);
  value.object = object;
  return value;
}

Value Value::callable(Function* function) {
  Value value = of(Kind::kFunction);
  value.function = function;
  return value;
}

Value Value::keyword_argument(Keyword* keyword) {
  Value value = of(Kind::kKeyword);
  value.keyword = keyword;
  return value;
}

Value Value::unmarked() const {
  Value value = *this;
  value.mark = 0;
  return value;
}

Value Value::one_piece() const {
  return string(view());
}

std::string_view kind_name(Kind kind) {
  constexpr std::string_view kNames[] = {
      "an undefined value", "none",    "a boolean", "an integer", "a float",           "a string",
      "an array",           "a tuple", "an object", "a function", "a keyword argument"};
  static_assert(std::size(kNames) == kKinds);
  return kNames[static_cast<std::size_t>(kind)];
}

bool truth_of(const Value& value) {
  switch (value.kind) {
    case Kind::kUndefined:
    case Kind::kNone:
      return false;
    case Kind::kBool:
      return value.truth;
    case Kind::kInt:
      return value.integer != 0;
    case Kind::kFloat:
      return value.real != 0.0;
    case Kind::kString:
      return value.size != 0;
    case Kind::kArray:
    case Kind::kTuple:
      return !value.array->items.empty();
    case Kind::kObject:
      return !value.object->entries.empty();
    case Kind::kFunction:
    case Kind::kKeyword:
      break;
  }
  fail_as(value, "condition");
}

std::int64_t integer_of(const Value& value) {
  if (!is_numeric(value)) {
    fail_as(value, "integer");
  }
  return number_of(value).integer;
}

double real_of(const Value& value) {
  if (!value.is_number()) {
    fail_as(value, "number");
  }
  return number_of(value).real;
}

std::int64_t to_integer(double real) {
  constexpr double kLimit = 9223372036854775808.0;  // 2^63
  if (!(real >= -kLimit && real < kLimit)) {
    return std::numeric_limits<std::int64_t>::min();
  }
  return static_cast<std::int64_t>(real);
}

bool is_immutable(const Value& value) {
  return !value.is(Kind::kArray) && !value.is(Kind::kObject);
}

bool is_hashable(Rendering& run, const Value& value) {
  switch (value.kind) {
    case Kind::kUndefined:
    case Kind::kFunction:
      return false;
    case Kind::kArray:
    case Kind::kTuple: {
      const Descent descent(run);
      const auto& items = value.array->items;
      return std::all_of(items.begin(), items.end(), [&](const Value& item) {
        run.charge(1);
        return is_immutable(item) && is_hashable(run, item);
      });
    }
    case Kind::kObject: {
      const Descent descent(run);
      const auto& entries = value.object->entries;
      return std::all_of(entries.begin(), entries.end(), [&](const Entry& entry) {
        run.charge(1);
        return is_immutable(entry.value) && is_hashable(run, entry.value);
      });
    }
    default:
      return true;
  }
}

bool are_equal(Rendering& run, const Value& a, const Value& b) {
  if (is_numeric(a)) {
    return is_numeric(b) && number_of(a) == number_of(b);
  }
  if (a.kind != b.kind) {
    return false;
  }
  if (a.is_string()) {
    run.charge_bytes(a.size);
    return a.view() == b.view();
  }
  if (!a.is_array() && !a.is_object()) {
    return true;  // none, undefined; of functions llama.cpp holds all for equal
  }
  const Descent descent(run);
  run.charge(1);
  if (!is_hashable(run, a) || !is_hashable(run, b)) {
    return false;
  }
  return a.is_array() ? are_equal_arrays(run, *a.array, *b.array)
                      : are_equal_objects(run, *a.object, *b.object);
}

bool compare(Rendering& run, const Value& a, const Value& b, Order order) {
  if (a.is_number() && b.is_number()) {
    return in_order(real_of(a), real_of(b), order);
  }
  if ((a.is_string() || a.is_number()) && (b.is_string() || b.is_number())) {
    run.charge_bytes(std::min(a.size, b.size));
    return in_order(to_text(run, a).view(), to_text(run, b).view(), order);
  }
  if (a.is(Kind::kBool) && b.is(Kind::kBool)) {
    if (order != Order::kEqual && order != Order::kNotEqual) {
      throw RenderFailure("booleans have no order");
    }
    return in_order(a.truth, b.truth, order);
  }
  return false;
}

Value* find(Rendering& run, Object& object, std::string_view key) {
  run.charge(object.entries.size() / 32);
  for (Entry& entry : object.entries) {
    if (entry.key.is_string() && entry.key.view() == key) {
      return &entry.value;
    }
  }
  return nullptr;
}

Value* find(Rendering& run, Object& object, const Value& key) {
  if (key.is_string()) {
    return find(run, object, key.view());
  }
  check_key(run, key);
  run.charge(object.entries.size() / 32);
  for (Entry& entry : object.entries) {
    if (are_equal(run, entry.key, key)) {
      return &entry.value;
    }
  }
  return nullptr;
}

void insert(Rendering& run, Object& object, const Value& key, const Value& value) {
  if (Value* const found = find(run, object, key)) {
    *found = value;
  } else {
    object.entries.push_back({key, value});
  }
}

Value* item_at(Array& array, std::int64_t index) {
  const auto size = static_cast<std::int64_t>(array.items.size());
  const std::int64_t at = index < 0 ? index + size : index;
  return at >= 0 && at < size ? &array.items[static_cast<std::size_t>(at)] : nullptr;
}

}  // namespace weir::jinja
