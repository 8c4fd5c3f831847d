#pragma once

// A built-in vocabulary whose merges follow from its tokens (.tokens, data/README.md).

#include <string_view>

#include "gguf_header.h"
#include "weir/base/result.h"

namespace weir::tokenizer {

// What the header of the model's own file says of its tokens, their types and merges.
// Errors: kBadConfig when the file is damaged.
base::Result<GgufHeader> read_token_list(std::string_view file);

}  // namespace weir::tokenizer
