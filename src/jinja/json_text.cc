#include "json_text.h"

#include <array>
#include <cstdio>

#include "failure.h"
#include "rendering.h"
#include "text.h"

namespace weir::jinja {
namespace {

void append_unicode(std::string& out, std::uint32_t unit) {
  std::array<char, 8> digits;
  std::snprintf(digits.data(), digits.size(), "\\u%04x", static_cast<unsigned>(unit));
  out += digits.data();
}

void append_string(std::string& out, std::string_view text) {
  constexpr std::string_view kSpecial = "\"\\\b\f\n\r\t";
  constexpr std::string_view kLetters = "\"\\bfnrt";
  out += '"';
  std::size_t copied = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const auto byte = static_cast<unsigned char>(text[i]);
    if (byte >= 0x20 && byte != '"' && byte != '\\') {
      continue;
    }
    out += text.substr(copied, i - copied);
    copied = i + 1;
    const std::size_t found = kSpecial.find(text[i]);
    if (found == kSpecial.npos) {
      append_unicode(out, byte);
    } else {
      out += '\\';
      out += kLetters[found];
    }
  }
  out += text.substr(copied);
  out += '"';
}

class Writer {
 public:
  Writer(Rendering& run, std::string& out, const JsonStyle& style)
      : run_(run), out_(out), style_(style) {}

  void write(const Value& value, std::int64_t level) {
    run_.charge(1);
    run_.charge_bytes(value.size);
    run_.check_memory(out_.size());
    switch (value.kind) {
      case Kind::kBool:
        out_ += value.truth ? "true" : "false";
        return;
      case Kind::kInt:
        return append_number(out_, value.integer);
      case Kind::kFloat:
        return append_python_float(out_, value.real);
      case Kind::kString:
        return append_string(out_, value.view());
      case Kind::kArray:
      case Kind::kTuple:
        return write_array(*value.array, level);
      case Kind::kObject:
        return write_object(*value.object, level);
      default:
        out_ += "null";
    }
  }

 private:
  void write_array(const Array& array, std::int64_t level) {
    const Descent descent(run_);
    out_ += '[';
    for (std::size_t i = 0; i < array.items.size(); ++i) {
      begin_item(i, level);
      write(array.items[i], level + 1);
    }
    end_items(array.items.size(), level);
    out_ += ']';
  }

  void write_object(const Object& object, std::int64_t level) {
    const Descent descent(run_);
    out_ += '{';
    for (std::size_t i = 0; i < object.entries.size(); ++i) {
      begin_item(i, level);
      write_key(object.entries[i].key);
      out_ += style_.key_separator;
      write(object.entries[i].value, level + 1);
    }
    end_items(object.entries.size(), level);
    out_ += '}';
  }

  void write_key(const Value& key) {
    std::string digits;
    if (key.is(Kind::kFloat)) {
      append_python_float(digits, key.real);
      return append_string(out_, digits);
    }
    append_string(out_, to_text(run_, key).view());
  }

  void begin_item(std::size_t index, std::int64_t level) {
    if (index > 0) {
      out_ += style_.item_separator;
    }
    new_line(level + 1);
  }

  void end_items(std::size_t count, std::int64_t level) {
    if (count > 0) {
      new_line(level);
    }
  }

  void new_line(std::int64_t level) {
    if (style_.indent < 0) {
      return;
    }
    const auto width = static_cast<std::size_t>(level) * static_cast<std::size_t>(style_.indent);
    run_.check_memory(out_.size() + width);
    run_.charge_bytes(width);
    out_ += '\n';
    out_.append(width, ' ');
  }

  Rendering& run_;
  std::string& out_;
  const JsonStyle& style_;
};

bool is_continuation(std::string_view text, std::size_t at) {
  return at < text.size() && (static_cast<unsigned char>(text[at]) & 0xC0) == 0x80;
}

// The character at `at` and its length; length 0 when there is none. As lenient as llama.cpp:
// overlong forms and surrogates pass.
std::pair<std::uint32_t, std::size_t> decode(std::string_view text, std::size_t at) {
  const auto first = static_cast<unsigned char>(text[at]);
  const std::size_t length = first < 0xC0   ? 0
                             : first < 0xE0 ? 2
                             : first < 0xF0 ? 3
                             : first < 0xF8 ? 4
                                            : 0;
  if (length == 0) {
    return {0, 0};
  }
  std::uint32_t code_point = first & (0x7Fu >> length);
  for (std::size_t i = 1; i < length; ++i) {
    if (!is_continuation(text, at + i)) {
      return {0, 0};
    }
    code_point = (code_point << 6) | (static_cast<unsigned char>(text[at + i]) & 0x3Fu);
  }
  return {code_point, length};
}

void append_escaped(std::string& out, std::uint32_t code_point) {
  if (code_point <= 0xFFFF) {
    return append_unicode(out, code_point);
  }
  code_point -= 0x10000;
  append_unicode(out, 0xD800 + ((code_point >> 10) & 0x3FF));
  append_unicode(out, 0xDC00 + (code_point & 0x3FF));
}

// `json` with the characters above 127 inside of its strings as \u....
std::string ascii_only(std::string_view json) {
  std::string out;
  bool in_string = false;
  for (std::size_t at = 0; at < json.size();) {
    const char c = json[at];
    if (in_string && c == '\\') {
      out += json.substr(at, 2);
      at += 2;
      continue;
    }
    in_string = in_string != (c == '"');
    if (!in_string || static_cast<unsigned char>(c) < 0x80) {
      out += c;
      ++at;
      continue;
    }
    const auto [code_point, length] = decode(json, at);
    append_escaped(out, length == 0 ? 0xFFFD : code_point);
    at += std::max<std::size_t>(length, 1);
  }
  return out;
}

}  // namespace

void append_json(Rendering& run, std::string& out, const Value& value, const JsonStyle& style) {
  Writer(run, out, style).write(value, 0);
}

Value tojson(Call& call) {
  call.expect_count(1, 5);
  const Value ascii = call.named_or_at("ensure_ascii", 1);
  const Value indent = call.named_or_at("indent", 2);
  const Value separators = call.named_or_at("separators", 3);
  if (call.run.is_watched()) {
    call.run.note_use(call.at(0), true);
  }
  if (truth_of(call.named_or_at("sort_keys", 4))) {
    throw RenderFailure("tojson cannot sort keys, nor can llama.cpp");
  }
  JsonStyle style;
  if (indent.is_int()) {
    style.indent = static_cast<std::int32_t>(indent.integer);
  }
  style.item_separator = style.indent < 0 ? ", " : ",";
  if (separators.is_array()) {
    const auto& items = separators.array->items;
    style.item_separator =
        items.size() > 0 ? to_text(call.run, items[0]).view() : style.item_separator;
    style.key_separator =
        items.size() > 1 ? to_text(call.run, items[1]).view() : style.key_separator;
  }
  std::string json;
  append_json(call.run, json, call.at(0), style);
  return new_string(call.run, truth_of(ascii) ? ascii_only(json) : json);
}

}  // namespace weir::jinja
