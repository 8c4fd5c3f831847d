#pragma once

// The vocabularies that are linked into the program, 7.7 MB of data (src/tokenizer/data/README.md
// names origins and licences). Tables are built when a tokenizer is first asked for.

#include <cstdint>
#include <memory>
#include <string_view>
#include <vector>

#include "weir/tokenizer/tokenizer.h"

namespace weir::tokenizer {

// One name. Some names mean the same vocabulary.
struct BuiltinInfo {
  std::string_view name;
  std::string_view models;
  std::uint32_t entries = 0;  // of the model's vocabulary, special and unused ones included
  std::string_view licence;   // of the vocabulary, and whose it is
};

// Owned by the caller, one is enough. All methods may be called from any thread.
//
// `o200k`, `gpt-4o`, `cl100k` and `gpt-4` split as OpenAI's tiktoken does; `gpt-oss` has the merges
// of o200k, but splits as llama.cpp, which serves that model (docs/tokenizer.md).
class Builtins {
 public:
  Builtins();
  ~Builtins();
  Builtins(const Builtins&) = delete;
  Builtins& operator=(const Builtins&) = delete;

  // All that `find` knows, those with the same merges side by side.
  std::vector<BuiltinInfo> all() const;

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
