#include "weir/openai/model_list.h"

#include <nlohmann/json.hpp>

namespace weir::openai {

using nlohmann::ordered_json;

std::string model_list(const std::vector<ModelEntry>& models, std::int64_t created) {
  ordered_json list{{"object", "list"}, {"data", ordered_json::array()}};
  for (const ModelEntry& model : models) {
    list["data"].push_back({{"id", model.id},
                            {"object", "model"},
                            {"created", created},
                            {"owned_by", model.owned_by}});
  }
  return list.dump(-1, ' ', false, ordered_json::error_handler_t::replace);
}

}  // namespace weir::openai
