#include "weir/openai/server_props.h"

#include <algorithm>
#include <charconv>
#include <nlohmann/json.hpp>
#include <utility>

#include "weir/openai/refusal.h"

namespace weir::openai {
namespace {

using nlohmann::json;

// The member at `path` of a parsed answer, or null when anything on the way is missing or no
// object.
const json& member_at(const json& whole, std::initializer_list<const char*> path) {
  static const json kNothing;
  const json* at = &whole;
  for (const char* key : path) {
    const auto found = at->is_object() ? at->find(key) : at->end();
    if (!at->is_object() || found == at->end()) {
      return kNothing;
    }
    at = &*found;
  }
  return *at;
}

std::optional<std::uint32_t> count_of(const json& value) {
  const double number = value.is_number() ? value.get<double>() : -1;
  return number >= 0 && number <= 4294967295.0 ? std::optional(static_cast<std::uint32_t>(number))
                                               : std::nullopt;
}

std::optional<bool> flag_of(const json& value) {
  return value.is_boolean() ? std::optional(value.get<bool>()) : std::nullopt;
}

std::optional<std::string> text_of(const json& value) {
  return value.is_string() ? std::optional(value.get<std::string>()) : std::nullopt;
}

std::optional<TemplateSource> template_of(const json& whole) {
  TemplateSource source;
  const std::optional<std::string> text = text_of(member_at(whole, {"chat_template"}));
  source.text = text.value_or("");
  source.tool_text = text_of(member_at(whole, {"chat_template_tool_use"})).value_or("");
  source.bos = text_of(member_at(whole, {"bos_token"})).value_or("");
  source.eos = text_of(member_at(whole, {"eos_token"})).value_or("");
  const std::size_t bytes =
      source.text.size() + source.tool_text.size() + source.bos.size() + source.eos.size();
  return text && bytes <= kTemplateTextBytesMax ? std::optional(std::move(source)) : std::nullopt;
}

std::optional<std::uint32_t> build_of(const json& info) {
  const std::string text = text_of(info).value_or("");
  std::uint32_t number = 0;
  if (!text.starts_with('b')) {
    return std::nullopt;
  }
  const auto read = std::from_chars(text.data() + 1, text.data() + text.size(), number);
  return read.ec == std::errc() ? std::optional(number) : std::nullopt;
}

void add_once(std::vector<std::string>& ids, const json& value) {
  std::optional<std::string> id = text_of(value);
  if (id && std::find(ids.begin(), ids.end(), *id) == ids.end()) {
    ids.push_back(*std::move(id));
  }
}

json parsed(std::string_view body) {
  return json::parse(body, nullptr, false);
}

// More than any server lists; a hostile one cannot make the search for doubles slow.
constexpr std::size_t kModelIdsMax = 1000;

}  // namespace

base::Result<ServerProps> parse_server_props(std::string_view body) {
  const json whole = parsed(body);
  if (!whole.is_object()) {
    return base::Error{base::ErrorCode::kBadJson, "The answer of /props is no JSON object."};
  }
  ServerProps props;
  props.slot_context_tokens = count_of(member_at(whole, {"default_generation_settings", "n_ctx"}));
  props.total_slots = count_of(member_at(whole, {"total_slots"}));
  props.vision = flag_of(member_at(whole, {"modalities", "vision"}));
  props.audio = flag_of(member_at(whole, {"modalities", "audio"}));
  props.model_path = text_of(member_at(whole, {"model_path"}));
  props.model_alias = text_of(member_at(whole, {"model_alias"}));
  props.is_sleeping = flag_of(member_at(whole, {"is_sleeping"})).value_or(false);
  props.typed_content = flag_of(member_at(whole, {"chat_template_caps", "supports_typed_content"}));
  props.chat_template = template_of(whole);
  props.build = build_of(member_at(whole, {"build_info"}));
  return props;
}

std::vector<std::string> parse_model_ids(std::string_view body) {
  std::vector<std::string> ids;
  const json whole = parsed(body);
  const json& list = member_at(whole, {"data"});
  for (const json& model : list.is_array() ? list : json::array()) {
    add_once(ids, member_at(model, {"id"}));
    const json& aliases = member_at(model, {"aliases"});
    for (const json& alias : aliases.is_array() ? aliases : json::array()) {
      add_once(ids, alias);
    }
    if (ids.size() >= kModelIdsMax) {
      break;
    }
  }
  return ids;
}

bool is_loading_health(int status, std::string_view body) {
  return classify_answer(status, body) == Refusal::kLoading;
}

}  // namespace weir::openai
