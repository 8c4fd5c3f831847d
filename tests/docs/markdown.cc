#include "markdown.h"

#include <gtest/gtest.h>

#include <fstream>
#include <sstream>

#include "weir/base/text.h"

namespace weir::docs {
namespace {

bool is_fence(std::string_view line) {
  return base::trim_ascii(line).starts_with("```");
}

// The cells between the outer bars.
std::vector<std::string> cells_of(std::string_view line) {
  std::vector<std::string> cells;
  std::string cell;
  line = base::trim_ascii(line);
  line.remove_prefix(1);
  for (std::size_t i = 0; i < line.size(); ++i) {
    if (line[i] == '\\' && i + 1 < line.size() && line[i + 1] == '|') {
      cell.push_back(line[++i]);
    } else if (line[i] == '|') {
      cells.emplace_back(base::trim_ascii(cell));
      cell.clear();
    } else {
      cell.push_back(line[i]);
    }
  }
  return cells;
}

bool is_row(std::string_view line) {
  return base::trim_ascii(line).starts_with('|');
}

bool is_rule(std::string_view line) {
  return line.find_first_not_of("|-: ") == std::string_view::npos;
}

// The lines outside of fenced blocks; a block leaves an empty line.
std::vector<std::string> prose_of(std::string_view markdown) {
  std::vector<std::string> prose;
  bool inside = false;
  for (std::string& line : lines_of(markdown)) {
    const bool fence = is_fence(line);
    prose.push_back(inside || fence ? "" : std::move(line));
    inside = fence ? !inside : inside;
  }
  return prose;
}

}  // namespace

std::string file_text(const std::filesystem::path& below_root) {
  std::ifstream file(std::filesystem::path(WEIR_SOURCE_DIR) / below_root, std::ios::binary);
  EXPECT_TRUE(file.is_open()) << below_root << " cannot be read";
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

std::vector<std::string> lines_of(std::string_view text) {
  std::vector<std::string> lines;
  while (!text.empty()) {
    const auto end = text.find('\n');
    lines.emplace_back(text.substr(0, end));
    text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
  }
  return lines;
}

std::vector<Table> tables_of(std::string_view markdown) {
  std::vector<Table> tables;
  const std::vector<std::string> lines = prose_of(markdown);
  for (std::size_t i = 0; i + 1 < lines.size(); ++i) {
    if (!is_row(lines[i]) || !is_row(lines[i + 1]) || !is_rule(lines[i + 1])) {
      continue;
    }
    Table table{cells_of(lines[i]), {}};
    for (i += 2; i < lines.size() && is_row(lines[i]); ++i) {
      table.rows.push_back(cells_of(lines[i]));
      EXPECT_EQ(table.rows.back().size(), table.header.size()) << lines[i];
      table.rows.back().resize(table.header.size());
    }
    tables.push_back(std::move(table));
  }
  return tables;
}

Table table_named(std::string_view markdown, std::string_view name) {
  for (Table& table : tables_of(markdown)) {
    if (table.header.front() == name) {
      return std::move(table);
    }
  }
  ADD_FAILURE() << "no table begins with the column \"" << name << "\"";
  return {};
}

std::vector<Fence> fences_of(std::string_view markdown) {
  std::vector<Fence> fences;
  bool inside = false;
  for (const std::string& line : lines_of(markdown)) {
    if (!is_fence(line)) {
      if (inside) {
        fences.back().text += line + "\n";
      }
      continue;
    }
    if (!inside) {
      fences.push_back({std::string(base::trim_ascii(line).substr(3)), ""});
    }
    inside = !inside;
  }
  return fences;
}

std::vector<std::string> code_spans_of(std::string_view markdown) {
  std::vector<std::string> spans;
  for (const std::string& line : prose_of(markdown)) {
    for (std::size_t at = line.find('`'); at != std::string::npos;) {
      const auto end = line.find('`', at + 1);
      if (end == std::string::npos) {
        break;
      }
      spans.push_back(line.substr(at + 1, end - at - 1));
      at = line.find('`', end + 1);
    }
  }
  return spans;
}

std::vector<std::string> list_of(std::string_view cell) {
  std::vector<std::string> words;
  while (!cell.empty()) {
    const auto comma = cell.find(',');
    std::string word(base::trim_ascii(cell.substr(0, comma)));
    std::erase(word, '`');
    if (!word.empty()) {
      words.push_back(std::move(word));
    }
    cell.remove_prefix(comma == std::string_view::npos ? cell.size() : comma + 1);
  }
  return words;
}

}  // namespace weir::docs
