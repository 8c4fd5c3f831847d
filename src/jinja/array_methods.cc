// The methods of arrays and tuples.

#include <algorithm>
#include <cmath>
#include <string>

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

// An attribute of items: the name of a member, or an index. None when undefined.
struct Attribute {
  explicit Attribute(const Value& its_value) : value(its_value) {}
  bool is_given() const { return !value.is_undefined(); }
  bool fits(const Value& item) const { return value.is_int() ? item.is_array() : item.is_object(); }
  // Of an item that it fits; null when the item has it not.
  const Value* find_in(Rendering& run, const Value& item) const {
    return value.is_int() ? item_at(*item.array, value.integer) : find(run, *item.object, value);
  }
  Value of(Rendering& run, const Value& item) const {
    const Value* const found = find_in(run, item);
    if (found == nullptr) {
      throw RenderFailure("an item without the attribute asked for");
    }
    return *found;
  }
  const Value value;
};

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
  if (attribute.is_given() && !attribute.value.is_string() && !attribute.value.is_int()) {
    throw RenderFailure("an attribute that is neither a name nor an index");
  }
  const Value between = separator.is_undefined() ? Value::string("") : to_text(call.run, separator);
  std::string out;
  const auto& items = call.at(0).array->items;
  for (std::size_t i = 0; i < items.size(); ++i) {
    const bool takes_member = attribute.is_given() && attribute.fits(items[i]);
    const Value item = takes_member ? attribute.of(call.run, items[i]) : items[i];
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

// Items that the attribute does not fit, or that have it not, become the default.
Value map(Call& call) {
  call.expect_count(2);
  if (!call.at(1).is(Kind::kKeyword)) {
    throw RenderFailure("map takes an attribute only");
  }
  const Attribute attribute(call.named_or_at("attribute", 1));
  if (!attribute.value.is_string() && !attribute.value.is_int()) {
    throw RenderFailure("an attribute that is neither a name nor an index");
  }
  const Value fallback = call.named("default");
  Array* const mapped = new_array(call.run);
  for (const Value& item : call.at(0).array->items) {
    const Value* const found = attribute.fits(item) ? attribute.find_in(call.run, item) : nullptr;
    mapped->items.push_back(found != nullptr ? *found : fallback);
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
  const auto& items = call.at(0).array->items;
  for (const Value& item : items) {
    if (attribute.is_given() && items.size() > 1 && !attribute.fits(item)) {
      throw RenderFailure("sort by an attribute that an item cannot have");
    }
    keyed.push_back(
        {attribute.is_given() && items.size() > 1 ? attribute.of(call.run, item) : item, item});
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
  if (!call.named_or_at("attribute", 2).is_undefined()) {
    throw RenderFailure("min and max by an attribute, which llama.cpp has not");
  }
  const auto& items = call.at(0).array->items;
  Value best = items.empty() ? Value::undefined() : items.front();
  for (const Value& item : items) {
    best = compare(call.run, item, best, wins) ? item : best;
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
