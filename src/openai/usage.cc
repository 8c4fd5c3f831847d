#include "usage.h"

#include "json_reader.h"
#include "json_scan.h"
#include "weir/openai/event_scanner.h"

namespace weir::openai {
namespace {

// In a string value the quotes around it would be escaped, so this is found as a key only (or as a
// string of exactly this text).
constexpr std::string_view kUsageKey = "\"usage\"";

std::optional<std::uint64_t> prompt_tokens_of(JsonView usage) {
  const std::optional<double> tokens = usage.member("prompt_tokens").number();
  if (!tokens || *tokens < 0 || *tokens > 1e15) {
    return std::nullopt;
  }
  return static_cast<std::uint64_t>(*tokens);
}

// The object behind a key at the front of `text`; absent when something else is there.
JsonView object_behind_key(std::string_view text) {
  const char* const end = text.data() + text.size();
  const char* at = skip_json_space(text.data(), end);
  if (at == end || *at != ':') {
    return {};
  }
  at = skip_json_space(at + 1, end);
  const std::size_t length = good_value_length({at, static_cast<std::size_t>(end - at)});
  const auto value = read_json({at, length}, "usage");
  return value ? *value : JsonView();
}

}  // namespace

std::optional<std::uint64_t> usage_of_object(std::string_view object) {
  if (object.find(kUsageKey) == std::string_view::npos) {
    return std::nullopt;
  }
  const auto whole = read_json(object, "usage");
  return whole ? prompt_tokens_of(whole->member("usage")) : std::nullopt;
}

std::optional<std::uint64_t> usage_prompt_tokens(std::string_view body_tail) {
  std::size_t at = body_tail.rfind(kUsageKey);
  for (int tries = 0; tries < 4 && at != std::string_view::npos; ++tries) {
    const JsonView usage = object_behind_key(body_tail.substr(at + kUsageKey.size()));
    if (const auto tokens = prompt_tokens_of(usage)) {
      return tokens;
    }
    at = at == 0 ? std::string_view::npos : body_tail.rfind(kUsageKey, at - 1);
  }
  return std::nullopt;
}

}  // namespace weir::openai
