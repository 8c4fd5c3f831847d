// select, selectattr, reject, rejectattr: llama.cpp makes no difference between the short and the
// long names. What the arguments mean depends on how many there are.

#include "attribute.h"
#include "failure.h"
#include "methods.h"
#include "rendering.h"

namespace weir::jinja {
namespace {

Builtin test_at(const Call& call, std::size_t index) {
  const Builtin test = test_named(call.at(index).view());
  if (test == nullptr) {
    throw RenderFailure("an unknown test in '" + std::string(call.name) + "'");
  }
  return test;
}

bool passes(Call& call, Builtin test, const Value& subject, const Value& argument) {
  Call inner(call.run, call.name);
  inner.add(subject);
  inner.add(argument);
  return truth_of(test(inner));
}

// (name): the member is true. (test, argument): the item passes. (name, test, argument): the member
// passes.
Value selection(Call& call, bool keeps) {
  call.expect_count(2, 4);
  call.expect_string(1);
  const std::size_t count = call.size();
  if (count == 4 && !call.at(2).is_string()) {
    throw RenderFailure("a test that is no name");
  }
  const Builtin test = count > 2 ? test_at(call, count - 2) : nullptr;
  const Attribute attribute(call.at(1));
  Array* const chosen = new_array(call.run);
  for (const Value& item : call.at(0).array->items) {
    const Value subject = count == 3 ? item : attribute.of(call.run, item);
    const bool holds =
        test == nullptr ? truth_of(subject) : passes(call, test, subject, call.at(count - 1));
    if (holds == keeps) {
      chosen->items.push_back(item);
    }
  }
  return Value::list(chosen);
}

}  // namespace

Value select_method(Call& call) {
  return selection(call, true);
}
Value reject_method(Call& call) {
  return selection(call, false);
}

}  // namespace weir::jinja
