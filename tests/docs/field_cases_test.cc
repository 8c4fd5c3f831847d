// docs/field-cases.md against the tests: every case has tests that are named for it, and the page
// says where.

#include <gtest/gtest.h>

#include <map>
#include <regex>
#include <set>
#include <string>

#include "markdown.h"
#include "test_names.h"

namespace weir::docs {
namespace {

constexpr int kCases = 57;

std::string id_of(int number) {
  return std::string("S-") + (number < 10 ? "0" : "") + std::to_string(number);
}

// The files of each case's tests.
std::map<std::string, std::set<std::string>> tested_in() {
  static const std::regex kNamed(R"((?:S|test_s)(\d\d)_.*)");
  std::map<std::string, std::set<std::string>> files;
  for (const NamedTest& test : all_tests()) {
    std::smatch match;
    if (std::regex_match(test.name, match, kNamed)) {
      files["S-" + match[1].str()].insert(test.file);
    }
  }
  return files;
}

TEST(FieldCasesPage, HasEveryCaseAndWhereItIsTested) {
  std::map<std::string, std::set<std::string>> on_page;
  for (const auto& row : table_named(file_text("docs/field-cases.md"), "case").rows) {
    const auto files = list_of(row[3]);
    EXPECT_TRUE(on_page.emplace(row[0], std::set<std::string>(files.begin(), files.end())).second)
        << row[0] << " is there twice";
    EXPECT_NE(row[2], "") << row[0];
  }
  EXPECT_EQ(on_page, tested_in());
}

TEST(FieldCasesPage, NoCaseIsWithoutATest) {
  const auto tested = tested_in();
  for (int number = 1; number <= kCases; ++number) {
    EXPECT_TRUE(tested.contains(id_of(number))) << id_of(number);
  }
  EXPECT_EQ(tested.size(), static_cast<std::size_t>(kCases));
}

}  // namespace
}  // namespace weir::docs
