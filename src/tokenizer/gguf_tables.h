#pragma once

// What was made of a model file, as it is kept in a TableStore.

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "model.h"
#include "weir/tokenizer/gguf.h"
#include "weir/tokenizer/table_store.h"

namespace weir::tokenizer {

// Before it becomes a tokenizer.
struct GgufParts {
  std::shared_ptr<const Model> model;
  std::vector<SpecialToken> special_tokens;
  TokenizerFacts facts;
  GgufTokenizer rest;  // without a tokenizer
};

// What the store has of this very file; nothing when it has none, or it is damaged, or it was made
// from another file or by another version.
std::optional<GgufParts> read_gguf_tables(const std::string& path, TableStore& store);

// `header_bytes` as in GgufHeader. Does nothing for models that are not kept.
void write_gguf_tables(const std::string& path, std::uint64_t header_bytes, const GgufParts& parts,
                       TableStore& store);

}  // namespace weir::tokenizer
