#pragma once

// Our own small JSON reader. Why not the library: it refuses half surrogate pairs and 1e400, which
// clients send, it gives no byte offsets, and its tree costs many times the body.
//
// There is no tree at all. `check_json` walks over the text once and says whether it is strict JSON
// (RFC 8259); after that a JsonView is nothing but the piece of text that one value takes, and the
// cursors step over members and elements by skipping text that is known to be good. No memory is
// allocated but for strings that hold escapes. Nothing here calls itself, so no nesting can exhaust
// the stack.
//
// Tolerated, as llama-server's parser does: a byte order mark at the start. Tolerated beyond it:
// half surrogate pairs (read as U+FFFD) and numbers of any size. Of equal keys the last one counts.

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "weir/base/result.h"

namespace weir::openai {

// More levels than any client nests, few enough for every upstream's own parser.
inline constexpr std::size_t kJsonDepthMax = 256;

enum class JsonKind { kAbsent, kNull, kBool, kNumber, kString, kArray, kObject };

// The text of one value, without white space around it. Borrows the body. A default one is absent.
class JsonView {
 public:
  JsonView() = default;
  explicit JsonView(std::string_view raw) : raw_(raw) {}

  JsonKind kind() const;
  bool is(JsonKind kind) const { return this->kind() == kind; }
  bool is_absent() const { return raw_.empty(); }
  std::string_view raw() const { return raw_; }

  bool is_true() const { return raw_ == "true"; }
  bool is_empty_container() const;

  // The decoded string: a piece of the body when it has no escapes, else decoded into `storage`.
  // "" when this is no string.
  std::string_view text(std::string& storage) const;
  void append_text(std::string& out) const;
  bool equals(std::string_view text) const;

  // A number that fits; nullopt for anything else.
  std::optional<double> number() const;

  // The member `name` of this object (the last of equal ones), or an absent view.
  JsonView member(std::string_view name) const;

 private:
  std::string_view raw_;
};

// for (MemberCursor at(object); at.next();) { at.key(); at.value(); }
// Has no members when the view is no object.
class MemberCursor {
 public:
  explicit MemberCursor(JsonView object);
  bool next();
  JsonView key() const { return key_; }
  JsonView value() const { return value_; }

 private:
  std::string_view rest_;
  JsonView key_;
  JsonView value_;
};

// The same for the elements of an array.
class ElementCursor {
 public:
  explicit ElementCursor(JsonView array);
  bool next();
  JsonView value() const { return value_; }

 private:
  std::string_view rest_;
  JsonView value_;
};

// Bytes of the value at the front of `text`, as far as it can be told without checking it. For a
// value in the middle of a text that is not read as a whole; check what was cut out.
std::size_t good_value_length(std::string_view text);

// The whole text as one value. kBadJson names the byte where it stops being JSON; `name` says in
// the message what was read.
base::Result<JsonView> read_json(std::string_view text, std::string_view name);

}  // namespace weir::openai
