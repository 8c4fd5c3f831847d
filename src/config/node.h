#pragma once

// A parsed file as a plain tree, with the place of each part: what the rest of this part works on,
// so that toml++ is compiled once and its types stay in document.cc.

#include <cstdint>
#include <string>
#include <vector>

namespace weir::config {

struct Place {
  std::uint32_t line = 0;  // from 1; 0: the file as a whole
  std::uint32_t column = 0;
};

// Something wrong in the file. `text` is "what is wrong; what would be right", without any key.
struct Fault {
  Place place;
  std::string key;  // full name, or empty
  std::string text;
};

struct Entry;

struct Node {
  enum class Kind { kText, kInteger, kNumber, kFlag, kTime, kList, kTable };

  Kind kind = Kind::kTable;
  Place place;
  std::string text;
  std::int64_t integer = 0;
  double number = 0;
  bool flag = false;
  std::vector<Node> items;     // kList
  std::vector<Entry> entries;  // kTable, in the order of the file
};

struct Entry {
  std::string key;
  Place place;  // of the key
  Node node;
};

}  // namespace weir::config
