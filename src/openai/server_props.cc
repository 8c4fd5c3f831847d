#include "weir/openai/server_props.h"

#include <algorithm>

#include "json_reader.h"
#include "weir/openai/refusal.h"

namespace weir::openai {
namespace {

std::optional<std::uint32_t> count_of(JsonView view) {
  const std::optional<double> number = view.number();
  if (!number || *number < 0 || *number > 4294967295.0) {
    return std::nullopt;
  }
  return static_cast<std::uint32_t>(*number);
}

std::optional<bool> flag_of(JsonView view) {
  return view.is(JsonKind::kBool) ? std::optional<bool>(view.is_true()) : std::nullopt;
}

std::optional<std::string> text_of(JsonView view) {
  if (!view.is(JsonKind::kString)) {
    return std::nullopt;
  }
  std::string text;
  view.append_text(text);
  return text;
}

void add_once(std::vector<std::string>& ids, JsonView view) {
  std::optional<std::string> id = text_of(view);
  if (id && std::find(ids.begin(), ids.end(), *id) == ids.end()) {
    ids.push_back(*std::move(id));
  }
}

// More than any server lists; a hostile one cannot make the search for doubles slow.
constexpr std::size_t kModelIdsMax = 1000;

}  // namespace

base::Result<ServerProps> parse_server_props(std::string_view body) {
  const auto whole = read_json(body, "The answer of /props");
  if (!whole) {
    return whole.error();
  }
  if (!whole->is(JsonKind::kObject)) {
    return base::Error{base::ErrorCode::kBadJson, "The answer of /props is no JSON object."};
  }
  const JsonView modalities = whole->member("modalities");
  ServerProps props;
  props.slot_context_tokens =
      count_of(whole->member("default_generation_settings").member("n_ctx"));
  props.total_slots = count_of(whole->member("total_slots"));
  props.vision = flag_of(modalities.member("vision"));
  props.audio = flag_of(modalities.member("audio"));
  props.model_path = text_of(whole->member("model_path"));
  props.model_alias = text_of(whole->member("model_alias"));
  props.is_sleeping = whole->member("is_sleeping").is_true();
  props.typed_content =
      flag_of(whole->member("chat_template_caps").member("supports_typed_content"));
  return props;
}

std::vector<std::string> parse_model_ids(std::string_view body) {
  std::vector<std::string> ids;
  const auto whole = read_json(body, "The answer of /v1/models");
  if (!whole) {
    return ids;
  }
  for (ElementCursor at(whole->member("data")); at.next() && ids.size() < kModelIdsMax;) {
    add_once(ids, at.value().member("id"));
    for (ElementCursor alias(at.value().member("aliases")); alias.next();) {
      add_once(ids, alias.value());
      if (ids.size() >= kModelIdsMax) {
        break;
      }
    }
  }
  return ids;
}

bool is_loading_health(int status, std::string_view body) {
  return classify_answer(status, body) == Refusal::kLoading;
}

}  // namespace weir::openai
