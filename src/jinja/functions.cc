#include "functions.h"

#include <algorithm>
#include <map>
#include <span>
#include <vector>

#include "failure.h"
#include "methods.h"
#include "rendering.h"
#include "tests.h"

namespace weir::jinja {
namespace {

using Rows = std::span<const NamedBuiltin>;

// The rows of each kind, in the order of Kind.
std::array<Rows, kKinds> rows_of_kinds() {
  return {undefined_methods(), none_methods(),   bool_methods(),  int_methods(),
          float_methods(),     string_methods(), array_methods(), array_methods(),
          object_methods(),    Rows(),           Rows()};
}

class MethodTable {
 public:
  MethodTable() {
    const auto rows = rows_of_kinds();
    for (std::size_t kind = 0; kind < kKinds; ++kind) {
      for (const NamedBuiltin& row : rows[kind]) {
        const auto number = static_cast<int>(numbers_.size());
        numbers_.emplace(row.name, number);
      }
    }
    for (std::size_t kind = 0; kind < kKinds; ++kind) {
      methods_[kind].resize(numbers_.size());
      for (const NamedBuiltin& row : rows[kind]) {
        methods_[kind][static_cast<std::size_t>(numbers_.at(row.name))] = row.function;
      }
    }
  }

  int number(std::string_view name) const {
    const auto found = numbers_.find(name);
    return found == numbers_.end() ? kNoMethod : found->second;
  }
  Builtin method(Kind kind, int number) const {
    return methods_[static_cast<std::size_t>(kind)][static_cast<std::size_t>(number)];
  }

 private:
  std::map<std::string_view, int> numbers_;
  std::array<std::vector<Builtin>, kKinds> methods_;
};

const MethodTable& table() {
  static const MethodTable methods;
  return methods;
}

Builtin find_row(Rows rows, std::string_view name) {
  const auto found = std::find_if(rows.begin(), rows.end(),
                                  [&](const NamedBuiltin& row) { return row.name == name; });
  return found == rows.end() ? nullptr : found->function;
}

}  // namespace

void Call::reserve_one() {
  if (size_ < capacity_) {
    return;
  }
  auto* const more = static_cast<Value*>(
      run.arena().resource()->allocate(2 * capacity_ * sizeof(Value), alignof(Value)));
  std::uninitialized_copy(values_, values_ + size_, more);
  std::uninitialized_default_construct(more + size_, more + 2 * capacity_);
  values_ = more;
  capacity_ *= 2;
}

void Call::add(const Value& value) {
  reserve_one();
  values_[size_++] = value;
}

void Call::add_front(const Value& value) {
  reserve_one();
  std::copy_backward(values_, values_ + size_, values_ + size_ + 1);
  values_[0] = value;
  ++size_;
}

const Value& Call::at(std::size_t index) const {
  if (index >= size_) {
    throw RenderFailure("not enough arguments for '" + std::string(name) + "'");
  }
  return values_[index];
}

Value Call::at_or_undefined(std::size_t index) const {
  return index < size_ ? values_[index] : Value::undefined();
}

Value Call::named(std::string_view keyword) const {
  for (std::size_t i = 0; i < size_; ++i) {
    if (values_[i].is(Kind::kKeyword) && values_[i].keyword->name == keyword) {
      return values_[i].keyword->value;
    }
  }
  return Value::undefined();
}

Value Call::named_or_at(std::string_view keyword, std::size_t index) const {
  const Value found = named(keyword);
  const bool is_given = found.is_undefined() && index < size_ && !values_[index].is(Kind::kKeyword);
  return is_given ? values_[index] : found;
}

void Call::expect_count(std::size_t min, std::size_t max) const {
  if (size_ < min || size_ > max) {
    throw RenderFailure("too few or too many arguments for '" + std::string(name) + "'");
  }
}

void Call::expect_string(std::size_t index) const {
  if (index < size_ && !values_[index].is_string()) {
    throw RenderFailure("an argument of '" + std::string(name) + "' is no string");
  }
}

void Call::expect_int(std::size_t index) const {
  if (index < size_ && !values_[index].is_int()) {
    throw RenderFailure("an argument of '" + std::string(name) + "' is no integer");
  }
}

Value invoke(const Function& function, Call& call) {
  call.name = function.name;
  if (function.has_self) {
    call.add_front(function.self);
  }
  if (function.macro != nullptr) {
    return invoke_macro(function, call);
  }
  if (function.self.is_string()) {
    call.run.charge_bytes(function.self.size);
  } else if (function.self.is_array()) {
    call.run.charge(function.self.array->items.size() / 4);
  } else if (function.self.is_object()) {
    call.run.charge(function.self.object->entries.size() / 4);
  }
  return function.builtin(call);
}

int method_number(std::string_view name) {
  return table().number(name);
}

Builtin method_of(Kind kind, int number) {
  return number == kNoMethod ? nullptr : table().method(kind, number);
}

Builtin test_named(std::string_view name) {
  return find_row(tests(), name);
}

Builtin global_function(std::string_view name) {
  constexpr std::string_view kTest = "test_is_";
  return name.starts_with(kTest) ? test_named(name.substr(kTest.size()))
                                 : find_row(global_functions(), name);
}

}  // namespace weir::jinja
