#include "strict_requests.h"

#include <algorithm>
#include <cctype>
#include <iterator>

namespace weir::fuzz {
namespace {

std::string lower(std::string text) {
  std::transform(text.begin(), text.end(), text.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return text;
}

// A line and its CRLF; nothing when a CR or LF stands anywhere else.
std::optional<std::string> take_crlf_line(std::string_view& bytes) {
  const auto end = bytes.find("\r\n");
  if (end == std::string_view::npos) {
    return std::nullopt;
  }
  std::string line(bytes.substr(0, end));
  bytes.remove_prefix(end + 2);
  const bool plain = line.find_first_of(std::string("\r\n\0", 3)) == std::string::npos;
  return plain ? std::optional(line) : std::nullopt;
}

constexpr const char* kDigits = "0123456789";
constexpr const char* kHexDigits = "0123456789abcdefABCDEF";
constexpr const char* kTokenCharacters =
    "!#$%&'*+-.^_`|~0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";

// Not empty, and no other characters than these.
bool only(const std::string& text, const char* characters) {
  return !text.empty() && text.find_first_not_of(characters) == std::string::npos;
}

// Is `word` an item of the comma-separated `list`?
bool lists(const std::string& list, const std::string& word) {
  std::string plain;
  std::remove_copy_if(list.begin(), list.end(), std::back_inserter(plain),
                      [](char c) { return c == ' ' || c == '\t'; });
  return ("," + plain + ",").find("," + word + ",") != std::string::npos;
}

std::optional<std::string> take_bytes(std::string_view& bytes, std::uint64_t count) {
  if (count > bytes.size()) {
    return std::nullopt;
  }
  std::string taken(bytes.substr(0, count));
  bytes.remove_prefix(count);
  return taken;
}

std::optional<std::string> take_chunked(std::string_view& bytes) {
  std::string body;
  for (;;) {
    const auto line = take_crlf_line(bytes);
    if (!line) {
      return std::nullopt;
    }
    const std::string size = line->substr(0, line->find(';'));
    if (size.size() > 16 || !only(size, kHexDigits)) {
      return std::nullopt;
    }
    const std::uint64_t count = std::stoull(size, nullptr, 16);
    if (count == 0) {
      break;
    }
    const auto data = take_bytes(bytes, count);
    if (!data || take_bytes(bytes, 2) != "\r\n") {
      return std::nullopt;
    }
    body += *data;
  }
  for (;;) {  // trailers
    const auto line = take_crlf_line(bytes);
    if (!line || line->empty()) {
      return line ? std::optional(body) : std::nullopt;
    }
    if (line->find(':') == std::string::npos || line->front() == ' ' || line->front() == '\t') {
      return std::nullopt;
    }
  }
}

struct Fields {
  int lengths = 0;
  int codings = 0;
  std::string length;
  std::string coding;
  std::string connection;
};

// False when a line is no field in the strict form.
bool take_fields(std::string_view& bytes, Fields& fields) {
  for (;;) {
    const auto line = take_crlf_line(bytes);
    if (!line) {
      return false;
    }
    if (line->empty()) {
      return true;
    }
    const auto colon = line->find(':');
    const std::string name = lower(line->substr(0, colon));
    if (colon == std::string::npos || !only(name, kTokenCharacters)) {
      return false;
    }
    std::string value = line->substr(colon + 1);
    value.erase(0, value.find_first_not_of(" \t"));
    value.erase(value.find_last_not_of(" \t") + 1);
    if (name == "content-length") {
      ++fields.lengths;
      fields.length = value;
    } else if (name == "transfer-encoding") {
      ++fields.codings;
      fields.coding = lower(value);
    } else if (name == "connection") {
      fields.connection += "," + lower(value);
    }
  }
}

}  // namespace

std::optional<StrictRequest> take_strict_request(std::string_view& bytes) {
  auto first = take_crlf_line(bytes);
  while (first && first->empty()) {  // may stand before a request: RFC 9112, 2.2
    first = take_crlf_line(bytes);
  }
  if (!first || std::count(first->begin(), first->end(), ' ') != 2) {
    return std::nullopt;
  }
  const auto space = first->find(' ');
  const auto last = first->rfind(' ');
  const std::string version = first->substr(last + 1);
  StrictRequest request{first->substr(0, space), first->substr(space + 1, last - space - 1), "",
                        version == "HTTP/1.0"};
  if (!only(request.method, kTokenCharacters) || request.target.empty() ||
      (version != "HTTP/1.1" && version != "HTTP/1.0")) {
    return std::nullopt;
  }
  Fields fields;
  if (!take_fields(bytes, fields) || fields.lengths + fields.codings > 1) {
    return std::nullopt;
  }
  std::optional<std::string> body("");
  if (fields.codings == 1) {
    body = fields.coding == "chunked" && !request.closes ? take_chunked(bytes) : std::nullopt;
  } else if (fields.lengths == 1) {
    const bool is_number = fields.length.size() <= 19 && only(fields.length, kDigits);
    body = is_number ? take_bytes(bytes, std::stoull(fields.length)) : std::nullopt;
  }
  if (!body) {
    return std::nullopt;
  }
  request.body = *body;
  request.closes = lists(fields.connection, "close") ||
                   (request.closes && !lists(fields.connection, "keep-alive"));
  return request;
}

}  // namespace weir::fuzz
