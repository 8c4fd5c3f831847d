#pragma once

// Reads the little of Markdown that the tests of the documentation look at.

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace weir::docs {

// The text of a file of the repository; a failure of the running test when it is not there.
std::string file_text(const std::filesystem::path& below_root);

std::vector<std::string> lines_of(std::string_view text);

struct Table {
  std::vector<std::string> header;
  std::vector<std::vector<std::string>> rows;  // as many cells as the header
};

// Every table outside of fenced blocks. Cells are trimmed; \| is a bar.
std::vector<Table> tables_of(std::string_view markdown);

// The table whose first header cell is `name`; an empty one and a failure when there is none.
Table table_named(std::string_view markdown, std::string_view name);

struct Fence {
  std::string language;  // "sh", "toml", ...; may be empty
  std::string text;      // ends with a line feed
};
std::vector<Fence> fences_of(std::string_view markdown);

// What stands between single backticks outside of fenced blocks.
std::vector<std::string> code_spans_of(std::string_view markdown);

// "a, b" without blanks and backticks as {"a", "b"}.
std::vector<std::string> list_of(std::string_view cell);

}  // namespace weir::docs
