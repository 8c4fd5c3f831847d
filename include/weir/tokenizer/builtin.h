#pragma once

// The vocabularies that are linked into the program, 2.4 MB of data (src/tokenizer/data/README.md
// names origins and licences). Tables are built when a tokenizer is first asked for.

#include <memory>
#include <string_view>
#include <vector>

#include "weir/tokenizer/tokenizer.h"

namespace weir::tokenizer {

// Owned by the caller, one is enough. All methods may be called from any thread.
//
// | name             | models             | entries | memory once used           |
// | qwen3.5, qwen3.6 | Qwen3.5, Qwen3.6   | 248,320 | 14 MB, one table for both  |
// | qwen3            | Qwen3              | 151,936 | 11 MB, one table for three |
// | qwen2.5          | Qwen2.5, QwQ       |         |                            |
// | qwen2            | Qwen2              |         |                            |
class Builtins {
 public:
  Builtins();
  ~Builtins();
  Builtins(const Builtins&) = delete;
  Builtins& operator=(const Builtins&) = delete;

  // The names that `find` knows, in the order of the table above.
  std::vector<std::string_view> names() const;

  bool has(std::string_view name) const;

  // The tokenizer of that name, or nullptr when there is none. The first call for a vocabulary
  // builds its tables (about 0.15 s); calls from other threads wait until they are ready, so
  // a program may call this from a background thread at start to have them warm. The pointer
  // lives as long as this object. Also nullptr when memory runs out; a later call tries again.
  const Tokenizer* find(std::string_view name) const;

 private:
  struct Store;
  std::unique_ptr<Store> store_;
};

}  // namespace weir::tokenizer
