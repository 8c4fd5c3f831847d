// The methods of strings. Lengths and indexes count bytes, as in llama.cpp.

#include "string_methods.h"

#include <cstdlib>
#include <limits>

#include "ascii.h"
#include "failure.h"
#include "json_text.h"
#include "methods.h"
#include "rendering.h"
#include "slices.h"
#include "text.h"

namespace weir::jinja {
namespace {

// A new string with the letters of `text` changed and its cuts kept. `change` gets each letter, and
// whether a piece begins with it.
template <class Change>
Value changed(Rendering& run, const Value& text, Change change) {
  const std::vector<std::size_t> cuts = cuts_of(text);
  std::string letters(text.view());
  auto cut = cuts.begin();
  for (std::size_t i = 0; i < letters.size(); ++i) {
    const bool begins = i == 0 || (cut != cuts.end() && *cut == i);
    cut += begins && i > 0 ? 1 : 0;
    letters[i] = change(letters[i], begins);
  }
  return string_with_cuts(run, letters, cuts);
}

Value upper(Call& call) {
  return changed(call.run, call.at(0), [](char c, bool) { return to_ascii_upper(c); });
}

Value lower(Call& call) {
  return changed(call.run, call.at(0), [](char c, bool) { return to_ascii_lower(c); });
}

Value capitalize(Call& call) {
  return changed(call.run, call.at(0), [](char c, bool begins) {
    return begins ? to_ascii_upper(c) : to_ascii_lower(c);
  });
}

Value title(Call& call) {
  bool after_blank = true;
  return changed(call.run, call.at(0), [&](char c, bool begins) {
    const bool first = (after_blank || begins) && !is_ascii_space(c);
    after_blank = is_ascii_space(c);
    return first ? to_ascii_upper(c) : to_ascii_lower(c);
  });
}

Value stripped(Call& call, bool left, bool right) {
  const Value chars = call.named_or_at("chars", 1);
  const Value set = chars.is_undefined() ? Value::string("") : to_text(call.run, chars);
  const auto goes = [&](char c) {
    return chars.is_undefined() ? is_ascii_space(c) : set.view().find(c) != std::string_view::npos;
  };
  Value text = call.at(0).unmarked();
  const char* end = text.data + text.size;
  call.run.charge_search(text.size, set.size);
  while (left && text.data < end && goes(*text.data)) {
    ++text.data;
  }
  while (right && end > text.data && goes(end[-1])) {
    --end;
  }
  text.size = static_cast<std::size_t>(end - text.data);
  return text;
}

Value strip(Call& call) {
  return stripped(call, true, true);
}
Value lstrip(Call& call) {
  return stripped(call, true, false);
}
Value rstrip(Call& call) {
  return stripped(call, false, true);
}

Value length(Call& call) {
  return Value::number(static_cast<std::int64_t>(call.at(0).size));
}

Value startswith(Call& call) {
  call.expect_count(2);
  call.expect_string(1);
  return Value::boolean(call.at(0).view().starts_with(call.at(1).view()));
}

Value endswith(Call& call) {
  call.expect_count(2);
  call.expect_string(1);
  return Value::boolean(call.at(0).view().ends_with(call.at(1).view()));
}

// Only empty braces are filled in; others fail, as in llama.cpp.
Value format(Call& call) {
  const std::string_view text = call.at(0).view();
  Value all = Value::string("");
  std::size_t next = 1;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t brace = std::min(text.find('{', at), text.size());
    all = concat(call.run, all, Value::string(text.substr(at, brace - at)));
    if (brace == text.size()) {
      break;
    }
    if (!text.substr(brace).starts_with("{}")) {
      throw RenderFailure("format fills in {} only");
    }
    all = concat(call.run, all, to_text(call.run, call.at(next++)));
    at = brace + 2;
  }
  return all;
}

Value to_int(Call& call) {
  const Value fallback = call.named_or_at("default", 1);
  const Value base_value = call.named_or_at("base", 2);
  const std::int64_t base = base_value.is_undefined() ? 10 : integer_of(base_value);
  if (base != 0 && (base < 2 || base > 36)) {
    throw RenderFailure("a base that is neither 0 nor from 2 to 36");
  }
  const std::string text(call.at(0).view());
  char* end = nullptr;
  errno = 0;
  const long long number = std::strtoll(text.c_str(), &end, static_cast<int>(base));
  using Limits = std::numeric_limits<int>;
  if (end != text.c_str() && errno == 0 && number >= Limits::min() && number <= Limits::max()) {
    return Value::number(static_cast<std::int64_t>(number));
  }
  return Value::number(fallback.is_undefined() ? std::int64_t{0} : integer_of(fallback));
}

Value to_float(Call& call) {
  const Value fallback = call.named_or_at("default", 1);
  const std::string text(call.at(0).view());
  char* end = nullptr;
  errno = 0;
  const double number = std::strtod(text.c_str(), &end);
  if (end != text.c_str() && errno == 0) {
    return Value::number(number);
  }
  return Value::number(fallback.is_undefined() ? 0.0 : real_of(fallback));
}

Value string(Call& call) {
  return call.at(0).unmarked();
}

Value safe(Call& call) {
  return call.at(0);
}

Value slice(Call& call) {
  const Value& text = call.at(0);
  const Range range = range_of_slice(call, text.size);
  if (range.step == 1) {
    return Value::string(text.view().substr(static_cast<std::size_t>(range.first), range.count));
  }
  std::string bytes;
  for (std::size_t i = 0; i < range.count; ++i) {
    bytes += text.data[range.first + static_cast<std::int64_t>(i) * range.step];
  }
  return new_string(call.run, bytes);
}

Value join(Call&) {
  throw RenderFailure("llama.cpp joins arrays only");
}

constexpr NamedBuiltin kMethods[] = {
    {"default", default_method},
    {"upper", upper},
    {"lower", lower},
    {"strip", strip},
    {"rstrip", rstrip},
    {"lstrip", lstrip},
    {"title", title},
    {"capitalize", capitalize},
    {"length", length},
    {"startswith", startswith},
    {"endswith", endswith},
    {"split", split_method},
    {"rsplit", rsplit_method},
    {"replace", replace_method},
    {"format", format},
    {"int", to_int},
    {"float", to_float},
    {"string", string},
    {"slice", slice},
    {"safe", safe},
    {"tojson", tojson},
    {"indent", indent_method},
    {"join", join},
};

}  // namespace

std::span<const NamedBuiltin> string_methods() {
  return kMethods;
}

}  // namespace weir::jinja
