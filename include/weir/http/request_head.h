#pragma once

// The head of a client's request, read strictly: what could be understood in two ways is refused.
// Nothing is decoded.

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "weir/base/result.h"
#include "weir/http/response_head.h"

namespace weir::http {

// Bounds of a request head; more is refused with kHeaderTooLarge.
constexpr std::size_t kHeadBytesMax = 65536;
constexpr std::size_t kHeaderFieldsMax = 100;
constexpr std::size_t kHeaderLineBytesMax = 16384;
constexpr std::size_t kTargetBytesMax = 2048;

// Empty lines in front of a request that are passed over, as RFC 9112 section 2.2 wants it: some
// clients send one behind a body. With more of them it is no good request.
constexpr std::size_t kEmptyLinesMax = 4;

struct RequestHead {
  std::string_view method;
  std::string_view target;
  bool http_1_0 = false;
  std::vector<RawField> fields;
  std::optional<std::uint64_t> content_length;
  bool is_chunked = false;
  bool expects_continue = false;
  bool keeps_alive = false;

  bool has_body() const { return is_chunked || content_length.value_or(0) > 0; }
  std::string_view value_of(std::string_view name) const;
};

// `text` is a whole head with its empty line (end_of_head); the views of the result point into it.
// Errors: kBadRequest (no HTTP/1 head; a bare CR, LF or NUL; a folded line; Host or Content-Length
// twice; Content-Length beside Transfer-Encoding; a transfer coding other than chunked),
// kHeaderTooLarge, kUnsupportedEncoding.
base::Result<RequestHead> parse_request_head(std::string_view text);

}  // namespace weir::http
