#pragma once

// What a template works with. A Value is 32 bytes, copied freely; what does not fit lives in the
// rendering's arena, or in the caller's variables or the parsed template, which both outlive it.

#include <cstddef>
#include <cstdint>
#include <memory_resource>
#include <string_view>
#include <type_traits>
#include <vector>

namespace weir::jinja {

class Rendering;
struct Array;
struct Object;
struct Function;
struct Keyword;

enum class Kind : std::uint8_t {
  kUndefined,
  kNone,
  kBool,
  kInt,
  kFloat,
  kString,
  kArray,
  kTuple,  // an array that cannot be changed
  kObject,
  kFunction,
  kKeyword,  // name=value among the arguments of a call
};
constexpr std::size_t kKinds = 11;

// Bytes put together while rendering. A string that ends where the buffer ends can be appended to
// in place; strings made earlier see their own part only. So a + b + c copies each byte about once.
struct Buffer {
  char* bytes = nullptr;
  std::size_t used = 0;
  std::size_t capacity = 0;
  // Where a piece begins that was a string of its own. llama.cpp keeps such pieces apart, and
  // capitalize and title take each for itself.
  std::pmr::vector<std::size_t> cuts;
};

struct Value {
  Kind kind = Kind::kUndefined;
  std::uint32_t mark = 0;  // which of the prober's values this is, 0: none of them
  union {
    bool truth;
    std::int64_t integer;
    double real;
    const char* data = nullptr;  // of a string, or of what an undefined value was to be
    Array* array;
    Object* object;
    Function* function;
    Keyword* keyword;
  };
  std::size_t size = 0;      // bytes at data
  Buffer* buffer = nullptr;  // of a string that may have cuts

  static Value undefined(std::string_view hint = {}) { return text(Kind::kUndefined, hint); }
  static Value none() { return of(Kind::kNone); }
  static Value boolean(bool truth);
  static Value number(std::int64_t integer);
  static Value number(double real);
  static Value string(std::string_view text) { return Value::text(Kind::kString, text); }
  static Value tuple(Array* array) { return of_array(Kind::kTuple, array); }
  static Value list(Array* array) { return of_array(Kind::kArray, array); }
  static Value dictionary(Object* object);
  static Value callable(Function* function);
  static Value keyword_argument(Keyword* keyword);

  bool is(Kind other) const { return kind == other; }
  bool is_undefined() const { return kind == Kind::kUndefined; }
  bool is_none() const { return kind == Kind::kNone; }
  bool is_string() const { return kind == Kind::kString; }
  bool is_int() const { return kind == Kind::kInt; }
  bool is_number() const { return kind == Kind::kInt || kind == Kind::kFloat; }
  bool is_array() const { return kind == Kind::kArray || kind == Kind::kTuple; }
  bool is_object() const { return kind == Kind::kObject; }

  std::string_view view() const { return {data, size}; }  // of a string
  Value unmarked() const;                                 // the same as a new value
  Value one_piece() const;                                // of a string: the same without cuts

 private:
  static Value of(Kind kind);
  static Value text(Kind kind, std::string_view bytes);
  static Value of_array(Kind kind, Array* array);
};
static_assert(sizeof(Value) == 32 && std::is_trivially_copyable_v<Value>);

struct Array {
  explicit Array(std::pmr::memory_resource* memory) : items(memory) {}
  std::pmr::vector<Value> items;
};

struct Entry {
  Value key;
  Value value;
};

// Keeps the order in which keys came. Looking one up is a search: dictionaries of templates are
// small, and the search is charged.
struct Object {
  explicit Object(std::pmr::memory_resource* memory) : entries(memory) {}
  std::pmr::vector<Entry> entries;
  bool has_methods = true;  // the object `loop` has none
};

struct Keyword {
  std::string_view name;
  Value value;
};

// For messages.
std::string_view kind_name(Kind kind);

// Conversions that fail for kinds that have none (RenderFailure).
bool truth_of(const Value& value);
std::int64_t integer_of(const Value& value);
double real_of(const Value& value);

// The integer part, and the smallest number for what does not fit.
std::int64_t to_integer(double real);

bool is_immutable(const Value& value);
bool is_hashable(Rendering& run, const Value& value);
bool are_equal(Rendering& run, const Value& a, const Value& b);

// How the tests `eq`, `lt` and so on and the sorting filters compare: numbers by size, a number and
// a string as strings, other pairs are false.
enum class Order { kEqual, kNotEqual, kLess, kGreater, kGreaterOrEqual };
bool compare(Rendering& run, const Value& a, const Value& b, Order order);

// The value stored under `key`, or null. RenderFailure when `key` can be no key.
Value* find(Rendering& run, Object& object, const Value& key);
Value* find(Rendering& run, Object& object, std::string_view key);
void insert(Rendering& run, Object& object, const Value& key, const Value& value);

// The item at `index`, counted from the end when negative, or null.
Value* item_at(Array& array, std::int64_t index);

}  // namespace weir::jinja
