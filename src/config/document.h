#pragma once

// TOML text into a tree of nodes.

#include <string_view>
#include <vector>

#include "node.h"

namespace weir::config {

struct Document {
  Node root;
  std::vector<Fault> faults;
  // True when lines had to be left out to read on: what is missing in `root` may be in the file.
  bool is_partial = false;
};

// `text` is UTF-8. A fault shows nothing of the text but the name of a table or key. After a fault
// that ends with its line the rest is read as well, so that one run finds the others too.
Document parse_document(std::string_view text);

}  // namespace weir::config
