#include "weir/http/request_head.h"

#include <algorithm>
#include <charconv>

#include "weir/base/text.h"
#include "weir/http/header_list.h"

namespace weir::http {
namespace {

using base::equal_ignoring_case;
using base::Error;
using base::ErrorCode;

Error bad(std::string why) {
  return {ErrorCode::kBadRequest, "this is no good HTTP request: " + std::move(why)};
}
Error too_large(std::string why) {
  return {ErrorCode::kHeaderTooLarge, std::move(why)};
}

bool is_token(std::string_view text) {
  constexpr std::string_view kMarks = "!#$%&'*+-.^_`|~";
  return !text.empty() && std::all_of(text.begin(), text.end(), [&](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
           kMarks.find(c) != std::string_view::npos;
  });
}

bool has_control(std::string_view text) {
  return std::any_of(text.begin(), text.end(),
                     [](char c) { return (c >= 0 && c < 0x20 && c != '\t') || c == 0x7F; });
}

// The next line without its CRLF; nothing when it does not end in CRLF.
std::optional<std::string_view> take_line(std::string_view& text) {
  const auto end = text.find('\n');
  if (end == std::string_view::npos || end == 0 || text[end - 1] != '\r') {
    return std::nullopt;
  }
  const std::string_view line = text.substr(0, end - 1);
  text.remove_prefix(end + 1);
  return line;
}

// "POST /v1/chat/completions HTTP/1.1"
std::optional<Error> parse_request_line(std::string_view line, RequestHead& head) {
  const auto first = line.find(' ');
  const auto last = line.rfind(' ');
  if (first == std::string_view::npos || first == last) {
    return bad("its first line is not METHOD PATH HTTP/1.1");
  }
  head.method = line.substr(0, first);
  head.target = line.substr(first + 1, last - first - 1);
  const std::string_view version = line.substr(last + 1);
  if (head.target.size() > kTargetBytesMax) {
    return too_large("the path is longer than " + std::to_string(kTargetBytesMax) + " bytes");
  }
  const bool known = version == "HTTP/1.1" || version == "HTTP/1.0";
  if (!is_token(head.method) || head.target.empty() || has_control(head.target) ||
      head.target.find(' ') != std::string_view::npos || !known) {
    return bad("its first line is not METHOD PATH HTTP/1.1");
  }
  head.http_1_0 = version == "HTTP/1.0";
  return std::nullopt;
}

std::optional<Error> take_content_length(std::string_view value, RequestHead& head) {
  std::uint64_t length = 0;
  const auto [end, error] = std::from_chars(value.data(), value.data() + value.size(), length);
  if (error != std::errc() || end != value.data() + value.size() || value.empty()) {
    return bad("Content-Length is no number");
  }
  if (head.content_length) {
    return bad("Content-Length stands there twice");
  }
  head.content_length = length;
  return std::nullopt;
}

// What a field says about framing and connection.
std::optional<Error> take_meaning(const RawField& field, RequestHead& head) {
  const std::string_view value = field.value();
  if (equal_ignoring_case(field.name, "Content-Length")) {
    return take_content_length(value, head);
  }
  if (equal_ignoring_case(field.name, "Transfer-Encoding")) {
    if (!equal_ignoring_case(value, "chunked") || head.is_chunked) {
      return bad("the only transfer coding that is understood is chunked");
    }
    head.is_chunked = true;
  } else if (equal_ignoring_case(field.name, "Content-Encoding")) {
    if (!equal_ignoring_case(value, "identity") && !value.empty()) {
      return Error{ErrorCode::kUnsupportedEncoding, "send the body without Content-Encoding"};
    }
  } else if (equal_ignoring_case(field.name, "Expect")) {
    head.expects_continue = equal_ignoring_case(value, "100-continue");
  } else if (equal_ignoring_case(field.name, "Connection")) {
    head.keeps_alive = head.http_1_0 ? list_names(value, "keep-alive") || head.keeps_alive
                                     : head.keeps_alive && !list_names(value, "close");
  }
  return std::nullopt;
}

std::optional<Error> parse_field(std::string_view line, RequestHead& head) {
  if (line.size() > kHeaderLineBytesMax) {
    return too_large("a header line is longer than " + std::to_string(kHeaderLineBytesMax) +
                     " bytes");
  }
  const RawField field{line.substr(0, line.find(':')), line};
  if (field.name.size() == line.size() || !is_token(field.name)) {
    return bad("a header line is not NAME: VALUE");
  }
  if (has_control(line)) {
    return bad("a header holds a control character");
  }
  if (head.fields.size() == kHeaderFieldsMax) {
    return too_large("there are more than " + std::to_string(kHeaderFieldsMax) + " header fields");
  }
  head.fields.push_back(field);
  return take_meaning(field, head);
}

}  // namespace

std::string_view RequestHead::value_of(std::string_view name) const {
  const auto found = std::find_if(fields.begin(), fields.end(), [&](const RawField& field) {
    return equal_ignoring_case(field.name, name);
  });
  return found == fields.end() ? std::string_view() : found->value();
}

base::Result<RequestHead> parse_request_head(std::string_view text) {
  RequestHead head;
  head.fields.reserve(24);
  auto line = take_line(text);
  if (!line) {
    return bad("a line does not end in CRLF");
  }
  if (auto error = parse_request_line(*line, head)) {
    return *error;
  }
  head.keeps_alive = !head.http_1_0;
  for (line = take_line(text); line && !line->empty(); line = take_line(text)) {
    if (auto error = parse_field(*line, head)) {
      return *error;
    }
  }
  if (!line) {
    return bad("a line does not end in CRLF");
  }
  const auto hosts =
      std::count_if(head.fields.begin(), head.fields.end(),
                    [](const RawField& field) { return equal_ignoring_case(field.name, "Host"); });
  if (hosts > 1) {
    return bad("Host stands there twice");
  }
  if (head.is_chunked && (head.content_length || head.http_1_0)) {
    return bad("Transfer-Encoding does not go with Content-Length or HTTP/1.0");
  }
  return head;
}

}  // namespace weir::http
