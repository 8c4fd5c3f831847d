#include "tests.h"

#include <algorithm>

#include "ascii.h"
#include "failure.h"
#include "rendering.h"
#include "text.h"

namespace weir::jinja {
namespace {

template <Kind... kinds>
Value is_of_kind(Call& call) {
  const Value& value = call.at(0);
  return Value::boolean((value.is(kinds) || ...));
}

template <Order order>
Value in_order(Call& call) {
  call.expect_count(2, 2);
  return Value::boolean(compare(call.run, call.at(0), call.at(1), order));
}

template <bool wanted>
Value is_truth(Call& call) {
  const Value& value = call.at(0);
  return Value::boolean(value.is(Kind::kBool) && value.truth == wanted);
}

Value is_defined(Call& call) {
  return Value::boolean(!call.at(0).is_undefined());
}

template <std::int64_t remainder>
Value has_parity(Call& call) {
  call.at(0);
  call.expect_int(0);
  return Value::boolean((call.at(0).integer & 1) == remainder);
}

Value is_divisible(Call& call) {
  call.expect_count(2);
  call.expect_int(0);
  call.expect_int(1);
  const std::int64_t divisor = call.at(1).integer;
  if (divisor == 0) {
    throw RenderFailure("a division by zero");
  }
  return Value::boolean(divisor == -1 || call.at(0).integer % divisor == 0);
}

template <bool (*is_wrong)(char)>
Value has_case(Call& call) {
  call.at(0);
  call.expect_string(0);
  const std::string_view text = call.at(0).view();
  return Value::boolean(std::none_of(text.begin(), text.end(), is_wrong));
}

Value is_in_test(Call& call) {
  return Value::boolean(is_in(call.run, call.at(0), call.at(1)));
}

Value is_test(Call& call) {
  call.at(0);
  call.expect_string(0);
  return Value::boolean(test_named(call.at(0).view()) != nullptr);
}

// The very same thing. Of strings only the bytes' place is known: s|string passes for s here.
bool is_same(const Value& a, const Value& b) {
  if (a.kind != b.kind) {
    return false;
  }
  switch (a.kind) {
    case Kind::kNone:
      return true;
    case Kind::kBool:
      return a.truth == b.truth;
    case Kind::kInt:
      return a.integer == b.integer;
    case Kind::kString:
      return a.data == b.data && a.size == b.size;
    case Kind::kArray:
    case Kind::kTuple:
      return a.array == b.array;
    case Kind::kObject:
      return a.object == b.object;
    default:
      return false;
  }
}

Value is_same_as(Call& call) {
  return Value::boolean(is_same(call.at(0), call.at(1)));
}

Value not_there(Call& call) {
  throw RenderFailure("llama.cpp has not the test '" + std::string(call.name) + "'");
}

bool is_lower(char c) {
  return is_ascii_lower(c);
}
bool is_upper(char c) {
  return is_ascii_upper(c);
}

constexpr NamedBuiltin kTests[] = {
    {"boolean", is_of_kind<Kind::kBool>},
    {"callable", is_of_kind<Kind::kFunction>},
    {"odd", has_parity<1>},
    {"even", has_parity<0>},
    {"false", is_truth<false>},
    {"true", is_truth<true>},
    {"divisibleby", is_divisible},
    {"string", is_of_kind<Kind::kString>},
    {"integer", is_of_kind<Kind::kInt>},
    {"float", is_of_kind<Kind::kFloat>},
    {"number", is_of_kind<Kind::kInt, Kind::kFloat>},
    {"iterable",
     is_of_kind<Kind::kArray, Kind::kTuple, Kind::kString, Kind::kObject, Kind::kUndefined>},
    {"sequence",
     is_of_kind<Kind::kArray, Kind::kTuple, Kind::kString, Kind::kObject, Kind::kUndefined>},
    {"mapping", is_of_kind<Kind::kObject>},
    {"lower", has_case<is_upper>},
    {"upper", has_case<is_lower>},
    {"none", is_of_kind<Kind::kNone>},
    {"defined", is_defined},
    {"undefined", is_of_kind<Kind::kUndefined>},
    {"eq", in_order<Order::kEqual>},
    {"equalto", in_order<Order::kEqual>},
    {"ge", in_order<Order::kGreaterOrEqual>},
    {"gt", in_order<Order::kGreater>},
    {"greaterthan", in_order<Order::kGreater>},
    {"lt", in_order<Order::kLess>},
    {"lessthan", in_order<Order::kLess>},
    {"ne", in_order<Order::kNotEqual>},
    {"in", is_in_test},
    {"test", is_test},
    {"sameas", is_same_as},
    {"escaped", not_there},
    {"filter", not_there},
};

}  // namespace

std::span<const NamedBuiltin> tests() {
  return kTests;
}

bool is_in(Rendering& run, const Value& needle, const Value& haystack) {
  if (haystack.is_undefined()) {
    return false;
  }
  if (haystack.is_array()) {
    const auto& items = haystack.array->items;
    run.charge(items.size() / 4);
    return std::any_of(items.begin(), items.end(),
                       [&](const Value& item) { return are_equal(run, needle, item); });
  }
  if (haystack.is_object()) {
    return find(run, *haystack.object, needle) != nullptr;
  }
  if (!haystack.is_string() || !needle.is_string()) {
    throw RenderFailure(std::string(kind_name(needle.kind)) + " cannot be in " +
                        std::string(kind_name(haystack.kind)));
  }
  run.charge_search(haystack.size, needle.size);
  return haystack.view().find(needle.view()) != std::string_view::npos;
}

}  // namespace weir::jinja
