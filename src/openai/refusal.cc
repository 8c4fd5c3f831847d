#include "weir/openai/refusal.h"

#include <charconv>
#include <nlohmann/json.hpp>
#include <string>

#include "weir/base/text.h"

namespace weir::openai {
namespace {

using nlohmann::json;

// What a refusal says, in small letters.
struct Phrase {
  std::string_view text;
  Refusal refusal;
};

// Each was seen in the wild; whole messages are in the tests.
constexpr Phrase kPhrases[] = {
    {"exceeds the available context size", Refusal::kContext},
    {"context size has been exceeded", Refusal::kContext},
    {"maximum context length", Refusal::kContext},  // OpenAI, vLLM, SGLang, Mistral
    {"longer than the model's context length", Refusal::kContext},
    {"longer than the maximum model length", Refusal::kContext},
    {"too long to fit into the model", Refusal::kContext},
    {"exceeds the maximum allowed length", Refusal::kContext},
    {"exceeds the maximum allowed input length", Refusal::kContext},
    {"exceed context window", Refusal::kContext},  // llama-cpp-python
    {"exceeds the context window", Refusal::kContext},
    {"exceeds the context length", Refusal::kContext},                    // Ollama
    {"load the model with a larger context length", Refusal::kContext},   // LM Studio
    {"is greater than the context length", Refusal::kContext},            // LM Studio
    {"`inputs` must have less than", Refusal::kContext},                  // TGI
    {"`inputs` tokens + `max_new_tokens` must be", Refusal::kContext},    // TGI
    {"exceeds the maximum number of tokens allowed", Refusal::kContext},  // Gemini
    {"prompt is too long", Refusal::kContext},                            // Anthropic
    {"exceed context limit", Refusal::kContext},                          // Anthropic
    {"input is too long for requested model", Refusal::kContext},         // Bedrock
    {"maximum prompt length is", Refusal::kContext},                      // xAI
    {"exceeded model token limit", Refusal::kContext},                    // Moonshot
    {"reduce the length of the messages", Refusal::kContext},             // Groq
    {"image input is not supported", Refusal::kContent},
    {"audio input is not supported", Refusal::kContent},
    {"video input is not supported", Refusal::kContent},
    {"unsupported content[].type", Refusal::kContent},
    {"unsupported content part type", Refusal::kContent},
};

// What `type` and `code` of an error object say; this comes before any phrase.
constexpr Phrase kTypes[] = {
    {"exceed_context_size_error", Refusal::kContext},
    {"context_length_exceeded", Refusal::kContext},
    {"context_window_exceeded", Refusal::kContext},
    {"model_context_window_exceeded", Refusal::kContext},
};

// Statuses under which a phrase is believed: with the others (401, 429, ...) the status says it
// all.
bool may_carry_phrase(int status) {
  return status == 200 || status == 400 || status == 413 || status == 422 || status == 500;
}

// The beginning of a body that is no error object is searched for phrases, no more.
constexpr std::size_t kPlainBytesMax = 4096;

struct ErrorText {
  std::string message;
  std::string type;
  std::string code;
};

void append_text(std::string& text, const json& object, const char* key) {
  const auto found = object.find(key);
  if (found != object.end() && found->is_string()) {
    text += found->get<std::string>();
  }
}

ErrorText error_text_of(const json& error) {
  ErrorText text;
  if (error.is_string()) {
    text.message = error.get<std::string>();
  } else {
    append_text(text.message, error, "message");
    append_text(text.type, error, "type");
    append_text(text.code, error, "code");
  }
  return text;
}

// What the body says is wrong, in the shapes of the known servers: {"error":{...}},
// {"error":"..."}, {"object":"error","message":...}. Under an error status anything else is taken
// as a message.
std::optional<ErrorText> find_error(int status, std::string_view body) {
  // Both shapes hold this word. A good answer hardly ever does, and need not be parsed.
  if (status < 400 && body.find(R"("error")") == std::string_view::npos) {
    return std::nullopt;
  }
  const json whole = json::parse(body, nullptr, false);
  if (whole.is_object()) {
    const auto error = whole.find("error");
    if (error != whole.end() && (error->is_object() || error->is_string())) {
      return error_text_of(*error);
    }
    if (whole.value("object", json()) == "error") {
      return error_text_of(whole);
    }
  }
  if (status < 400) {
    return std::nullopt;
  }
  return ErrorText{std::string(body.substr(0, kPlainBytesMax)), "", ""};
}

}  // namespace

Refusal classify_answer(int status, std::string_view body) {
  const std::optional<ErrorText> error = find_error(status, body);
  if (!error) {
    return Refusal::kNone;
  }
  for (const Phrase& type : kTypes) {
    if (error->type == type.text || error->code == type.text) {
      return type.refusal;
    }
  }
  const std::string message = base::ascii_lower(error->message);
  if (status == 503) {
    const bool is_loading =
        error->type == "unavailable_error" || message.find("loading model") != std::string::npos;
    return is_loading ? Refusal::kLoading : Refusal::kNone;
  }
  for (const Phrase& phrase : kPhrases) {
    if (may_carry_phrase(status) && message.find(phrase.text) != std::string::npos) {
      return phrase.refusal;
    }
  }
  return Refusal::kNone;
}

Refusal classify_first_event(std::string_view event_data) {
  return classify_answer(200, event_data);
}

std::optional<std::uint64_t> refused_prompt_tokens(std::string_view refusal) {
  constexpr std::string_view kKey = R"("n_prompt_tokens")";
  const auto key = refusal.find(kKey);
  if (key == std::string_view::npos) {
    return std::nullopt;
  }
  refusal.remove_prefix(key + kKey.size());
  refusal.remove_prefix(std::min(refusal.size(), refusal.find_first_not_of(" \t:")));
  std::uint64_t tokens = 0;
  const auto [end, error] =
      std::from_chars(refusal.data(), refusal.data() + refusal.size(), tokens);
  return error == std::errc() ? std::optional(tokens) : std::nullopt;
}

}  // namespace weir::openai
