#pragma once

// What can be called: functions, methods and filters (one thing: `x | f(1)` is `x.f(1)`), tests,
// and the macros of a template.

#include <array>
#include <cstddef>
#include <string_view>

#include "value.h"

namespace weir::jinja {

class Environment;
struct MacroBody;

// The arguments of one call, and where it happens.
class Call {
 public:
  Call(Rendering& rendering, std::string_view function) : run(rendering), name(function) {}
  Call(const Call&) = delete;
  Call& operator=(const Call&) = delete;

  void add(const Value& value);
  void add_front(const Value& value);

  std::size_t size() const { return size_; }
  const Value& operator[](std::size_t index) const { return values_[index]; }

  // The argument at `index`; RenderFailure, or undefined, when there are fewer.
  const Value& at(std::size_t index) const;
  Value at_or_undefined(std::size_t index) const;
  // The one given by name, or undefined.
  Value named(std::string_view keyword) const;
  // The one given by name, else the one at `index`, else undefined.
  Value named_or_at(std::string_view keyword, std::size_t index) const;

  void expect_count(std::size_t min, std::size_t max = 999) const;
  void expect_string(std::size_t index) const;  // fails when it is there and none
  void expect_int(std::size_t index) const;

  Rendering& run;
  std::string_view name;

 private:
  static constexpr std::size_t kInline = 6;

  void reserve_one();

  std::array<Value, kInline> inline_;
  std::size_t size_ = 0;
  std::size_t capacity_ = kInline;
  Value* values_ = inline_.data();
};

using Builtin = Value (*)(Call&);

struct Function {
  std::string_view name;
  Builtin builtin = nullptr;         // or
  const MacroBody* macro = nullptr;  // a macro, or the block of {% call %}
  Environment* captured = nullptr;   // of such a block: the variables that it sees
  Value self;
  bool has_self = false;
};

Value invoke(const Function& function, Call& call);
Value invoke_macro(const Function& function, Call& call);  // one with a macro

// All names of methods have a number, so that a template looks each name up once.
constexpr int kNoMethod = -1;
int method_number(std::string_view name);
Builtin method_of(Kind kind, int number);  // null when `kind` has it not
// `subject.name`, or undefined.
Value bound_method(Rendering& run, const Value& subject, std::string_view name, int number);

// Functions by name; a test is there as test_is_NAME, too. Null when there is none.
Builtin global_function(std::string_view name);
Builtin test_named(std::string_view name);

struct NamedBuiltin {
  std::string_view name;
  Builtin function;
};

}  // namespace weir::jinja
