#include <algorithm>

#include "failure.h"
#include "methods.h"
#include "rendering.h"
#include "string_methods.h"
#include "text.h"

namespace weir::jinja {
namespace {

struct Split {
  std::string_view text;
  std::string_view separator;
  std::int64_t count_max;  // below 0: all
};

// One space is the separator when none is given; Python would split at any blanks.
Split split_of(Call& call) {
  call.expect_count(1, 3);
  Split split;
  split.text = call.at(0).view();
  split.separator = call.size() > 1 ? to_text(call.run, call.at(1)).view() : " ";
  if (split.separator.empty()) {
    throw RenderFailure("an empty separator");
  }
  split.count_max = call.size() > 2 ? integer_of(call.at(2)) : -1;
  call.run.charge_search(split.text.size(), split.separator.size());
  return split;
}

}  // namespace

Value split_method(Call& call) {
  Split split = split_of(call);
  Array* const pieces = new_array(call.run);
  while (split.count_max-- != 0) {
    const std::size_t found = split.text.find(split.separator);
    if (found == std::string_view::npos) {
      break;
    }
    call.run.charge(1);
    pieces->items.push_back(Value::string(split.text.substr(0, found)));
    split.text.remove_prefix(found + split.separator.size());
  }
  pieces->items.push_back(Value::string(split.text));
  return Value::list(pieces);
}

Value rsplit_method(Call& call) {
  Split split = split_of(call);
  Array* const pieces = new_array(call.run);
  while (split.count_max-- != 0) {
    const std::size_t found = split.text.rfind(split.separator);
    if (found == std::string_view::npos) {
      break;
    }
    call.run.charge(1);
    pieces->items.push_back(Value::string(split.text.substr(found + split.separator.size())));
    split.text = split.text.substr(0, found);
  }
  pieces->items.push_back(Value::string(split.text));
  std::reverse(pieces->items.begin(), pieces->items.end());
  return Value::list(pieces);
}

namespace {

// `by` before each byte of `text` and behind the last.
Value interspersed(Rendering& run, std::string_view text, std::string_view by) {
  std::string out(by);
  for (const char c : text) {
    out += c;
    out += by;
    run.check_memory(out.size());
  }
  return new_string(run, out);
}

}  // namespace

Value replace_method(Call& call) {
  call.expect_count(3);
  call.expect_string(1);
  call.expect_string(2);
  if (call.size() > 3 && integer_of(call.at(3)) > 0) {
    throw RenderFailure("replace with a count, which llama.cpp has not");
  }
  const std::string_view text = call.at(0).view();
  const std::string_view old = call.at(1).view();
  const std::string_view by = call.at(2).view();
  if (old == by) {
    return Value::string(text);
  }
  if (old.empty()) {
    return interspersed(call.run, text, by);
  }
  call.run.charge_search(text.size(), old.size());
  std::size_t found = text.find(old);
  if (found == std::string_view::npos) {
    return Value::string(text);
  }
  std::string out;
  std::size_t copied = 0;
  for (; found != std::string_view::npos; found = text.find(old, copied)) {
    call.run.check_memory(out.size() + by.size());
    call.run.charge_bytes(by.size());
    out.append(text, copied, found - copied).append(by);
    copied = found + old.size();
  }
  out.append(text, copied);
  return new_string(call.run, out);
}

// Empty lines at the start vanish, as in llama.cpp.
Value indent_method(Call& call) {
  call.expect_count(1, 4);
  const Value width = call.named_or_at("width", 1);
  const bool first = truth_of(call.named_or_at("first", 2));
  const bool blank = truth_of(call.named_or_at("blank", 3));
  std::string indentation = "    ";
  if (width.is_int()) {
    call.run.check_memory(static_cast<std::size_t>(width.integer));  // negative: too much
    indentation.assign(static_cast<std::size_t>(width.integer), ' ');
  } else if (width.is_string()) {
    indentation = width.view();
  }
  const std::string_view text = call.at(0).view();
  std::string out;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    const std::string_view line = text.substr(at, end - at);
    call.run.check_memory(out.size() + indentation.size());
    call.run.charge(1 + indentation.size() / 256);
    const bool indents = out.empty() ? first : !line.empty() || blank;
    out += out.empty() ? "" : "\n";
    out += indents ? indentation : "";
    out += line;
    at = end + 1;
  }
  if (text.ends_with('\n')) {
    out += '\n';
    out += blank ? indentation : "";
  }
  return new_string(call.run, out);
}

}  // namespace weir::jinja
