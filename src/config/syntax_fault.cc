#include "syntax_fault.h"

#include <algorithm>
#include <array>

#include "shown.h"
#include "weir/base/text.h"

namespace weir::config {
namespace {

struct Explanation {
  std::string_view sign;  // in the parser's description
  std::string_view text;
  bool ends_with_its_line;
};

constexpr std::string_view kNoClosingQuote = "the text has no closing quote on its line; add it";
constexpr std::string_view kNotToml = "this is not TOML; write [table] or name = value";
constexpr std::string_view kControlCharacter = "a control character; delete it";

// The first sign that is found counts.
constexpr std::array kExplanations{
    Explanation{kNonAsciiSign,
                "a sign outside quotes that is not ASCII (full-width?); write ASCII signs, or put "
                "the text or name into quotes",
                true},
    Explanation{"escape sequence", kBackslashHint, true},
    Explanation{"hex digit", kBackslashHint, true},
    Explanation{"surrogates", kBackslashHint, true},
    Explanation{"U+10FFFF", kBackslashHint, true},
    Explanation{"line-ending backslashes", kBackslashHint, false},
    Explanation{"cannot redefine existing table",
                "this table is in the file already; put its keys together under one header", true},
    Explanation{"cannot redefine", "this name is in the file already; keep one of the two", true},
    Explanation{"cannot insert", "this table was written in { } already; keep one of the two",
                true},
    Explanation{"in comments", kControlCharacter, false},
    Explanation{"control characters other", kNoClosingQuote, true},
    Explanation{"control character", kControlCharacter, false},
    Explanation{"after '\\r'", "a CR without LF; save the file with LF or CRLF line ends", false},
    Explanation{"64 bits", "the number is too large; write a smaller one", true},
    Explanation{"leading zeroes", "a number must not begin with 0; leave the zeros out", true},
    Explanation{"closing ']'", "the list is not well-formed; write [\"a\", \"b\"]", false},
    Explanation{"closing '}'", "the table in braces is not well-formed; write { a = 1, b = 2 }",
                false},
    Explanation{"expected ']'", "the table header is not closed; write [table]", false},
    Explanation{"blank bare keys", "the table header is empty; write [table]", false},
    Explanation{"brackets must be contiguous", "blanks between the brackets; write [[table]]",
                false},
    Explanation{"expected keys, tables", kNotToml, false},
    Explanation{"bare key starting", "the name has signs that need quotes; write \"name\"", false},
    Explanation{"expected '='", "a name without a value; write name = value", false},
    Explanation{"expected a comment or whitespace",
                "something stands after the value; one name = value a line, text in quotes", false},
    Explanation{"end-of-file",
                "the file ends in the middle of a value; a quote or a bracket is not closed",
                false},
    Explanation{"nested value depth", "lists or tables lie too deep in each other", false},
    Explanation{"could not", "this is no value; text needs quotes, a number, true or false none",
                true},
    Explanation{"saw '", "this is no value; text needs quotes, a number, true or false none", true},
};

// From the start of `line` (from 1) up to its end, without the line end.
std::pair<std::size_t, std::size_t> line_bounds(std::string_view text, std::uint32_t line) {
  std::size_t begin = 0;
  for (std::uint32_t at = 1; at < line; ++at) {
    const auto end = text.find('\n', begin);
    if (end == std::string_view::npos) {
      return {text.size(), text.size()};
    }
    begin = end + 1;
  }
  return {begin, std::min(text.find('\n', begin), text.size())};
}

std::string_view line_of(std::string_view text, std::uint32_t line) {
  const auto [begin, end] = line_bounds(text, line);
  return text.substr(begin, end - begin);
}

bool is_bare(std::string_view name) {
  return !name.empty() && std::all_of(name.begin(), name.end(), [](char c) {
    return (base::ascii_lower(c) >= 'a' && base::ascii_lower(c) <= 'z') || (c >= '0' && c <= '9') ||
           c == '_' || c == '-' || c == '.';
  });
}

// "provider.taotoken" of a header line, else "".
std::string header_name(std::string_view line) {
  line = base::trim_ascii(line);
  if (!line.starts_with('[')) {
    return "";
  }
  line.remove_prefix(line.find_first_not_of('[') == std::string_view::npos
                         ? line.size()
                         : line.find_first_not_of('['));
  const std::string_view name = base::trim_ascii(line.substr(0, line.find(']')));
  return is_bare(name) ? shown_name(name) : "";
}

// The full name of what `line` sets, as far as the text tells.
std::string name_at(std::string_view text, std::uint32_t line) {
  const std::string_view here = line_of(text, line);
  std::string own_header = header_name(here);
  if (!own_header.empty()) {
    return own_header;
  }
  const auto equals = here.find('=');
  const std::string_view key = base::trim_ascii(here.substr(0, equals));
  if (equals == std::string_view::npos || !is_bare(key)) {
    return "";
  }
  for (std::uint32_t at = line - 1; at > 0; --at) {
    const std::string table = header_name(line_of(text, at));
    if (!table.empty()) {
      return table + "." + shown_name(key);
    }
  }
  return shown_name(key);
}

// Other than tab, and the CR of a CRLF.
bool has_control_character(std::string_view line) {
  return std::any_of(line.begin(), line.end(), [](char c) {
    return (static_cast<unsigned char>(c) < 0x20 && c != '\t' && c != '\r') || c == '\x7F';
  });
}

bool has_curly_quotes(std::string_view line) {
  return line.find("\xE2\x80\x9C") != std::string_view::npos ||
         line.find("\xE2\x80\x9D") != std::string_view::npos ||
         line.find("\xE2\x80\x98") != std::string_view::npos ||
         line.find("\xE2\x80\x99") != std::string_view::npos;
}

}  // namespace

SyntaxFault explain(const SyntaxError& error, std::string_view text) {
  const std::string_view line = line_of(text, error.place.line);
  const std::string name = name_at(text, error.place.line);
  if (line.find("\xEF\xBB\xBF") != std::string_view::npos) {
    return {{error.place, "", "a byte order mark inside the file; delete it"}, false};
  }
  const auto found =
      std::find_if(kExplanations.begin(), kExplanations.end(), [&](const Explanation& candidate) {
        return error.description.find(candidate.sign) != std::string::npos;
      });
  if (found == kExplanations.end()) {
    return {{error.place, name, std::string(kNotToml)}, false};
  }
  if (found->text == kNoClosingQuote && has_control_character(line)) {
    return {{error.place, name, std::string(kControlCharacter)}, true};
  }
  if (found->text != kBackslashHint && has_curly_quotes(line)) {
    return {{error.place, name, "typographic quotes; write straight ones: \"text\""}, true};
  }
  return {{error.place, name, std::string(found->text)}, found->ends_with_its_line};
}

bool skip_line(std::string& text, std::uint32_t line) {
  const auto [begin, end] = line_bounds(text, line);
  const std::string_view here = base::trim_ascii(std::string_view(text).substr(begin, end - begin));
  const bool has_block =
      text.find("\"\"\"") != std::string::npos || text.find("'''") != std::string::npos;
  if (has_block) {
    return false;
  }
  std::string replacement;
  if (here.starts_with('[')) {
    replacement = "[" + std::string(kSkippedTable) + std::to_string(line) + "]";
  } else if (here.find('=') == std::string_view::npos) {
    return false;
  }
  if (here == replacement) {
    return false;
  }
  text.replace(begin, end - begin, replacement);
  return true;
}

}  // namespace weir::config
