// Holds include/ and src/ against the tables of docs/architecture.md.

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "markdown.h"
#include "weir/base/text.h"

namespace weir::docs {
namespace {

namespace fs = std::filesystem;

const fs::path kRoot = WEIR_SOURCE_DIR;

using Names = std::set<std::string>;

std::string joined(const Names& names) {
  std::string text;
  for (const std::string& name : names) {
    text += (text.empty() ? "" : ", ") + name;
  }
  return text.empty() ? "no part" : text;
}

// The parts in the order of the table, and what each may include.
struct Parts {
  std::vector<std::string> order;
  std::map<std::string, Names> may_include;
};

Parts parts_of(std::string_view page) {
  Parts parts;
  for (const auto& row : table_named(page, "part").rows) {
    const std::string part = list_of(row[0]).front();
    const bool all = row[1] == "all of the above";
    const auto list = all ? parts.order : list_of(row[1]);
    parts.may_include[part] = Names(list.begin(), list.end());
    parts.order.push_back(part);
  }
  return parts;
}

// A library's header, or the beginning of it, and the parts that may hold it.
std::map<std::string, Names> library_homes(std::string_view page) {
  std::map<std::string, Names> homes;
  for (const auto& row : table_named(page, "library").rows) {
    const auto parts = row[2].starts_with("none") ? std::vector<std::string>() : list_of(row[2]);
    homes[list_of(row[1]).front()] = Names(parts.begin(), parts.end());
  }
  return homes;
}

const std::string& page() {
  static const std::string text = file_text("docs/architecture.md");
  return text;
}

struct SourceLine {
  std::string place;  // "src/routing/decide.cc:4"
  std::string file;   // "src/routing/decide.cc"
  std::string part;
  bool is_public = false;
  std::string text;
};

bool is_source(const fs::path& file) {
  const auto extension = file.extension();
  return extension == ".h" || extension == ".cc" || extension == ".S";
}

std::vector<fs::path> source_files() {
  std::vector<fs::path> files;
  for (const fs::path& top : {kRoot / "include" / "weir", kRoot / "src"}) {
    for (const auto& entry : fs::recursive_directory_iterator(top)) {
      if (entry.is_regular_file() && is_source(entry.path())) {
        files.push_back(entry.path().lexically_relative(kRoot));
      }
    }
  }
  std::sort(files.begin(), files.end());
  return files;
}

// Every preprocessor line of include/ and src/. src/main.cc belongs to no part: it gets cli's name.
std::vector<SourceLine> directives() {
  std::vector<SourceLine> found;
  for (const fs::path& file : source_files()) {
    const bool is_public = *file.begin() == "include";
    auto step = std::next(file.begin(), is_public ? 2 : 1);
    const std::string part = std::next(step) == file.end() ? "cli" : step->string();
    std::size_t number = 0;
    for (const std::string& line : lines_of(file_text(file))) {
      ++number;
      const std::string text(base::trim_ascii(line));
      if (text.starts_with('#')) {
        const std::string name = file.generic_string();
        found.push_back({name + ":" + std::to_string(number), name, part, is_public, text});
      }
    }
  }
  return found;
}

// "weir/base/text.h" of #include "weir/base/text.h"; empty for any other line.
std::string included(const std::string& directive) {
  constexpr std::string_view kWord = "include";
  std::string_view rest = base::trim_ascii(std::string_view(directive).substr(1));
  if (!rest.starts_with(kWord)) {
    return "";
  }
  rest = base::trim_ascii(rest.substr(kWord.size()));
  if (rest.empty() || (rest.front() != '<' && rest.front() != '"')) {
    return "";
  }
  const auto end = rest.find_first_of(">\"", 1);
  return std::string(rest.substr(1, end - 1));
}

std::string part_of_header(const std::string& header) {
  constexpr std::string_view kOurs = "weir/";
  return header.starts_with(kOurs)
             ? header.substr(kOurs.size(), header.find('/', kOurs.size()) - kOurs.size())
             : "";
}

Names directories_with_build_files() {
  Names names;
  for (const auto& entry : fs::directory_iterator(kRoot / "src")) {
    if (fs::exists(entry.path() / "CMakeLists.txt")) {
      names.insert(entry.path().filename().string());
    }
  }
  return names;
}

// What `weir_part` of src/PART/CMakeLists.txt says behind USES.
Names used_by_build(const std::string& part) {
  std::string text = file_text("src/" + part + "/CMakeLists.txt");
  auto at = text.find("weir_part(");
  EXPECT_NE(at, std::string::npos) << part << " declares no weir_part";
  text = text.substr(at, text.find(')', at) - at);
  at = text.find("USES");
  if (at == std::string::npos) {
    return {};
  }
  text = text.substr(at + 4, text.find("PRIVATE_LIBS") - at - 4);
  std::replace_if(
      text.begin(), text.end(), [](char c) { return c == ' ' || c == '\n'; }, ',');
  const auto words = list_of(text);
  return {words.begin(), words.end()};
}

bool is_system_header(const std::string& header) {
  static const Names kNames{"dlfcn.h",    "fcntl.h",    "netdb.h",  "poll.h",   "pthread.h",
                            "pwd.h",      "sched.h",    "signal.h", "unistd.h", "windows.h",
                            "winsock2.h", "ws2tcpip.h", "io.h",     "direct.h", "shlobj.h"};
  constexpr std::string_view kBelow[] = {"sys/", "arpa/", "net/", "netinet/", "linux/"};
  return kNames.contains(base::ascii_lower(header)) ||
         std::any_of(std::begin(kBelow), std::end(kBelow),
                     [&](std::string_view start) { return header.starts_with(start); });
}

bool asks_for_system(const std::string& directive) {
  constexpr std::string_view kMacros[] = {"_WIN32", "_WIN64", "__linux__", "__APPLE__", "__unix__"};
  return directive.find("include") == std::string::npos &&
         std::any_of(std::begin(kMacros), std::end(kMacros), [&](std::string_view macro) {
           return directive.find(macro) != std::string::npos;
         });
}

TEST(Architecture, TableNamesThePartsOfTheTree) {
  const Parts parts = parts_of(page());
  const Names in_table(parts.order.begin(), parts.order.end());
  const Names in_tree = directories_with_build_files();
  for (const std::string& part : in_tree) {
    EXPECT_TRUE(in_table.contains(part)) << "src/" << part << " is not in docs/architecture.md";
  }
  for (const std::string& part : in_table) {
    EXPECT_TRUE(in_tree.contains(part)) << part << " is in docs/architecture.md, but not in src/";
  }
}

TEST(Architecture, PartsBuildOnThoseAboveThem) {
  const Parts parts = parts_of(page());
  Names above;
  for (const std::string& part : parts.order) {
    for (const std::string& other : parts.may_include.at(part)) {
      EXPECT_TRUE(above.contains(other))
          << part << " may include " << other << ", which is below it";
    }
    above.insert(part);
  }
}

TEST(Architecture, IncludesGoTheWayOfTheTable) {
  const Parts parts = parts_of(page());
  for (const SourceLine& line : directives()) {
    const std::string header = included(line.text);
    const std::string other = part_of_header(header);
    const auto found = parts.may_include.find(line.part);
    if (other.empty() || other == line.part || found == parts.may_include.end()) {
      continue;
    }
    if (!found->second.contains(other)) {
      ADD_FAILURE() << line.place << ": includes " << header << ", but " << line.part
                    << " may include " << joined(found->second) << " only";
    }
  }
}

TEST(Architecture, BuildFilesSayTheSameAsTheTable) {
  const Parts parts = parts_of(page());
  for (const std::string& part : directories_with_build_files()) {
    const auto found = parts.may_include.find(part);
    if (found == parts.may_include.end()) {
      continue;  // said by another test
    }
    EXPECT_EQ(joined(used_by_build(part)), joined(found->second))
        << "USES in src/" << part << "/CMakeLists.txt and docs/architecture.md differ";
  }
}

TEST(Architecture, LibrariesStayHome) {
  const Names excepted{"include/weir/jinja/template.h"};  // the page says why
  const auto homes = library_homes(page());
  for (const SourceLine& line : directives()) {
    const std::string header = included(line.text);
    for (const auto& [library, parts] : homes) {
      const bool is_it = library.ends_with('/') ? header.starts_with(library) : header == library;
      if (!is_it) {
        continue;
      }
      if (line.is_public && !excepted.contains(line.file)) {
        ADD_FAILURE() << line.place << ": <" << header << "> in a public header";
      } else if (!parts.contains(line.part)) {
        ADD_FAILURE() << line.place << ": <" << header << "> belongs to " << joined(parts);
      }
    }
  }
}

// Standard headers have no dot and no slash, the compiler's own end in "intrin.h"; what else stands
// in angle brackets is a library's.
TEST(Architecture, EveryLibraryIsInTheTable) {
  const auto homes = library_homes(page());
  for (const SourceLine& line : directives()) {
    const std::string header = included(line.text);
    const bool in_angles = line.text.find('<') != std::string::npos;
    const bool of_compiler =
        header.find_first_of("./") == std::string::npos || header.ends_with("intrin.h");
    if (!in_angles || line.part == "os" || of_compiler) {
      continue;
    }
    const bool is_known = std::any_of(homes.begin(), homes.end(), [&](const auto& home) {
      return header.starts_with(home.first);
    });
    if (!is_known && !is_system_header(header)) {
      ADD_FAILURE() << line.place << ": <" << header
                    << "> is of no library in docs/architecture.md";
    }
  }
}

TEST(Architecture, OnlyOsKnowsTheSystem) {
  // The page says why of the first; the second is what an assembler needs to know of its format.
  const Names excepted{"src/tokenizer/embedded.S"};
  for (const SourceLine& line : directives()) {
    if (line.part == "os" || excepted.contains(line.file)) {
      continue;
    }
    if (is_system_header(included(line.text)) || asks_for_system(line.text)) {
      ADD_FAILURE() << line.place << ": " << line.text << " belongs to src/os";
    }
  }
}

TEST(Architecture, PublicHeadersOfOsAreFreeOfTheSystem) {
  for (const SourceLine& line : directives()) {
    if (line.is_public && is_system_header(included(line.text))) {
      ADD_FAILURE() << line.place << ": " << line.text << " in a public header";
    }
  }
}

}  // namespace
}  // namespace weir::docs
