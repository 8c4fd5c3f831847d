#include "weir/jinja/capabilities.h"

#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <utility>

#include "failure.h"
#include "program.h"
#include "rendering.h"

namespace weir::jinja {
namespace {

constexpr std::string_view kStringMarker = "STRING_MARKER";
constexpr std::string_view kReasoningMarker = "<REASONING_CONTENT_PLACEHOLDER>";

// A rendering of one made-up conversation, and what became of its values.
class Trial {
 public:
  Trial(const Program& program, Json variables)
      : variables_(std::move(variables)), run_(program, RenderLimits(), base::SystemTime()) {
    run_.watch();
    run_.define(variables_);
    messages_ = run_.global("messages");
    tools_ = run_.global("tools");
    share_effort();
    try {
      run_.execute();
      output_ = run_.take_output();
      is_ok_ = true;
    } catch (const RenderFailure&) {
      is_ok_ = false;
    } catch (const LimitFailure&) {
      is_ok_ = false;
    }
  }

  bool is_ok() const { return is_ok_; }
  bool printed(std::string_view text) const { return output_.find(text) != std::string::npos; }
  const Value& messages() const { return messages_; }
  const Value& tools() const { return tools_; }
  // The variable reasoning_effort as it was left.
  Value effort() {
    return run_.names("reasoning_effort") ? run_.global("reasoning_effort") : effort_;
  }
  const Use& use_of(const Value& value) const { return run_.use_of(value); }

  // Undefined where llama.cpp would not find it.
  Value item(const Value& array, std::int64_t index) const {
    const Value* const found = array.is_array() ? item_at(*array.array, index) : nullptr;
    return found == nullptr ? Value::undefined() : *found;
  }
  Value member(const Value& object, std::string_view name) {
    const Value* const found = object.is_object() ? find(run_, *object.object, name) : nullptr;
    return found == nullptr ? Value::undefined() : *found;
  }

 private:
  // One value under both names that templates have for it: a use of either counts.
  void share_effort() {
    effort_ =
        run_.global(run_.names("reasoning_effort") ? "reasoning_effort" : "reasoning_strength");
    run_.set_global("reasoning_strength", effort_);
  }

  const Json variables_;  // run_ reads it in place
  Rendering run_;
  Value messages_;
  Value tools_;
  Value effort_;
  std::string output_;
  bool is_ok_ = false;
};

Json message(std::string_view role, const Json& content) {
  return {{"role", role}, {"content", content}};
}

Json tool_call(std::string_view id, const Json& arguments) {
  return {{"id", id},
          {"type", "function"},
          {"function", {{"name", "tool1"}, {"arguments", arguments}}}};
}

Json variables_with(const Json& messages, const Json& tools = Json::array()) {
  return {{"messages", messages},
          {"tools", tools},
          {"bos_token", ""},
          {"eos_token", ""},
          {"add_generation_prompt", true}};
}

// A question, an answer with these calls, their result, an answer, a question.
Json conversation_with(const Json& calls) {
  Json answer = message("assistant", "");
  answer["tool_calls"] = calls;
  Json result = message("tool", "Tool response");
  result["tool_call_id"] = "call00001";
  const Json tools = Json::parse(R"([{
    "name": "tool",
    "type": "function",
    "function": {
      "name": "tool1",
      "description": "Tool description",
      "parameters": {
        "type": "object",
        "properties": {"arg": {"type": "string", "description": "Arg description"}},
        "required": ["arg"]
      }
    }
  }])");
  return variables_with(Json::array({message("user", "User message"), answer, result,
                                     message("assistant", "The tool response was 'tool response'"),
                                     message("user", "User message")}),
                        tools);
}

const Json& object_arguments() {
  static const Json arguments = {{"arg", "value"}};
  return arguments;
}

const Json& string_arguments() {
  static const Json arguments = R"({"arg": "value"})";
  return arguments;
}

}  // namespace

class Prober {
 public:
  explicit Prober(const Template& chat_template) : program_(*chat_template.program_) {}

