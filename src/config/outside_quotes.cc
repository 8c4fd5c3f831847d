#include "outside_quotes.h"

#include <algorithm>

#include "source_text.h"

namespace weir::config {
namespace {

// The offset behind the quoted text that begins at `at`. One that is not closed ends with its line
// (with the file when it may have many lines), as the parser will say.
std::size_t skip_quoted(std::string_view text, std::size_t at) {
  const char quote = text[at];
  const std::string_view triple = quote == '"' ? "\"\"\"" : "'''";
  const bool is_block = text.substr(at).starts_with(triple);
  const std::string_view end = is_block ? triple : triple.substr(0, 1);
  for (at += end.size(); at < text.size(); ++at) {
    if (quote == '"' && text[at] == '\\') {
      ++at;
    } else if (text.substr(at).starts_with(end)) {
      return at + end.size();
    } else if (!is_block && text[at] == '\n') {
      return at;
    }
  }
  return text.size();
}

}  // namespace

std::optional<Place> non_ascii_outside_quotes(std::string_view text) {
  std::size_t at = 0;
  while (at < text.size()) {
    const char c = text[at];
    if (c == '"' || c == '\'') {
      at = skip_quoted(text, at);
    } else if (c == '#') {
      at = std::min(text.find('\n', at), text.size());
    } else if (static_cast<unsigned char>(c) >= 0x80) {
      return place_of(text, at);
    } else {
      ++at;
    }
  }
  return std::nullopt;
}

}  // namespace weir::config
