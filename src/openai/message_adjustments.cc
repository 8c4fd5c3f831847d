// What llama-server changes in the messages for some families of templates.

#include <algorithm>
#include <cstddef>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "template_family.h"

namespace weir::openai {
namespace {

bool is_text(const Json& message, const char* key) {
  const auto found = message.find(key);
  return found != message.end() && found->is_string();
}

bool has_calls(const Json& message) {
  const auto found = message.find("tool_calls");
  return found != message.end() && found->is_array() && !found->empty();
}

// The template's own name for the reasoning. gpt-oss takes a call's reasoning in place of a text.
void copy_thinking(Json& messages, bool instead_of_content) {
  for (Json& message : messages) {
    if (is_text(message, "reasoning_content")) {
      message["thinking"] = message["reasoning_content"];
      if (instead_of_content && has_calls(message)) {
        message.erase("content");
      }
    }
  }
}

// Thinking becomes a part of the content.
void thinking_into_parts(Json& messages) {
  for (Json& message : messages) {
    const std::string role = message.value("role", "");
    if (role != "system" && role != "assistant") {
      continue;
    }
    Json parts = Json::array();
    if (is_text(message, "reasoning_content")) {
      parts.push_back({{"type", "thinking"}, {"thinking", message["reasoning_content"]}});
    }
    if (is_text(message, "content")) {
      parts.push_back({{"type", "text"}, {"text", message["content"]}});
    } else if (message.contains("content") && message["content"].is_array()) {
      for (const Json& part : message["content"]) {
        parts.push_back(part);
      }
    }
    message["content"] = std::move(parts);
    message.erase("reasoning_content");
  }
}

bool has_content(const Json& message) {
  const auto found = message.find("content");
  return found != message.end() && !found->is_null() &&
         (found->is_string() ? !found->get_ref<const std::string&>().empty()
                             : found->is_array() && !found->empty());
}

// What a tool answered: JSON when it is JSON.
Json tool_response(const Json& message) {
  const auto found = message.find("content");
  if (found == message.end()) {
    return nullptr;
  }
  if (!found->is_string()) {
    return *found;
  }
  std::optional<Json> parsed = json_tree(found->get_ref<const std::string&>());
  return parsed ? *std::move(parsed) : *found;
}

std::string called_name(const Json& calls, std::size_t index, const Json& result) {
  std::string name;
  if (index < calls.size() && calls[index].contains("function")) {
    name = calls[index]["function"].value("name", "");
  }
  return name.empty() ? result.value("tool_call_id", "") : name;
}

// An assistant's calls, the results behind them and the text it then says become one message.
// `at` is the message with the calls, and then the first that is not taken.
Json joined_turn(const Json& messages, std::size_t& at) {
  const Json& first = messages[at++];
  const Json& calls = first["tool_calls"];
  Json responses = Json::array();
  for (; at < messages.size() && messages[at].value("role", "") == "tool"; ++at) {
    responses.push_back({{"name", called_name(calls, responses.size(), messages[at])},
                         {"response", tool_response(messages[at])}});
  }
  Json turn = {{"role", "assistant"}, {"tool_calls", calls}};
  if (!responses.empty()) {
    turn["tool_responses"] = std::move(responses);
  }
  if (at < messages.size() && messages[at].value("role", "") == "assistant" &&
      !has_calls(messages[at]) && has_content(messages[at])) {
    turn["content"] = messages[at++]["content"];
  }
  if (is_text(first, "reasoning_content")) {
    turn["reasoning_content"] = first["reasoning_content"];
  }
  return turn;
}

void join_tool_turns(Json& messages) {
  Json joined = Json::array();
  for (std::size_t at = 0; at < messages.size();) {
    if (messages[at].value("role", "") == "assistant" && has_calls(messages[at])) {
      joined.push_back(joined_turn(messages, at));
    } else {
      joined.push_back(messages[at++]);
    }
  }
  messages = std::move(joined);
}

// The results of an assistant's calls in the order of the calls. A run of results and messages of
// the user becomes one turn in the template.
void sort_results(Json& messages, const std::vector<std::size_t>& places,
                  const std::map<std::string, std::size_t>& order) {
  const auto number_of = [&](const Json& result) {
    const auto found = order.find(result.value("tool_call_id", ""));
    return found == order.end() ? 0 : found->second;
  };
  std::vector<Json> results;
  for (const std::size_t place : places) {
    results.push_back(std::move(messages[place]));
  }
  std::stable_sort(results.begin(), results.end(),
                   [&](const Json& a, const Json& b) { return number_of(a) < number_of(b); });
  for (std::size_t i = 0; i < places.size(); ++i) {
    messages[places[i]] = std::move(results[i]);
  }
}

std::map<std::string, std::size_t> call_order(const Json& calls) {
  std::map<std::string, std::size_t> order;
  for (std::size_t i = 0; i < calls.size(); ++i) {
    const std::string id = calls[i].value("id", "");
    if (!id.empty()) {
      order[id] = i;
    }
  }
  return order;
}

void sort_tool_results(Json& messages) {
  std::map<std::string, std::size_t> order;
  std::vector<std::size_t> places;  // of the results in the run so far
  for (std::size_t at = 0; at <= messages.size(); ++at) {
    const std::string role = at < messages.size() ? messages[at].value("role", "") : "";
    if (role == "tool") {
      places.push_back(at);
    } else if (role != "user") {
      if (places.size() > 1 && !order.empty()) {
        sort_results(messages, places, order);
      }
      places.clear();
    }
    if (role == "assistant" && has_calls(messages[at])) {
      order = call_order(messages[at]["tool_calls"]);
    }
  }
}

}  // namespace

void adjust_messages(TemplateFamily family, Json& messages) {
  switch (family) {
    case TemplateFamily::kGptOss:
      copy_thinking(messages, true);
      break;
    case TemplateFamily::kLfm2:
      copy_thinking(messages, false);
      break;
    case TemplateFamily::kMinistral3:
      thinking_into_parts(messages);
      break;
    case TemplateFamily::kGemma4Old:
      join_tool_turns(messages);
      break;
    case TemplateFamily::kDeepSeekV4:
      sort_tool_results(messages);
      break;
    default:
      break;
  }
}

}  // namespace weir::openai
