#include "interpreted_template.h"

#include <algorithm>
#include <array>
#include <ctime>
#include <utility>

#include "json_writer.h"
#include "prompt_plan.h"

namespace weir::openai {
namespace {

using base::Error;
using base::ErrorCode;
using base::Result;
using Time = std::chrono::system_clock::time_point;

// Of a made-up conversation with two messages; real templates take some thousand.
constexpr std::uint64_t kTrialStepsMax = 1'000'000;

Error refused(const char* why) {
  return {ErrorCode::kBadRequest, why};
}

// Parts of the texts of a message, without the media in it.
std::size_t text_parts(const ServerMessage& message) {
  return static_cast<std::size_t>(
      std::count_if(message.parts.begin(), message.parts.end(),
                    [](const ServerMessage::Part& part) { return !part.is_media; }));
}

// By lines, but not beside a picture.
std::string joined_parts(const ServerMessage& message) {
  std::string text;
  bool after_media = false;
  for (const ServerMessage::Part& part : message.parts) {
    if (!part.is_media && !after_media && !text.empty()) {
      text += '\n';
    }
    after_media = part.is_media;
    text += part.text;
  }
  return text;
}

Json content_of(const ServerMessage& message) {
  if (message.parts.empty() || message.has_media()) {
    return message.parts.empty() ? message.content : joined_parts(message);
  }
  Json parts = Json::array();
  for (const ServerMessage::Part& part : message.parts) {
    parts.push_back({{"type", "text"}, {"text", part.text}});
  }
  return parts;
}

Json call_of(const ServerMessage::Call& call) {
  Json json = {{"type", "function"},
               {"function", {{"name", call.name}, {"arguments", call.arguments}}}};
  if (!call.id.empty()) {
    json["id"] = call.id;
  }
  return json;
}

Json message_of(const ServerMessage& message) {
  Json json = {{"role", message.role}, {"content", content_of(message)}};
  if (!message.reasoning.empty()) {
    json["reasoning_content"] = message.reasoning;
  }
  if (!message.name.empty()) {
    json["name"] = message.name;
  }
  if (!message.tool_call_id.empty()) {
    json["tool_call_id"] = message.tool_call_id;
  }
  for (const ServerMessage::Call& call : message.calls) {
    json["tool_calls"].push_back(call_of(call));
  }
  return json;
}

// To what the template takes, when it takes one kind only.
void fit_content(Json& message, bool takes_text, bool takes_parts) {
  const auto found = message.find("content");
  if (found == message.end() || takes_text == takes_parts) {
    return;
  }
  if (takes_parts && found->is_string()) {
    *found = Json::array({{{"type", "text"}, {"text", std::move(*found)}}});
  } else if (takes_text && found->is_array()) {
    std::string text;
    for (const Json& part : *found) {
      text += text.empty() ? "" : "\n";
      text += part.value("text", "");
    }
    *found = std::move(text);
  }
}

ServerMessage without_outer_space(ServerMessage message) {
  message.content = trimmed(message.content);
  message.reasoning = trimmed(message.reasoning);
  for (ServerMessage::Part& part : message.parts) {
    part.text = trimmed(part.text);
  }
  return message;
}

void rename_developer(Json& messages) {
  for (Json& message : messages) {
    if (message["role"] == "developer") {
      message["role"] = "system";
    }
  }
}

// A template without system messages gets the first one in front of the second.
std::optional<Error> merge_system(Json& messages) {
  if (messages.empty() || messages.front()["role"] != "system") {
    return std::nullopt;
  }
  if (messages.size() > 1) {
    const Json system = messages[0]["content"];
    Json& content = messages[1]["content"];
    if (!system.is_string() || !content.is_string()) {
      return refused("the template takes no system message with parts");
    }
    content = system.get<std::string>() + "\n" + content.get<std::string>();
  }
  messages.erase(0);
  return std::nullopt;
}

std::optional<Error> parse_arguments(Json& messages) {
  for (Json& message : messages) {
    const auto calls = message.find("tool_calls");
    if (calls == message.end()) {
      continue;
    }
    for (Json& call : *calls) {
      Json& arguments = call["function"]["arguments"];
      std::optional<Json> parsed = json_tree(arguments.get_ref<const std::string&>());
      if (!parsed) {
        return refused("the arguments of a tool call are no JSON");
      }
      arguments = *std::move(parsed);
    }
  }
  return std::nullopt;
}

std::string date(Time now, const char* format) {
  const std::time_t seconds = std::chrono::system_clock::to_time_t(now);
  std::tm local{};
  localtime_r(&seconds, &local);
  std::array<char, 64> text;
  return {text.data(), std::strftime(text.data(), text.size(), format, &local)};
}

// Whether every version of the server writes the numbers in `value` alike.
bool is_certain(const Json& value) {
  if (value.is_number_float()) {
    return is_certain_fraction(value.get<double>());
  }
  return !value.is_structured() || std::all_of(value.begin(), value.end(), is_certain);
}

void set_default(Json& variables, const char* name, Json value) {
  if (!variables.contains(name)) {
    variables[name] = std::move(value);
  }
}

// Names that templates have for the same two wishes.
void add_synonyms(Json& variables) {
  const Json preserve = variables.value("preserve_reasoning", Json());
  if (preserve.is_boolean()) {
    set_default(variables, "preserve_thinking", preserve);
    for (const char* name : {"clear_thinking", "truncate_history_thinking", "drop_thinking"}) {
      set_default(variables, name, !preserve.get<bool>());
    }
  }
  const Json effort = variables.value("reasoning_effort", Json());
  if (effort.is_string()) {
    set_default(variables, "reasoning_strength", effort);
  }
}

// gpt-oss ends an answer with <|return|>, which an answer of the past must not have. The server
// takes the last one that is the template's own, and knows the texts of messages from the
// template's, but for the results of tools, which the template prints as JSON.
void replace_return(std::string& text) {
  constexpr std::string_view kReturn = "<|return|>";
  constexpr std::string_view kStart = "<|start|>";
  for (std::size_t at = text.rfind(kReturn); at != std::string::npos;
       at = at == 0 ? std::string::npos : text.rfind(kReturn, at - 1)) {
    const std::size_t start = text.rfind(kStart, at);
    const bool is_result =
        start != std::string::npos &&
        std::string_view(text).substr(start + kStart.size()).starts_with("functions.");
    if (is_result || at + kReturn.size() == text.size()) {
      text.replace(at, kReturn.size(), "<|end|>");
      return;
    }
  }
}

// The server reads what is there of an answer; text that has no tag before it must fit at once.
bool may_begin_json(std::string_view text) {
  constexpr std::string_view kBeginnings = " \t\n\v\f\r{[\"-0123456789";
  if (text.empty() || kBeginnings.find(text.front()) != std::string_view::npos) {
    return true;
  }
  for (const std::string_view word : {"true", "false", "null", "```json"}) {
    if (text.starts_with(word) || word.starts_with(text)) {
      return true;
    }
  }
  return false;
}

Continue how_it_goes_on(const ServerRequest& request) {
  if (request.continues != Continue::kUndecided || request.messages.empty()) {
    return request.continues;
  }
  const ServerMessage& last = request.messages.back();
  const bool only_thinks = !last.reasoning.empty() && last.content.empty() && last.parts.empty();
  return only_thinks ? Continue::kReasoning : Continue::kContent;
}

}  // namespace

struct InterpretedTemplate::Rendering {
  std::optional<Error> error;
  Json variables = Json::object();
  Json wished_generation_prompt;  // by chat_template_kwargs; counts when nothing is added
  bool strips_bos = false;
  bool strips_eos = false;
  Time now;
  jinja::RenderLimits limits;
};

Result<InterpretedTemplate> InterpretedTemplate::make(const std::string& text, std::string bos,
                                                      std::string eos) {
  auto parsed = jinja::Template::parse(text);
  if (!parsed) {
    return std::move(parsed).error();
  }
  return InterpretedTemplate(*std::move(parsed), std::move(bos), std::move(eos));
}

InterpretedTemplate::InterpretedTemplate(jinja::Template parsed, std::string bos, std::string eos)
    : template_(std::move(parsed)),
      bos_(std::move(bos)),
      eos_(std::move(eos)),
      can_(jinja::probe(template_)),
      family_(template_family(template_.source())) {
  find_thinking();
}

void InterpretedTemplate::find_thinking() {
  if (const std::optional<bool> known = thinks(family_)) {
    thinks_ = *known;
    return;
  }
  const auto try_it = [this](const Trial& trial) -> std::optional<std::string> {
    Rendering rendering;
    rendering.now = std::chrono::system_clock::now();
    rendering.limits.steps_max = kTrialStepsMax;
    rendering.variables["messages"] = trial.messages;
    for (Json& message : rendering.variables["messages"]) {
      fit_content(message, can_.string_content, can_.typed_content);
    }
    rendering.variables["bos_token"] = bos_;
    rendering.variables["eos_token"] = eos_;
    rendering.variables["enable_thinking"] = trial.enables_thinking;
    if (!trial.tools.is_null()) {
      rendering.variables["tools"] = trial.tools;
    }
    auto text = render_once(rendering, trial.adds_generation_prompt);
    return text ? std::optional(*std::move(text)) : std::nullopt;
  };
  tags_ = find_thinking_tags(template_.source(), can_.tool_calls, try_it);
  thinks_ = tags_.thinks;
}

bool InterpretedTemplate::takes_parts(const ServerRules& rules) const {
  return rules.parts == TextParts::kUnknown ? can_.typed_content
                                            : rules.parts == TextParts::kJoined;
}

std::string_view InterpretedTemplate::why_uncertain(const ServerRequest& request,
                                                    const ServerRules& rules) const {
  if (family_ == TemplateFamily::kUnreadable) {
    return "llama-server has rules of its own for this chat template";
  }
  if (rules.parts == TextParts::kUnknown && can_.typed_content) {
    for (const ServerMessage& message : request.messages) {
      if (text_parts(message) > 1 && !message.has_media()) {
        return "several text parts: versions of llama-server join them differently";
      }
    }
  }
  if (rules.fractions != Fractions::kUnknown) {
    return "";
  }
  bool certain = is_certain(request.tools);
  for (const ServerMessage& message : request.messages) {
    for (const ServerMessage::Call& call : message.calls) {
      const auto arguments = can_.object_arguments ? json_tree(call.arguments) : std::nullopt;
      certain = certain && (!arguments || is_certain(*arguments));
    }
  }
  return certain ? "" : "a number with a fraction: versions of llama-server write it differently";
}

Json InterpretedTemplate::messages_of(const ServerRequest& request,
                                      const ServerRules& rules) const {
  const bool trims = trims_texts(template_.source());
  const bool leaves_last = request.continues != Continue::kNo && !request.messages.empty();
  Json messages = Json::array();
  for (std::size_t i = 0; i + (leaves_last ? 1 : 0) < request.messages.size(); ++i) {
    const ServerMessage& message = request.messages[i];
    messages.push_back(message_of(trims ? without_outer_space(message) : message));
    fit_content(messages.back(), can_.string_content, takes_parts(rules));
  }
  return messages;
}

InterpretedTemplate::Rendering InterpretedTemplate::prepare(const ServerRequest& request,
                                                            const ServerRules& rules,
                                                            Time now) const {
  Rendering rendering;
  rendering.now = now;
  rendering.strips_bos = rules.adds_bos;
  rendering.strips_eos = rules.adds_eos;
  Json messages = messages_of(request, rules);
  if (!knows_developer(template_.source())) {
    rename_developer(messages);
  }
  if (!can_.system_role) {
    rendering.error = merge_system(messages);
  }
  if (can_.object_arguments && !rendering.error) {
    rendering.error = parse_arguments(messages);
  }
  adjust_messages(family_, messages);
  Json& variables = rendering.variables;
  variables["messages"] = std::move(messages);
  variables["enable_thinking"] = thinks_ && !request.turns_thinking_off;
  if (!request.tools.is_null()) {
    variables["tools"] = request.tools;
  }
  variables["datetime"] = date(now, "%b %d %Y");
  variables["date_string"] = date(now, "%d %b %Y");
  for (const auto& [name, value] : request.variables.items()) {
    variables[name] = value;  // may replace any of those above
  }
  variables["bos_token"] = bos_;
  variables["eos_token"] = eos_;
  if (family_ == TemplateFamily::kDeepSeekV4 && request.schema.is_object()) {
    variables["response_format"] = request.schema;
  }
  rendering.wished_generation_prompt = variables.value("add_generation_prompt", Json());
  add_synonyms(variables);
  return rendering;
}

Result<std::string> InterpretedTemplate::render_once(Rendering& rendering,
                                                     bool adds_generation_prompt) const {
  rendering.variables.erase("add_generation_prompt");
  if (adds_generation_prompt) {
    rendering.variables["add_generation_prompt"] = true;
  } else if (!rendering.wished_generation_prompt.is_null()) {
    rendering.variables["add_generation_prompt"] = rendering.wished_generation_prompt;
  }
  auto text = template_.render(rendering.variables, rendering.limits, rendering.now);
  if (!text) {
    return text;
  }
  if (rendering.strips_bos && text->starts_with(bos_)) {
    text->erase(0, bos_.size());
  }
  if (rendering.strips_eos && text->ends_with(eos_)) {
    text->erase(text->size() - eos_.size());
  }
  return text;
}

// What the template adds for an answer: where the two renderings part.
Result<std::string> InterpretedTemplate::generation_prompt(Rendering& rendering) const {
  const auto without = render_once(rendering, false);
  if (!without) {
    return without;
  }
  auto with = render_once(rendering, true);
  if (!with) {
    return with;
  }
  const std::size_t shorter = std::min(without->size(), with->size());
  const auto parting = std::mismatch(
      with->begin(), with->begin() + static_cast<std::ptrdiff_t>(shorter), without->begin());
  return std::string(parting.first, with->end());
}

Result<std::string> InterpretedTemplate::continued(const ServerRequest& request,
                                                   Rendering& rendering,
                                                   std::string rendered) const {
  const ServerMessage& message = request.messages.back();
  std::string opening;
  if (opens_with_generation_prompt(family_)) {
    auto added = generation_prompt(rendering);
    if (!added) {
      return added;
    }
    opening = *std::move(added);
  }
  ContinuedForm form;
  if (family_ == TemplateFamily::kOther || family_ == TemplateFamily::kUnreadable) {
    form = {opening, tags_.open, tags_.close, !tags_.open.empty(), false};
    if (form.has_thinking) {
      form.opening = opening.substr(0, opening.find(tags_.open));
    }
  } else {
    form = continued_form(family_, message, rendered, opening);
  }
  const bool with_content = how_it_goes_on(request) == Continue::kContent;
  const bool begins_with_content =
      form.opening.empty() && (form.think_open.empty() || form.think_close.empty());
  if (family_ == TemplateFamily::kOther && with_content && begins_with_content &&
      request.schema.is_object() && !may_begin_json(message.whole_text())) {
    return refused("the answer begun is not of the response_format");
  }
  rendered += form.opening;
  if (form.has_thinking) {
    rendered += form.think_open + message.reasoning;
    rendered += with_content ? form.think_close : "";
  }
  rendered += with_content || form.always_content ? message.whole_text() : "";
  return rendered;
}

// Nothing is added. But the server reads what the template would open an answer with, and its
// reader for DeepSeek knows one beginning only.
Result<std::string> InterpretedTemplate::goes_on_with_nothing(Rendering& rendering,
                                                              std::string rendered) const {
  if (family_ == TemplateFamily::kDeepSeekV32 || family_ == TemplateFamily::kDeepSeekV4) {
    const auto opening = generation_prompt(rendering);
    if (opening && !opening->starts_with("<｜Assistant｜>")) {
      return refused("an empty answer cannot go on here");
    }
  }
  return rendered;
}

Result<std::string> InterpretedTemplate::render(const ServerRequest& request,
                                                const ServerRules& rules, Time now) const {
  Rendering rendering = prepare(request, rules, now);
  if (rendering.error) {
    return *std::move(rendering.error);
  }
  const bool goes_on = request.continues != Continue::kNo;
  const bool adds_prompt = request.adds_generation_prompt && !goes_on;
  auto text = render_once(rendering, adds_prompt);
  if (!text) {
    return text;
  }
  if (family_ == TemplateFamily::kGptOss && !adds_prompt) {
    replace_return(*text);
  }
  const bool is_gemma4 =
      family_ == TemplateFamily::kGemma4 || family_ == TemplateFamily::kGemma4Old;
  if (is_gemma4 && adds_prompt && text->ends_with("<turn|>\n")) {
    *text += "<|turn>model\n";
  }
  if (!goes_on || request.messages.empty()) {
    return text;
  }
  if (!request.messages.back().is_empty()) {
    return continued(request, rendering, *std::move(text));
  }
  return goes_on_with_nothing(rendering, *std::move(text));
}

}  // namespace weir::openai
