// The methods of arrays and tuples.

#include <algorithm>
#include <string>

#include "attribute.h"
#include "failure.h"
#include "json_text.h"
#include "methods.h"
#include "rendering.h"
#include "slices.h"
#include "sorting.h"
#include "text.h"

namespace weir::jinja {
namespace {

Value like(const Value& self, Array* array) {
  return self.is(Kind::kTuple) ? Value::tuple(array) : Value::list(array);
}

Array* copy_of(Rendering& run, const Array& array) {
  Array* const copy = new_array(run);
  copy->items = array.items;
  return copy;
}

Array& changeable(const Value& self) {
  if (is_immutable(self)) {
    throw RenderFailure("a tuple cannot be changed");
  }
  return *self.array;
}

Value list(Call& call) {
  return Value::list(copy_of(call.run, *call.at(0).array));
}

Value first(Call& call) {
  const auto& items = call.at(0).array->items;
  return items.empty() ? Value::undefined() : items.front();
}

Value last(Call& call) {
  const auto& items = call.at(0).array->items;
  return items.empty() ? Value::undefined() : items.back();
}

Value length(Call& call) {
  return Value::number(static_cast<std::int64_t>(call.at(0).array->items.size()));
}

Value slice(Call& call) {
  const auto& items = call.at(0).array->items;
  const Range range = range_of_slice(call, items.size());
  Array* const part = new_array(call.run);
  part->items.reserve(range.count);
  for (std::size_t i = 0; i < range.count; ++i) {
    part->items.push_back(
        items[static_cast<std::size_t>(range.first + static_cast<std::int64_t>(i) * range.step)]);
  }
  return like(call.at(0), part);
}

Value join(Call& call) {
  call.expect_count(1, 3);
  const Value separator = call.named_or_at("d", 1);
  const Attribute attribute(call.named_or_at("attribute", 2));
  const Value between = separator.is_undefined() ? Value::string("") : to_text(call.run, separator);
  std::string out;
  const auto& items = call.at(0).array->items;
  for (std::size_t i = 0; i < items.size(); ++i) {
    const Value item = attribute.key_of(call.run, items[i]);
    if (!item.is_string() && !item.is_number()) {
      throw RenderFailure("join joins strings and numbers only");
    }
    out += i > 0 ? between.view() : "";
    out += to_text(call.run, item).view();
    call.run.check_memory(out.size());
    call.run.charge_bytes(between.size);
  }
  return new_string(call.run, out);
}

Value string(Call& call) {
  if (call.run.is_watched()) {
    call.run.note_use(call.at(0), true);
  }
  return to_text(call.run, call.at(0));
}

// Items that have the attribute not become the default.
Value map(Call& call) {
  call.expect_count(2);
  if (!call.at(1).is(Kind::kKeyword)) {
    throw RenderFailure("map takes an attribute only");
  }
  const Attribute attribute(call.named_or_at("attribute", 1));
  const Value fallback = call.named("default");
  Array* const mapped = new_array(call.run);
  for (const Value& item : call.at(0).array->items) {
    mapped->items.push_back(attribute.of(call.run, item, fallback));
  }
  return like(call.at(0), mapped);
}

Value append(Call& call) {
  call.expect_count(2);
  changeable(call.at(0)).items.push_back(call.at(1));
  return call.at(0);
}

Value pop(Call& call) {
  call.expect_count(1, 2);
  const std::int64_t index = call.size() == 2 ? integer_of(call.at(1)) : -1;
  Array& array = changeable(call.at(0));
  Value* const found = item_at(array, index);
  if (found == nullptr) {
    throw RenderFailure("pop of an item that is not there");
  }
  const Value item = *found;
  array.items.erase(array.items.begin() + (found - array.items.data()));
  return item;
}

Value sort(Call& call) {
  call.expect_count(1, 4);
  const bool descends = truth_of(call.named_or_at("reverse", 1));
  const Attribute attribute(call.named_or_at("attribute", 3));
  std::vector<Keyed<Value>> keyed;
  for (const Value& item : call.at(0).array->items) {
    keyed.push_back({attribute.key_of(call.run, item), item});
  }
  sort_by_key(call.run, keyed, descends);
  Array* const sorted = new_array(call.run);
  for (const auto& [key, item] : keyed) {
    sorted->items.push_back(item);
  }
  return like(call.at(0), sorted);
}

Value reverse(Call& call) {
  Array* const reversed = copy_of(call.run, *call.at(0).array);
  std::reverse(reversed->items.begin(), reversed->items.end());
  return like(call.at(0), reversed);
}

template <Order wins>
Value extreme(Call& call) {
  call.expect_count(1, 4);
  const Attribute attribute(call.named_or_at("attribute", 2));
  const auto& items = call.at(0).array->items;
  Value best = items.empty() ? Value::undefined() : items.front();
  for (const Value& item : items) {
    if (compare(call.run, attribute.key_of(call.run, item), attribute.key_of(call.run, best),
                wins)) {
      best = item;
    }
  }
  return best;
}

Value unique(Call&) {
  throw RenderFailure("unique, which llama.cpp has not");
}

constexpr NamedBuiltin kMethods[] = {
    {"default", default_method},
    {"list", list},
    {"first", first},
    {"last", last},
    {"length", length},
    {"slice", slice},
    {"selectattr", select_method},
    {"select", select_method},
    {"rejectattr", reject_method},
    {"reject", reject_method},
    {"join", join},
    {"string", string},
    {"tojson", tojson},
    {"map", map},
    {"append", append},
    {"pop", pop},
    {"sort", sort},
    {"reverse", reverse},
    {"min", extreme<Order::kLess>},
    {"max", extreme<Order::kGreater>},
    {"unique", unique},
};

}  // namespace

std::span<const NamedBuiltin> array_methods() {
  return kMethods;
}

}  // namespace weir::jinja
