#pragma once

// Sorting by values as llama.cpp compares them.

#include <algorithm>
#include <cmath>
#include <vector>

#include "rendering.h"
#include "value.h"

namespace weir::jinja {

template <class Item>
struct Keyed {
  Value key;
  Item item;
};

// Whether compare() orders the keys without contradiction: all numbers, or all strings.
template <class Item>
bool has_order(const std::vector<Keyed<Item>>& items) {
  const auto all = [&](auto fits) { return std::all_of(items.begin(), items.end(), fits); };
  return all([](const Keyed<Item>& item) { return item.key.is_string(); }) ||
         all([](const Keyed<Item>& item) {
           return item.key.is_number() && !(item.key.is(Kind::kFloat) && std::isnan(item.key.real));
         });
}

// What std::sort makes of up to 16 items, also where the order contradicts itself.
template <class Item, class Precedes>
void insertion_sort(std::vector<Keyed<Item>>& items, Precedes precedes) {
  for (std::size_t i = 1; i < items.size(); ++i) {
    std::size_t place = precedes(items[i], items[0]) ? 0 : i;
    while (place > 1 && precedes(items[i], items[place - 1])) {
      --place;
    }
    std::rotate(items.begin() + static_cast<std::ptrdiff_t>(place),
                items.begin() + static_cast<std::ptrdiff_t>(i),
                items.begin() + static_cast<std::ptrdiff_t>(i) + 1);
  }
}

// As std::sort does it in llama.cpp, so that equal keys end in the same order. Where the keys have
// no order std::sort may run over the ends; the two others do not.
template <class Item>
void sort_by_key(Rendering& run, std::vector<Keyed<Item>>& items, bool descends) {
  constexpr std::size_t kFewItems = 16;
  const auto precedes = [&](const Keyed<Item>& a, const Keyed<Item>& b) {
    run.charge(1);
    return compare(run, a.key, b.key, descends ? Order::kGreater : Order::kLess);
  };
  if (has_order(items)) {
    std::sort(items.begin(), items.end(), precedes);
  } else if (items.size() <= kFewItems) {
    insertion_sort(items, precedes);
  } else {
    std::stable_sort(items.begin(), items.end(), precedes);
  }
}

}  // namespace weir::jinja
