#include "weir/openai/model_list.h"

#include "weir/base/json_text.h"

namespace weir::openai {

std::string model_list(const std::vector<ModelEntry>& models, std::int64_t created) {
  std::string list = "{\"object\":\"list\",\"data\":[";
  for (const ModelEntry& model : models) {
    list += list.back() == '[' ? "{\"id\":" : ",{\"id\":";
    base::append_json_string(list, model.id);
    list += ",\"object\":\"model\",\"created\":" + std::to_string(created) + ",\"owned_by\":";
    base::append_json_string(list, model.owned_by);
    list += "}";
  }
  list += "]}";
  return list;
}

}  // namespace weir::openai
