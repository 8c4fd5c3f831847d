// docs/security.md names tests: each of them must exist.

#include <gtest/gtest.h>

#include <filesystem>
#include <regex>
#include <set>
#include <string>

#include "markdown.h"
#include "test_names.h"

namespace weir::docs {
namespace {

namespace fs = std::filesystem;

// "Suite.name" of every test.
std::set<std::string> tests_there_are() {
  std::set<std::string> found;
  for (const NamedTest& test : all_tests()) {
    found.insert(test.suite + "." + test.name);
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
