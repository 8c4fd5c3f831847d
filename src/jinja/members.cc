// object.name, object[key], object[a:b]

#include "failure.h"
#include "nodes.h"
#include "rendering.h"
#include "text.h"

namespace weir::jinja {
namespace {

constexpr std::string_view kMissing = "object_property";

Value member_of_object(Rendering& run, const Value& subject, const Value& key) {
  const Value* const found = find(run, *subject.object, key);
  if (found != nullptr && !found->is_undefined()) {
    return *found;
  }
  const std::string_view name = to_text(run, key).view();
  return bound_method(run, subject, name, method_number(name));
}

Value item_of_array(const Value& subject, std::int64_t index) {
  const Value* const found = item_at(*subject.array, index);
  return found != nullptr ? *found : Value::undefined(kMissing);
}

// One byte, as llama.cpp has it; from the end it does not count.
Value byte_of_string(const Value& subject, std::int64_t index) {
  if (index < 0 || static_cast<std::uint64_t>(index) >= subject.size) {
    return Value::undefined(kMissing);
  }
  return Value::string(subject.view().substr(static_cast<std::size_t>(index), 1));
}

Value member_of(Rendering& run, const Value& subject, const Value& key) {
  if (subject.is_object()) {
    return member_of_object(run, subject, key);
  }
  const bool is_index = key.is_int() || key.is(Kind::kBool);
  if (is_index && subject.is_array()) {
    return item_of_array(subject, integer_of(key));
  }
  if (is_index && subject.is_string()) {
    return byte_of_string(subject, integer_of(key));
  }
  if (!key.is_string()) {
    throw RenderFailure(std::string(kind_name(key.kind)) + " as the key of " +
                        std::string(kind_name(subject.kind)));
  }
  return bound_method(run, subject, key.view(), method_number(key.view()));
}

void note_access(Rendering& run, const Value& subject, const Value& key, const Value& found) {
  run.note_use(found);
  run.note_use(subject);
  run.note_use(key);
  if (key.is_int()) {
    run.note_operation(subject, "array_access");
  }
}

}  // namespace

Value bound_method(Rendering& run, const Value& subject, std::string_view name, int number) {
  if (run.is_watched()) {
    run.note_use(subject);
    run.note_operation(subject, name);
  }
  if (subject.is(Kind::kFunction) || subject.is(Kind::kKeyword)) {
    throw RenderFailure(std::string(kind_name(subject.kind)) + " has no methods");
  }
  const bool has_any = !subject.is_object() || subject.object->has_methods;
  const Builtin method = has_any ? method_of(subject.kind, number) : nullptr;
  if (method == nullptr) {
    return Value::undefined(name);
  }
  auto* const function = run.arena().make<Function>();
  function->name = name;
  function->builtin = method;
  function->self = subject;
  function->has_self = true;
  return Value::callable(function);
}

// A method hides a member of the same name, unless that is asked for in brackets.
Value Member::value(Rendering& run) const {
  const Value subject = object->evaluate(run);
  if (slice) {
    return sliced(run, subject);
  }
  if (name != nullptr) {
    const Value method = bound_method(run, subject, name->text, name->method);
    if (!method.is_undefined()) {
      return method;
    }
  }
  const Value wanted = key_value(run);
  if (wanted.is_undefined()) {
    return Value::undefined(kMissing);
  }
  if (!is_hashable(run, wanted)) {
    throw RenderFailure(std::string(kind_name(wanted.kind)) + " is no key");
  }
  if (subject.is_undefined()) {
    return Value::undefined(kMissing);
  }
  const Value found = member_of(run, subject, wanted);
  if (run.is_watched()) {
    note_access(run, subject, wanted, found);
  }
  return found;
}

Value Member::key_value(Rendering& run) const {
  if (name != nullptr) {
    return Value::string(name->text);
  }
  if (!is_static) {
    return key ? key->evaluate(run) : Value::undefined();
  }
  if (!index.is_int() || index.integer < 0) {
    throw RenderFailure("something behind '.' that is neither a name nor an index");
  }
  return index;
}

Value Member::sliced(Rendering& run, const Value& subject) const {
  std::int64_t size = 0;
  if (subject.is_array()) {
    size = static_cast<std::int64_t>(subject.array->items.size());
  } else if (subject.is_string()) {
    size = static_cast<std::int64_t>(subject.size);
  }
  const Value step = slice->step ? slice->step->evaluate(run) : Value::number(std::int64_t{1});
  const auto bound = [&](const ExpressionPtr& given, std::int64_t forward, std::int64_t backward) {
    if (given) {
      return given->evaluate(run);
    }
    return Value::number(integer_of(step) < 0 ? backward : forward);
  };
  const Value start = bound(slice->start, 0, size - 1);
  const Value stop = bound(slice->stop, size, -1);
  static const int kSlice = method_number("slice");
  const Value function = bound_method(run, subject, "slice", kSlice);
  if (function.is_undefined()) {
    throw RenderFailure("a slice of " + std::string(kind_name(subject.kind)));
  }
  Call call(run, "slice");
  call.add(start);
  call.add(stop);
  call.add(step);
  return invoke(*function.function, call);
}

}  // namespace weir::jinja
