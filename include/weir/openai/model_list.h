#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace weir::openai {

struct ModelEntry {
  std::string id;
  std::string owned_by;
};

// The body of GET /v1/models in OpenAI's shape. `created` is in seconds since 1970.
std::string model_list(const std::vector<ModelEntry>& models, std::int64_t created);

}  // namespace weir::openai
