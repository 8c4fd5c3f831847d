#include "failure.h"
#include "loop_signal.h"
#include "nodes.h"
#include "rendering.h"

namespace weir::jinja {

For::For(ExpressionPtr its_targets, ExpressionPtr its_iterable, Statements its_body,
         Statements its_otherwise, const Name& its_loop)
    : targets(std::move(its_targets)),
      iterable(std::move(its_iterable)),
      selection(dynamic_cast<const Selection*>(iterable.get())),
      body(std::move(its_body)),
      otherwise(std::move(its_otherwise)),
      loop(its_loop) {
}

// One scope serves all rounds: what one round sets, the next one sees.
Flow For::act(Rendering& run) const {
  const std::size_t scopes = run.variables().scopes();
  run.variables().open_scope();
  const Expression& source = selection != nullptr ? *selection->subject : *iterable;
  const Value list = source.evaluate(run);
  if (run.is_watched()) {
    run.note_use(list);
    run.note_operation(list, "array_access");
  }
  Items items = items_of(run, list);
  if (selection != nullptr) {
    items = selected(run, items);
  }
  const bool any_completed = loop_over(run, items);
  run.variables().close_scopes(scopes);
  return any_completed ? Flow::kOn : execute_all(otherwise, run);
}

namespace {

Value pair_of(Rendering& run, const Entry& entry) {
  auto* const pair = run.arena().make<Array>(run.arena().resource());
  pair->items.assign({entry.key, entry.value});
  return Value::tuple(pair);
}

}  // namespace

// The items, or the keys of an object, or its pairs when there are several names to set.
For::Items For::items_of(Rendering& run, const Value& list) const {
  Items items;
  if (list.is_array()) {
    items.assign(list.array->items.begin(), list.array->items.end());
  } else if (list.is_object()) {
    for (const Entry& entry : list.object->entries) {
      items.push_back(targets.is_name ? entry.key : pair_of(run, entry));
    }
  } else if (!list.is_undefined()) {
    throw RenderFailure("a loop over " + std::string(kind_name(list.kind)));
  }
  run.charge(items.size());
  run.check_memory(items.size() * sizeof(Value));
  if (!items.empty() && !targets.is_name && !targets.is_tuple) {
    throw RenderFailure("a loop without a name to set");
  }
  if (targets.is_tuple) {
    for (const Value& item : items) {
      unpacked(targets, item);
    }
  }
  return items;
}

For::Items For::selected(Rendering& run, const Items& items) const {
  Items chosen;
  const std::size_t scopes = run.variables().scopes();
  for (const Value& item : items) {
    run.variables().open_scope();
    set_targets(run, targets, item);
    const bool is_chosen = truth_of(selection->condition->evaluate(run));
    run.variables().close_scopes(scopes);
    if (is_chosen) {
      chosen.push_back(item);
    }
  }
  return chosen;
}

void For::set_loop(Rendering& run, const Items& items, std::size_t index) const {
  const auto number = [](std::size_t count) {
    return Value::number(static_cast<std::int64_t>(count));
  };
  const std::size_t left = items.size() - index;
  auto* const object = run.arena().make<Object>(run.arena().resource());
  object->has_methods = false;
  object->entries.reserve(9);
  const auto add = [&](std::string_view name, const Value& value) {
    object->entries.push_back({Value::string(name), value});
  };
  add("index", number(index + 1));
  add("index0", number(index));
  add("revindex", number(left));
  add("revindex0", number(left - 1));
  add("first", Value::boolean(index == 0));
  add("last", Value::boolean(left == 1));
  add("length", number(items.size()));
  add("previtem", index > 0 ? items[index - 1] : Value::undefined("previtem"));
  add("nextitem", left > 1 ? items[index + 1] : Value::undefined("nextitem"));
  run.variables().set(loop.symbol, Value::dictionary(object));
}

// Whether a round went through to its end. One that did not counts for nothing: a loop whose every
// round continues runs its else block, too.
bool For::loop_over(Rendering& run, const Items& items) const {
  bool any_completed = false;
  for (std::size_t i = 0; i < items.size(); ++i) {
    run.charge(1);
    if (loop.is_mentioned) {
      set_loop(run, items, i);
    }
    set_targets(run, targets, items[i]);
    const Flow flow = execute_body(run);
    if (flow == Flow::kBreak) {
      break;
    }
    any_completed = any_completed || flow == Flow::kOn;
  }
  return any_completed;
}

Flow For::execute_body(Rendering& run) const {
  Rendering::Checkpoint point = run.checkpoint();
  try {
    for (const auto& statement : body) {
      point = run.checkpoint();
      const Flow flow = statement->execute(run);
      if (flow != Flow::kOn) {
        return flow;
      }
    }
    return Flow::kOn;
  } catch (const LoopSignal& signal) {
    run.restore(point);
    return signal.flow;
  }
}

}  // namespace weir::jinja
