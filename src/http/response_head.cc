#include "weir/http/response_head.h"

#include <algorithm>
#include <charconv>

#include "weir/base/text.h"
#include "weir/http/header_list.h"

namespace weir::http {
namespace {

using base::equal_ignoring_case;
using base::trim_ascii;

// Takes the next line off `text`, without its CRLF or LF.
std::string_view take_line(std::string_view& text) {
  const auto end = text.find('\n');
  std::string_view line = text.substr(0, end);
  text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
  if (line.ends_with('\r')) {
    line.remove_suffix(1);
  }
  return line;
}

// "HTTP/1.1 200 OK"
bool parse_status_line(std::string_view line, ResponseHead& head) {
  if (line.size() < 12 || !line.starts_with("HTTP/1.") || line[8] != ' ') {
    return false;
  }
  const auto [end, error] = std::from_chars(line.data() + 9, line.data() + 12, head.status);
  if (error != std::errc() || end != line.data() + 12 || head.status < 100) {
    return false;
  }
  head.http_1_0 = line[7] == '0';
  head.reason_phrase = line.size() > 13 ? line.substr(13) : std::string_view();
  head.reason_phrase = head.reason_phrase.substr(0, head.reason_phrase.find('\r'));
  return line.size() == 12 || line[12] == ' ';
}

// A bare CR and a NUL end the line for some readers, and white space before the colon belongs to
// the name for some: a field that the next one could read in another way is left out.
bool is_ambiguous(std::string_view name, std::string_view line) {
  return line.find_first_of(std::string_view("\r\0", 2)) != std::string_view::npos ||
         name.find_first_of(" \t") != std::string_view::npos;
}

bool parse_length(std::string_view text, std::uint64_t& length) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), length);
  return error == std::errc() && end == text.data() + text.size() && !text.empty();
}

}  // namespace

std::string_view RawField::value() const {
  return trim_ascii(line.substr(name.size() + 1));
}

std::string_view ResponseHead::value_of(std::string_view name) const {
  const auto found = std::find_if(fields.begin(), fields.end(), [&](const RawField& field) {
    return equal_ignoring_case(field.name, name);
  });
  return found == fields.end() ? std::string_view() : found->value();
}

bool ResponseHead::has_token(std::string_view name, std::string_view token) const {
  return std::any_of(fields.begin(), fields.end(), [&](const RawField& field) {
    return equal_ignoring_case(field.name, name) && list_names(field.value(), token);
  });
}

std::size_t end_of_head(std::string_view bytes) {
  for (auto at = bytes.find('\n'); at != std::string_view::npos; at = bytes.find('\n', at + 1)) {
    if (bytes.substr(at + 1, 1) == "\n") {
      return at + 2;
    }
    if (bytes.substr(at + 1, 2) == "\r\n") {
      return at + 3;
    }
  }
  return 0;
}

std::optional<ResponseHead> parse_response_head(std::string_view text) {
  ResponseHead head;
  head.text.assign(text.begin(), text.end());
  std::string_view rest(head.text.data(), head.text.size());
  if (!parse_status_line(take_line(rest), head)) {
    return std::nullopt;
  }
  for (std::string_view line = take_line(rest); !line.empty(); line = take_line(rest)) {
    const auto colon = line.find(':');
    if (colon == std::string_view::npos || colon == 0) {
      return std::nullopt;
    }
    const std::string_view name = line.substr(0, colon);
    if (!is_ambiguous(name, line)) {
      head.fields.push_back({name, line});
    }
  }
  return head;
}

std::optional<BodyFraming> framing_of(const ResponseHead& head, std::string_view method) {
  BodyFraming body;
  body.keeps_alive = head.http_1_0 ? head.has_token("Connection", "keep-alive")
                                   : !head.has_token("Connection", "close");
  if (method == "HEAD" || head.status == 204 || head.status == 304) {
    return body;
  }
  if (head.has_token("Transfer-Encoding", "chunked")) {
    body.framing = Framing::kChunked;
    return body;
  }
  bool has_length = false;
  for (const RawField& field : head.fields) {
    if (!equal_ignoring_case(field.name, "Content-Length")) {
      continue;
    }
    std::uint64_t length = 0;
    if (!parse_length(field.value(), length) || (has_length && length != body.length)) {
      return std::nullopt;
    }
    has_length = true;
    body.length = length;
  }
  body.framing = has_length ? Framing::kLength : Framing::kUntilClose;
  body.keeps_alive = body.keeps_alive && has_length;
  return body;
}

}  // namespace weir::http
