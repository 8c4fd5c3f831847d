// The methods of numbers, booleans, none and undefined values.

#include <cmath>

#include "json_text.h"
#include "methods.h"
#include "rendering.h"

namespace weir::jinja {
namespace {

Value int_abs(Call& call) {
  const std::int64_t integer = call.at(0).integer;
  return Value::number(static_cast<std::int64_t>(
      integer < 0 ? 0 - static_cast<std::uint64_t>(integer) : static_cast<std::uint64_t>(integer)));
}

Value int_int(Call& call) {
  return call.at(0).unmarked();
}

Value int_float(Call& call) {
  return Value::number(static_cast<double>(call.at(0).integer));
}

Value float_abs(Call& call) {
  const double real = call.at(0).real;
  return Value::number(real < 0.0 ? -real : real);
}

Value float_int(Call& call) {
  return Value::number(to_integer(call.at(0).real));
}

Value float_float(Call& call) {
  return call.at(0).unmarked();
}

Value bool_int(Call& call) {
  return Value::number(std::int64_t{call.at(0).truth ? 1 : 0});
}

Value bool_float(Call& call) {
  return Value::number(call.at(0).truth ? 1.0 : 0.0);
}

Value bool_string(Call& call) {
  return Value::string(call.at(0).truth ? "True" : "False");
}

Value none_string(Call&) {
  return Value::string("None");
}

Value no_string(Call&) {
  return Value::string("");
}

Value no_items(Call& call) {
  return Value::list(new_array(call.run));
}

Value no_value(Call&) {
  return Value::undefined();
}

Value zero(Call&) {
  return Value::number(std::int64_t{0});
}

// As JSON, with all digits: 0.1234567|string.
constexpr NamedBuiltin kIntMethods[] = {
    {"default", default_method}, {"abs", int_abs}, {"int", int_int},
    {"float", int_float},        {"safe", tojson}, {"string", tojson},
    {"tojson", tojson},
};

constexpr NamedBuiltin kFloatMethods[] = {
    {"default", default_method}, {"abs", float_abs}, {"int", float_int},
    {"float", float_float},      {"safe", tojson},   {"string", tojson},
    {"tojson", tojson},
};

constexpr NamedBuiltin kBoolMethods[] = {
    {"default", default_method}, {"int", bool_int},       {"float", bool_float},
    {"safe", bool_string},       {"string", bool_string}, {"tojson", tojson},
};

constexpr NamedBuiltin kNoneMethods[] = {
    {"default", default_method}, {"tojson", tojson},       {"string", none_string},
    {"safe", none_string},       {"items", no_items},      {"map", no_items},
    {"reject", no_items},        {"rejectattr", no_items}, {"select", no_items},
    {"selectattr", no_items},    {"unique", no_items},
};

constexpr NamedBuiltin kUndefinedMethods[] = {
    {"default", default_method},
    {"capitalize", no_string},
    {"first", no_value},
    {"items", no_items},
    {"join", no_string},
    {"last", no_value},
    {"length", zero},
    {"list", no_items},
    {"lower", no_string},
    {"map", no_items},
    {"max", no_value},
    {"min", no_value},
    {"reject", no_items},
    {"rejectattr", no_items},
    {"replace", no_string},
    {"reverse", no_items},
    {"safe", no_string},
    {"select", no_items},
    {"selectattr", no_items},
    {"sort", no_items},
    {"string", no_string},
    {"strip", no_string},
    {"sum", zero},
    {"title", no_string},
    {"truncate", no_string},
    {"unique", no_items},
    {"upper", no_string},
    {"wordcount", zero},
};

}  // namespace

Value default_method(Call& call) {
  call.expect_count(2, 3);
  const Value& value = call.at(0);
  const bool counts_false = truth_of(call.named_or_at("boolean", 2));
  const bool is_missing = counts_false ? !truth_of(value) : value.is_undefined() || value.is_none();
  return is_missing ? call.at(1) : value;
}

std::span<const NamedBuiltin> undefined_methods() {
  return kUndefinedMethods;
}
std::span<const NamedBuiltin> none_methods() {
  return kNoneMethods;
}
std::span<const NamedBuiltin> bool_methods() {
  return kBoolMethods;
}
std::span<const NamedBuiltin> int_methods() {
  return kIntMethods;
}
std::span<const NamedBuiltin> float_methods() {
  return kFloatMethods;
}

}  // namespace weir::jinja