  Capabilities run() {
    probe_content();
    probe_system_role();
    probe_tools();
    probe_parallel_calls();
    probe_reasoning();
    return found_;
  }

 private:
  void probe_content() {
    Trial trial(program_, variables_with(Json::array({message("user", kStringMarker)})));
    const Use& use = use_of_first_content(trial);
    const bool asks_for_string = use.is_tested_for_string;
    found_.typed_content = use.is_used_as_list;
    found_.string_content =
        trial.is_ok() && !(use.is_used_as_list && !trial.printed(kStringMarker));
    if (asks_for_string) {
      Trial list(program_, variables_with(Json::array({message("user", Json::array())})));
      if (list.is_ok() && use_of_first_content(list).is_used_as_list) {
        found_.typed_content = true;
      }
    }
  }

  void probe_system_role() {
    Trial trial(program_, variables_with(Json::array({message("system", "System message"),
                                                      message("user", "User message")})));
    found_.system_role = use_of_first_content(trial).is_used;
  }

  void probe_tools() {
    Trial trial(program_,
                conversation_with(Json::array({tool_call("call00001", object_arguments())})));
    if (trial.is_ok()) {
      note_tools(trial);
      const Value argument = trial.member(trial.member(function_of(trial, 0), "arguments"), "arg");
      found_.object_arguments = found_.tool_calls && trial.use_of(argument).is_used;
    }
    if (!found_.object_arguments) {
      probe_string_arguments();
    }
  }

  void probe_string_arguments() {
    Trial trial(program_,
                conversation_with(Json::array({tool_call("call00001", string_arguments())})));
    if (trial.is_ok()) {
      return note_tools(trial);
    }
    found_.tool_calls = false;
    found_.tools = false;
  }

  void probe_parallel_calls() {
    const Json& arguments = found_.object_arguments ? object_arguments() : string_arguments();
    Trial trial(program_, conversation_with(Json::array({tool_call("call00001", arguments),
                                                         tool_call("call00002", arguments)})));
    found_.parallel_tool_calls = trial.is_ok() && trial.use_of(function_of(trial, 1)).is_used;
  }

  void probe_reasoning() {
    Json old_answer = message("assistant", "Assistant message");
    old_answer["reasoning_content"] = kReasoningMarker;
    Json last_answer = message("assistant", "Assistant message");
    last_answer["reasoning_content"] = "Reasoning content";
    const Json question = message("user", "User message");
    Json history =
        variables_with(Json::array({question, old_answer, question, last_answer, question}));
    history["enable_thinking"] = true;
    history["preserve_thinking"] = true;
    history["clear_thinking"] = false;
    history["truncate_history_thinking"] = false;
    history["drop_thinking"] = false;
    found_.preserve_reasoning = Trial(program_, history).printed(kReasoningMarker);

    Json effort = variables_with(Json::array({question}));
    effort["enable_thinking"] = true;
    effort["reasoning_effort"] = "low";
    effort["reasoning_strength"] = "low";
    Trial trial(program_, effort);
    found_.reasoning_effort = trial.use_of(trial.effort()).is_used;
  }

  void note_tools(Trial& trial) {
    const Value tool = trial.item(trial.tools(), 0);
    const Value name = trial.member(trial.member(tool, "function"), "name");
    found_.tools = found_.tools && trial.use_of(name).is_used;
    found_.tool_calls = found_.tool_calls && trial.use_of(calls_of(trial)).is_used;
  }

  static const Use& use_of_first_content(Trial& trial) {
    return trial.use_of(trial.member(trial.item(trial.messages(), 0), "content"));
  }

  static Value calls_of(Trial& trial) {
    return trial.member(trial.item(trial.messages(), 1), "tool_calls");
  }

  static Value function_of(Trial& trial, std::int64_t call) {
    return trial.member(trial.item(calls_of(trial), call), "function");
  }

  const Program& program_;
  Capabilities found_;
};

Capabilities probe(const Template& chat_template) {
  return Prober(chat_template).run();
}

}  // namespace weir::jinja
