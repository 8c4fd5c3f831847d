#include "document.h"

#include <algorithm>
#include <string>
#include <variant>

#include "outside_quotes.h"
#include "syntax_fault.h"

// The only translation unit that sees toml++: it is large.
//
// Its assertions do not hold for some broken texts ("[!]" is one): without NDEBUG it would abort,
// and with it some compilers take them for granted. Behind them it checks and reports, so that is
// what is left to it.
#undef NDEBUG
#define TOML_ASSERT(expression) static_assert(true)
#include <toml++/toml.h>

namespace weir::config {
namespace {

constexpr int kSkippedLinesMax = 50;

// Each dot of a name is a table inside a table, and a tree is walked by recursion.
constexpr std::ptrdiff_t kDotsOfLineMax = 300;

// The first line (from 1) with too many dots, or 0.
std::uint32_t too_deep_line(std::string_view text) {
  for (std::uint32_t line = 1; !text.empty(); ++line) {
    const std::string_view here = text.substr(0, text.find('\n'));
    if (std::count(here.begin(), here.end(), '.') > kDotsOfLineMax) {
      return line;
    }
    text.remove_prefix(std::min(here.size() + 1, text.size()));
  }
  return 0;
}

Place place_of(const toml::source_position& position) {
  return {static_cast<std::uint32_t>(position.line), static_cast<std::uint32_t>(position.column)};
}

bool is_before(const Place& a, const Place& b) {
  return a.line != b.line ? a.line < b.line : a.column < b.column;
}

Node to_node(const toml::node& from);

Node to_table(const toml::table& from) {
  Node node;
  for (const auto& [key, value] : from) {
    node.entries.push_back({std::string(key.str()), place_of(key.source().begin), to_node(value)});
  }
  // toml++ sorts by name.
  std::sort(node.entries.begin(), node.entries.end(),
            [](const Entry& a, const Entry& b) { return is_before(a.place, b.place); });
  return node;
}

Node to_list(const toml::array& from) {
  Node node;
  node.kind = Node::Kind::kList;
  for (const toml::node& item : from) {
    node.items.push_back(to_node(item));
  }
  return node;
}

Node to_scalar(const toml::node& from) {
  Node node;
  if (const auto* text = from.as_string()) {
    node.kind = Node::Kind::kText;
    node.text = text->get();
  } else if (const auto* integer = from.as_integer()) {
    node.kind = Node::Kind::kInteger;
    node.integer = integer->get();
  } else if (const auto* number = from.as_floating_point()) {
    node.kind = Node::Kind::kNumber;
    node.number = number->get();
  } else if (const auto* flag = from.as_boolean()) {
    node.kind = Node::Kind::kFlag;
    node.flag = flag->get();
  } else {
    node.kind = Node::Kind::kTime;
  }
  return node;
}

Node to_node(const toml::node& from) {
  Node node;
  if (const auto* table = from.as_table()) {
    node = to_table(*table);
  } else if (const auto* list = from.as_array()) {
    node = to_list(*list);
  } else {
    node = to_scalar(from);
  }
  node.place = place_of(from.source().begin);
  return node;
}

// The tree, or what toml++ says and where.
std::variant<Node, SyntaxError> parse_once(const std::string& text) {
  if (const auto place = non_ascii_outside_quotes(text)) {
    return SyntaxError{*place, std::string(kNonAsciiSign)};
  }
  try {
    return to_node(toml::parse(std::string_view(text)));
  } catch (const toml::parse_error& error) {
    return SyntaxError{place_of(error.source().begin), std::string(error.description())};
  }
}

}  // namespace

Document parse_document(std::string_view text) {
  Document document;
  if (const std::uint32_t line = too_deep_line(text)) {
    document.faults.push_back({{line, 1}, "", "more than 300 dots in one line; write less"});
    document.is_partial = true;
    return document;
  }
  std::string left(text);
  for (int skipped = 0; skipped <= kSkippedLinesMax; ++skipped) {
    auto parsed = parse_once(left);
    if (auto* root = std::get_if<Node>(&parsed)) {
      document.root = std::move(*root);
      return document;
    }
    const SyntaxFault found = explain(std::get<SyntaxError>(parsed), left);
    document.faults.push_back(found.fault);
    document.is_partial = true;
    if (!found.ends_with_its_line || !skip_line(left, found.fault.place.line)) {
      return document;
    }
  }
  return document;
}

}  // namespace weir::config
