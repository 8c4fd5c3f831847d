#include "failure.h"
#include "nodes.h"
#include "program.h"
#include "rendering.h"

namespace weir::jinja {

Flow Statement::execute(Rendering& run) const {
  run.charge(1);
  const Descent descent(run);
  run.at(offset);
  const std::size_t start = run.output_size();
  const Flow flow = act(run);
  if (flow != Flow::kOn) {
    run.truncate_output(start);
  }
  return flow;
}

Flow execute_all(const Statements& statements, Rendering& run) {
  for (const auto& statement : statements) {
    const Flow flow = statement->execute(run);
    if (flow != Flow::kOn) {
      return flow;
    }
  }
  return Flow::kOn;
}

Flow Text::act(Rendering& run) const {
  run.append(text);
  return Flow::kOn;
}

Flow Output::act(Rendering& run) const {
  run.print(expression->evaluate(run));
  return Flow::kOn;
}

Flow If::act(Rendering& run) const {
  for (const Branch& branch : branches) {
    if (!branch.condition || truth_of(branch.condition->evaluate(run))) {
      return execute_all(branch.body, run);
    }
  }
  return Flow::kOn;
}

Targets::Targets(ExpressionPtr expression) : source(std::move(expression)) {
  const auto name_of = [](const Expression* node) {
    const auto* const identifier = dynamic_cast<const Identifier*>(node);
    return identifier == nullptr ? nullptr : &identifier->name;
  };
  if (const Name* const name = name_of(source.get())) {
    is_name = true;
    names.push_back(name);
    return;
  }
  const auto* const list = dynamic_cast<const ListLiteral*>(source.get());
  if (list != nullptr && list->kind == Kind::kTuple) {
    is_tuple = true;
    for (const ExpressionPtr& item : list->items) {
      names.push_back(name_of(item.get()));
    }
  }
}

const Array& unpacked(const Targets& targets, const Value& value) {
  if (!value.is_array()) {
    throw RenderFailure(std::string(kind_name(value.kind)) + " cannot be unpacked");
  }
  if (value.array->items.size() != targets.names.size()) {
    throw RenderFailure("as many values as names are needed for unpacking");
  }
  return *value.array;
}

void set_targets(Rendering& run, const Targets& targets, const Value& value) {
  if (targets.is_name) {
    return run.variables().set(targets.names.front()->symbol, value);
  }
  const Array& values = unpacked(targets, value);
  for (std::size_t i = 0; i < targets.names.size(); ++i) {
    if (targets.names[i] == nullptr) {
      throw RenderFailure("something to the left of '=' or 'in' that is no name");
    }
    run.variables().set(targets.names[i]->symbol, values.items[i]);
  }
}

namespace {

void set_member(Rendering& run, const Expression* target, const Value& value) {
  const auto* const member = dynamic_cast<const Member*>(target);
  if (member == nullptr || member->name == nullptr) {
    throw RenderFailure("something to the left of '=' that cannot be set");
  }
  const Value subject = member->object->evaluate(run);
  if (!subject.is_object()) {
    throw RenderFailure("a member of " + std::string(kind_name(subject.kind)) + " cannot be set");
  }
  insert(run, *subject.object, Value::string(member->name->text), value);
}

}  // namespace

Flow Set::act(Rendering& run) const {
  Value given;
  if (value) {
    given = value->evaluate(run);
  } else {
    const std::size_t start = run.begin_capture();
    const Flow flow = execute_all(body, run);
    given = run.end_capture(start);
    if (flow != Flow::kOn) {
      return flow;
    }
  }
  if (targets.is_name || targets.is_tuple) {
    set_targets(run, targets, given);
  } else {
    set_member(run, targets.source.get(), given);
  }
  return Flow::kOn;
}

Flow FilterBlock::act(Rendering& run) const {
  const std::size_t start = run.begin_capture();
  const Flow flow = execute_all(body, run);
  const Value text = run.end_capture(start);
  if (flow == Flow::kOn) {
    run.print(filter.apply(run, text));
  }
  return flow;
}

}  // namespace weir::jinja
