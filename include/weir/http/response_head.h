#pragma once

// The head of an upstream's answer: read leniently, kept as it came.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace weir::http {

// A header field as it stood in the head: `line` is the whole line without its line end, not
// decoded, not trimmed.
struct RawField {
  std::string_view name;
  std::string_view line;

  std::string_view value() const;  // trimmed
};

struct ResponseHead {
  ResponseHead() = default;
  ResponseHead(ResponseHead&&) = default;
  ResponseHead& operator=(ResponseHead&&) = default;

  std::vector<char>
      text;  // owns what the views point into; a move leaves its characters where they are
  int status = 0;
  bool http_1_0 = false;
  std::string_view reason_phrase;
  std::vector<RawField> fields;

  std::string_view value_of(std::string_view name) const;
  // True when a comma-separated field of that name holds `token`, in any letter case.
  bool has_token(std::string_view name, std::string_view token) const;
};

// Offset just behind the empty line that ends a head in `bytes`, or 0 when it is not there yet.
std::size_t end_of_head(std::string_view bytes);

// Nothing when `text` (with its empty line) is no HTTP/1 response head. A field that can be read in
// two ways (a bare CR or NUL, white space before the colon, a folded line) is left out.
std::optional<ResponseHead> parse_response_head(std::string_view text);

enum class Framing { kNone, kLength, kChunked, kUntilClose };
struct BodyFraming {
  Framing framing = Framing::kNone;
  std::uint64_t length = 0;  // kLength
  bool keeps_alive = false;  // the connection can carry another request afterwards
  // Of a request: chunk marks in one form only. What stands in front of weir may have read another
  // one differently, and then one request would be two for one of the two (smuggling).
  bool is_strict = false;
};
// Nothing when the head contradicts itself (a Content-Length that is no number, two that differ).
std::optional<BodyFraming> framing_of(const ResponseHead& head, std::string_view method);

}  // namespace weir::http
