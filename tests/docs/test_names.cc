#include "test_names.h"

#include <filesystem>
#include <regex>

#include "markdown.h"

namespace weir::docs {

namespace fs = std::filesystem;

std::vector<NamedTest> all_tests() {
  static const std::regex kCpp(R"(TEST(?:_F|_P)?\(\s*(\w+),\s*(\w+)\))");
  static const std::regex kPython(R"(class (\w+)\(|def (test_\w+)\()");
  const fs::path root = fs::path(WEIR_SOURCE_DIR) / "tests";
  std::vector<NamedTest> found;
  for (const auto& entry : fs::recursive_directory_iterator(root)) {
    const std::string extension = entry.path().extension().string();
    if (!entry.is_regular_file() || (extension != ".cc" && extension != ".py")) {
      continue;
    }
    const std::string file = entry.path().lexically_relative(root).generic_string();
    const std::string text = file_text("tests/" + file);
    const bool is_python = extension == ".py";
    std::string suite;
    for (std::sregex_iterator at(text.begin(), text.end(), is_python ? kPython : kCpp), end;
         at != end; ++at) {
      if (is_python && (*at)[1].matched) {
        suite = (*at)[1];
      } else {
        found.push_back({is_python ? suite : (*at)[1].str(), (*at)[2], file});
      }
    }
  }
  return found;
}

}  // namespace weir::docs
