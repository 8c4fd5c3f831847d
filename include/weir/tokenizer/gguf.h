#pragma once

// A tokenizer from a model file of llama.cpp (GGUF), for every kind of vocabulary that is in use
// (docs/tokenizer.md). Only the header of the file is read.

#include <memory>
#include <string>

#include "weir/base/result.h"
#include "weir/tokenizer/table_store.h"
#include "weir/tokenizer/tokenizer.h"

namespace weir::tokenizer {

struct GgufTokenizer {
  // Its name is that of the file, without the folder.
  std::unique_ptr<const Tokenizer> tokenizer;
  std::string model_name;     // general.name, "" when the file has none
  std::string chat_template;  // as in the file, "" when it has none

  // For templates: the texts of BOS and EOS, "" when there is no such token, and whether the server
  // puts them around a prompt (TokenizerFacts::added_tokens counts them).
  std::string bos;
  std::string eos;
  bool adds_bos = false;
  bool adds_eos = false;
};

// Takes about 0.2 s for 250,000 tokens, 0.03 s when `store`, if there is one, has the tables of
// this very file: as large, as old, and with the same header. What the store gives is taken only
// when its checksum and every number in it are right; else the tables are built, and written to it.
// `path` is that of the file, or of the first part of a split
// one. Counts are exact when the file names a splitter that is known here; see
// Tokenizer::is_exact.
// Errors: kBadConfig when there is no such file, when it is damaged, or when its vocabulary is of
// another kind; kCannotRun when memory runs out. The message begins with the path.
base::Result<GgufTokenizer> load_gguf_tokenizer(const std::string& path,
                                                TableStore* store = nullptr);

}  // namespace weir::tokenizer
