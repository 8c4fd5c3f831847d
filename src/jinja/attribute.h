#pragma once

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <limits>
#include <optional>
#include <string_view>

#include "ascii.h"
#include "rendering.h"
#include "value.h"

namespace weir::jinja {

// An attribute of items: the name of a member, or an index, which may be written as a string of
// digits or as a boolean. None when undefined.
class Attribute {
 public:
  explicit Attribute(const Value& value) : value_(value) {
    const std::string_view text = value.is_string() ? value.view() : "";
    if (value.is_int() || value.is(Kind::kBool)) {
      index_ = integer_of(value);
    } else if (!text.empty() && std::all_of(text.begin(), text.end(), is_ascii_digit)) {
      std::int64_t index = 0;
      const auto read = std::from_chars(text.data(), text.data() + text.size(), index);
      index_ = read.ec == std::errc() ? index : std::numeric_limits<std::int64_t>::max();
    }
  }

  // `fallback` where the item has it not, or could not have it.
  Value of(Rendering& run, const Value& item, const Value& fallback = Value::undefined()) const {
    const Value* found = nullptr;
    if (item.is_array() && index_) {
      found = item_at(*item.array, *index_);
    } else if (item.is_object() && !value_.is_undefined()) {
      found = find(run, *item.object, value_);
    }
    return found != nullptr ? *found : fallback;
  }

  // The attribute when there is one, else the item itself.
  Value key_of(Rendering& run, const Value& item) const {
    return value_.is_undefined() ? item : of(run, item);
  }

 private:
  const Value value_;
  std::optional<std::int64_t> index_;
};

}  // namespace weir::jinja
