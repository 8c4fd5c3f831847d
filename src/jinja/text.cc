#include "text.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstdio>

#include "functions.h"
#include "json_text.h"
#include "rendering.h"

namespace weir::jinja {
namespace {

void append_array(Rendering& run, std::string& out, const Value& value) {
  const Descent descent(run);
  const bool is_tuple = value.is(Kind::kTuple);
  const auto& items = value.array->items;
  out += is_tuple ? '(' : '[';
  for (std::size_t i = 0; i < items.size(); ++i) {
    out += i > 0 ? ", " : "";
    append_quoted(run, out, items[i]);
  }
  out += is_tuple && items.size() == 1 ? "," : "";
  out += is_tuple ? ')' : ']';
}

void append_object(Rendering& run, std::string& out, const Value& value) {
  const Descent descent(run);
  const auto& entries = value.object->entries;
  out += '{';
  for (std::size_t i = 0; i < entries.size(); ++i) {
    out += i > 0 ? ", " : "";
    append_quoted(run, out, entries[i].key);
    out += ": ";
    append_quoted(run, out, entries[i].value);
  }
  out += '}';
}

void append_string(Rendering& run, std::string& out, std::string_view text) {
  if (text.find('\'') != std::string_view::npos) {
    append_json(run, out, Value::string(text), JsonStyle());
    return;
  }
  out += '\'';
  out += text;
  out += '\'';
}

void append_function(Rendering& run, std::string& out, const Function& function) {
  out += "Function<";
  out += function.name;
  out += ">(";
  if (function.has_self) {
    append_quoted(run, out, function.self);
  }
  out += ')';
}

// Room for `bytes` more, and some.
Buffer* new_buffer(Rendering& run, std::size_t bytes) {
  const std::size_t capacity = bytes + bytes / 2 + 32;
  auto* const buffer = run.arena().make<Buffer>(
      Buffer{nullptr, 0, capacity, std::pmr::vector<std::size_t>(run.arena().resource())});
  buffer->bytes = run.arena().bytes(capacity);
  return buffer;
}

void append_to(Buffer& buffer, std::string_view text) {
  text.copy(buffer.bytes + buffer.used, text.size());
  buffer.used += text.size();
}

Value tail_of(Buffer& buffer, std::size_t size) {
  Value value = Value::string({buffer.bytes + buffer.used - size, size});
  value.buffer = &buffer;
  return value;
}

bool can_grow(const Value& text, std::size_t bytes) {
  const Buffer* const buffer = text.buffer;
  return buffer != nullptr && text.data + text.size == buffer->bytes + buffer->used &&
         buffer->capacity - buffer->used >= bytes;
}

void append_piece(Buffer& buffer, const Value& text) {
  const std::size_t start = buffer.used;
  if (start > 0) {
    buffer.cuts.push_back(start);
  }
  for (const std::size_t cut : cuts_of(text)) {
    buffer.cuts.push_back(start + cut);
  }
  append_to(buffer, text.view());
}

}  // namespace

void append_number(std::string& out, std::int64_t integer) {
  std::array<char, 24> digits;
  const auto end = std::to_chars(digits.data(), digits.data() + digits.size(), integer).ptr;
  out.append(digits.data(), end);
}

void append_number(std::string& out, double real) {
  std::array<char, 400> digits;  // the largest double has 309 digits before the point
  const int size = std::snprintf(digits.data(), digits.size(), "%f", real);
  std::string_view text(digits.data(), static_cast<std::size_t>(size));
  text = text.substr(0, text.find_last_not_of('0') + 1);
  out += text;
  out += text.ends_with('.') ? "0" : "";
}

void append_python_float(std::string& out, double real) {
  if (!std::isfinite(real)) {
    out += std::isnan(real) ? "NaN" : real < 0 ? "-Infinity" : "Infinity";
    return;
  }
  std::array<char, 40> shortest;
  const double size = std::fabs(real);
  const bool is_fixed = real == 0 || (size >= 1e-4 && size < 1e16);
  const auto form = is_fixed ? std::chars_format::fixed : std::chars_format::scientific;
  const auto end =
      std::to_chars(shortest.data(), shortest.data() + shortest.size(), real, form).ptr;
  const std::string_view digits(shortest.data(), static_cast<std::size_t>(end - shortest.data()));
  out += digits;
  out += is_fixed && digits.find('.') == std::string_view::npos ? ".0" : "";
}

void append_quoted(Rendering& run, std::string& out, const Value& value) {
  run.charge_bytes(value.size);
  run.charge(1);
  run.check_memory(out.size());
  switch (value.kind) {
    case Kind::kString:
      return append_string(run, out, value.view());
    case Kind::kArray:
    case Kind::kTuple:
      return append_array(run, out, value);
    case Kind::kObject:
      return append_object(run, out, value);
    case Kind::kFunction:
      return append_function(run, out, *value.function);
    case Kind::kKeyword:
      out += "KwArg";
      return;
    case Kind::kUndefined:
      out += "Undefined";
      if (value.size > 0) {
        out.append(" (hint: '").append(value.view()).append("')");
      }
      return;
    default:
      out += to_text(run, value).view();
  }
}

Value to_text(Rendering& run, const Value& value) {
  std::string out;
  switch (value.kind) {
    case Kind::kString:
      return value.unmarked();
    case Kind::kNone:
      return Value::string("None");
    case Kind::kBool:
      return Value::string(value.truth ? "True" : "False");
    case Kind::kInt:
      append_number(out, value.integer);
      break;
    case Kind::kFloat:
      append_number(out, value.real);
      break;
    case Kind::kArray:
    case Kind::kTuple:
    case Kind::kObject:
      append_quoted(run, out, value);
      break;
    default:
      throw RenderFailure(std::string(kind_name(value.kind)) + " is no string");
  }
  return new_string(run, out);
}

Value new_string(Rendering& run, std::string_view text) {
  run.charge_bytes(text.size());
  return Value::string(run.arena().copy(text));
}

Value concat(Rendering& run, const Value& a, const Value& b) {
  if (b.size == 0) {
    return a.unmarked();
  }
  if (a.size == 0) {
    return b.unmarked();
  }
  run.charge_bytes(b.size);
  const std::size_t size = a.size + b.size;
  if (can_grow(a, b.size)) {
    append_piece(*a.buffer, b);
    return tail_of(*a.buffer, size);
  }
  run.charge_bytes(a.size);
  Buffer* const buffer = new_buffer(run, size);
  append_piece(*buffer, a);
  append_piece(*buffer, b);
  return tail_of(*buffer, size);
}

std::vector<std::size_t> cuts_of(const Value& text) {
  std::vector<std::size_t> cuts;
  if (text.buffer == nullptr) {
    return cuts;
  }
  const auto start = static_cast<std::size_t>(text.data - text.buffer->bytes);
  const auto& all = text.buffer->cuts;
  for (auto cut = std::upper_bound(all.begin(), all.end(), start);
       cut != all.end() && *cut < start + text.size; ++cut) {
    cuts.push_back(*cut - start);
  }
  return cuts;
}

Value string_with_cuts(Rendering& run, std::string_view text,
                       const std::vector<std::size_t>& cuts) {
  if (cuts.empty()) {
    return new_string(run, text);
  }
  run.charge_bytes(text.size());
  Buffer* const buffer = new_buffer(run, text.size());
  append_to(*buffer, text);
  buffer->cuts.assign(cuts.begin(), cuts.end());
  return tail_of(*buffer, text.size());
}

}  // namespace weir::jinja
