#include "cors_sink.h"

#include "weir/base/text.h"

namespace weir::server {

std::string cors_lines(std::string_view origin) {
  return "Access-Control-Allow-Origin: " + std::string(origin) +
         "\r\nVary: Origin\r\nAccess-Control-Expose-Headers: *\r\n";
}

std::string CorsSink::head_with_origin(std::string_view head) const {
  std::string out;
  while (!head.empty()) {
    const auto end = head.find("\r\n");
    const std::string_view line = head.substr(0, end);
    head.remove_prefix(end == std::string_view::npos ? head.size() : end + 2);
    if (line.empty()) {
      return out.append(cors_lines(origin_)).append("\r\n").append(head);
    }
    if (!base::starts_with_ignoring_case(line, "Access-Control-Allow-Origin:")) {
      out.append(line).append("\r\n");
    }
  }
  return out;
}

// A head is always written whole, at the front of the first write.
bool CorsSink::write(std::span<const std::string_view> pieces) {
  if (head_done_ || pieces.empty()) {
    return inner_.write(pieces);
  }
  head_done_ = true;
  std::string whole;
  for (const std::string_view piece : pieces) {
    whole += piece;
  }
  const std::string changed = head_with_origin(whole);
  const std::string_view out[] = {changed};
  return inner_.write(out);
}

}  // namespace weir::server
