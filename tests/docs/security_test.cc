// docs/security.md names tests: each of them must exist.

#include <gtest/gtest.h>

#include <filesystem>
#include <regex>
#include <set>
#include <string>

#include "markdown.h"

namespace weir::docs {
namespace {

namespace fs = std::filesystem;

// "Suite.Name" of every C++ test, and "Class.test_name" of every Python test, below tests/.
std::set<std::string> tests_there_are() {
  static const std::regex kCpp(R"(TEST(?:_F|_P)?\(\s*(\w+),\s*(\w+)\))");
  static const std::regex kPython(R"(class (\w+)\(|def (test_\w+)\()");
  std::set<std::string> found;
  for (const auto& entry : fs::recursive_directory_iterator(fs::path(WEIR_SOURCE_DIR) / "tests")) {
    const std::string extension = entry.path().extension().string();
    if (!entry.is_regular_file() || (extension != ".cc" && extension != ".py")) {
      continue;
    }
    const std::string text = file_text(entry.path().lexically_relative(WEIR_SOURCE_DIR));
    const bool is_python = extension == ".py";
    std::string suite;
    for (std::sregex_iterator at(text.begin(), text.end(), is_python ? kPython : kCpp), end;
         at != end; ++at) {
      if (is_python && (*at)[1].matched) {
        suite = (*at)[1];
      } else {
        found.insert((is_python ? suite : std::string((*at)[1])) + "." + std::string((*at)[2]));
      }
    }
  }
  return found;
}

TEST(Security, EveryTestThatThePageNamesIsThere) {
  static const std::regex kTest(R"([A-Z]\w+\.\w{6,})");
  const auto there = tests_there_are();
  int named = 0;
  for (const std::string& span : code_spans_of(file_text("docs/security.md"))) {
    if (std::regex_match(span, kTest)) {
      ++named;
      EXPECT_TRUE(there.contains(span)) << "docs/security.md names " << span;
    }
  }
  EXPECT_GT(named, 20);
}

TEST(Security, EveryFileAndFuzzTargetThatThePageNamesIsThere) {
  static const std::regex kFile(R"(tests/[\w/]+\.\w+)");
  static const std::regex kTarget(R"(fuzz targets? `(\w+)`(?: and `(\w+)`)?)");
  const std::string page = file_text("docs/security.md");
  for (const std::string& span : code_spans_of(page)) {
    if (std::regex_match(span, kFile)) {
      EXPECT_TRUE(fs::exists(fs::path(WEIR_SOURCE_DIR) / span)) << span;
    }
  }
  const std::string targets = file_text("tests/fuzz/CMakeLists.txt");
  for (std::sregex_iterator at(page.begin(), page.end(), kTarget), end; at != end; ++at) {
    for (const std::string& name : {(*at)[1].str(), (*at)[2].str()}) {
      EXPECT_NE(targets.find("weir_fuzz(" + name), std::string::npos) << name;
    }
  }
}

}  // namespace
}  // namespace weir::docs
