#pragma once

// The vocabulary of a GGUF header, whatever its kind (tokenizer.ggml.model), with its tables.

#include <memory>
#include <string>

#include "gguf_header.h"
#include "model.h"
#include "weir/base/result.h"

namespace weir::tokenizer {

struct GgufModel {
  std::shared_ptr<const Model> model;
  std::string why_estimate;  // "" when counts are llama.cpp's
  // Whether the server puts one more token before and after a whole prompt.
  bool adds_bos = false;
  bool adds_eos = false;
};

// Errors: kBadConfig when the vocabulary is damaged or of a kind that is not known.
base::Result<GgufModel> gguf_model(const GgufHeader& header);

}  // namespace weir::tokenizer
