#pragma once

// Every test that there is, read from the sources.

#include <string>
#include <vector>

namespace weir::docs {

struct NamedTest {
  std::string suite;  // of Python: the class
  std::string name;
  std::string file;  // below tests/, with slashes
};

std::vector<NamedTest> all_tests();

}  // namespace weir::docs
