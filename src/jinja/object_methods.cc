// The methods of objects. They have no default: gpt-oss has an argument of that name.

#include "failure.h"
#include "json_text.h"
#include "methods.h"
#include "rendering.h"
#include "sorting.h"
#include "text.h"

namespace weir::jinja {
namespace {

Value get(Call& call) {
  call.expect_count(2, 3);
  if (!call.at(1).is_string()) {
    throw RenderFailure("get takes a string");
  }
  const Value* const found = find(call.run, *call.at(0).object, call.at(1));
  if (found != nullptr) {
    return *found;
  }
  return call.size() == 3 ? call.at(2) : Value::none();
}

template <class Pick>
Value listed(Call& call, Pick pick) {
  Array* const list = new_array(call.run);
  list->items.reserve(call.at(0).object->entries.size());
  for (const Entry& entry : call.at(0).object->entries) {
    list->items.push_back(pick(entry));
  }
  return Value::list(list);
}

Value keys(Call& call) {
  return listed(call, [](const Entry& entry) { return entry.key; });
}

Value values(Call& call) {
  return listed(call, [](const Entry& entry) { return entry.value; });
}

Value items(Call& call) {
  return listed(call, [&](const Entry& entry) {
    Array* const pair = new_array(call.run);
    pair->items.assign({entry.key, entry.value});
    return Value::tuple(pair);
  });
}

Value string(Call& call) {
  if (call.run.is_watched()) {
    call.run.note_use(call.at(0), true);
  }
  return to_text(call.run, call.at(0));
}

Value length(Call& call) {
  return Value::number(static_cast<std::int64_t>(call.at(0).object->entries.size()));
}

// A sorted object, where Python has a list of pairs.
Value dictsort(Call& call) {
  const Value by = call.named_or_at("by", 2);
  const bool by_value = by.is_string() && by.view() == "value";
  const bool descends = truth_of(call.named_or_at("reverse", 3));
  std::vector<Keyed<Entry>> keyed;
  for (const Entry& entry : call.at(0).object->entries) {
    keyed.push_back({by_value ? entry.value : entry.key, entry});
  }
  sort_by_key(call.run, keyed, descends);
  auto* const sorted = call.run.arena().make<Object>(call.run.arena().resource());
  for (const auto& [key, entry] : keyed) {
    sorted->entries.push_back(entry);
  }
  return Value::dictionary(sorted);
}

Value join(Call&) {
  throw RenderFailure("llama.cpp joins arrays only");
}

constexpr NamedBuiltin kMethods[] = {
    {"get", get},       {"keys", keys},         {"values", values},
    {"items", items},   {"tojson", tojson},     {"string", string},
    {"length", length}, {"dictsort", dictsort}, {"join", join},
};

}  // namespace

std::span<const NamedBuiltin> object_methods() {
  return kMethods;
}

}  // namespace weir::jinja
