#include "rendering.h"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "failure.h"
#include "loop_signal.h"
#include "program.h"
#include "text.h"

namespace weir::jinja {

Rendering::Rendering(const Program& program, const RenderLimits& limits, base::SystemTime now)
    : program_(program),
      limits_(limits),
      now_(std::chrono::system_clock::to_time_t(now)),
      arena_(limits.memory_bytes_max),
      globals_(program.names.size(), arena_.resource()) {
  for (const auto& [name, value] :
       {std::pair{"true", Value::boolean(true)}, std::pair{"True", Value::boolean(true)},
        std::pair{"false", Value::boolean(false)}, std::pair{"False", Value::boolean(false)},
        std::pair{"none", Value::none()}, std::pair{"None", Value::none()}}) {
    set_global(name, value);
  }
}

void Rendering::define(const Json& variables) {
  if (!variables.is_object()) {
    throw RenderFailure("the variables are no object");
  }
  for (const auto& [name, json] : variables.get_ref<const Json::object_t&>()) {
    if (const auto found = program_.symbols.find(name); found != program_.symbols.end()) {
      globals_.set(found->second, value_of(json));
    }
  }
}

Value Rendering::global(std::string_view name) {
  const auto found = program_.symbols.find(name);
  globals_.close_scopes(0);
  return found == program_.symbols.end() ? Value::undefined() : globals_.get(found->second);
}

bool Rendering::names(std::string_view name) const {
  return program_.symbols.find(name) != program_.symbols.end();
}

void Rendering::set_global(std::string_view name, const Value& value) {
  if (const auto found = program_.symbols.find(name); found != program_.symbols.end()) {
    globals_.set(found->second, value);
  }
}

void Rendering::execute() {
  try {
    if (execute_all(program_.body, *this) != Flow::kOn) {
      throw RenderFailure("a break or continue outside of a loop");
    }
  } catch (const LoopSignal&) {
    throw RenderFailure("a break or continue outside of a loop");
  }
}

Value Rendering::marked(Value value) {
  if (is_watched_) {
    value.mark = static_cast<std::uint32_t>(uses_.size());
    uses_.emplace_back();
  }
  return value;
}

Value Rendering::value_of(const Json& json) {
  charge(1);
  switch (json.type()) {
    case Json::value_t::null:
      return marked(Value::none());
    case Json::value_t::boolean:
      return marked(Value::boolean(json.get<bool>()));
    case Json::value_t::number_integer:
    case Json::value_t::number_unsigned:
      return marked(Value::number(json.get<std::int64_t>()));
    case Json::value_t::number_float:
      return marked(Value::number(json.get<double>()));
    case Json::value_t::string:
      return marked(Value::string(json.get_ref<const std::string&>()));
    case Json::value_t::array: {
      const Descent descent(*this);
      auto* const array = arena_.make<Array>(arena_.resource());
      array->items.reserve(json.size());
      for (const Json& item : json) {
        array->items.push_back(value_of(item));
      }
      return marked(Value::list(array));
    }
    case Json::value_t::object: {
      const Descent descent(*this);
      auto* const object = arena_.make<Object>(arena_.resource());
      object->entries.reserve(json.size());
      for (const auto& [key, member] : json.get_ref<const Json::object_t&>()) {
        object->entries.push_back({Value::string(key), value_of(member)});
      }
      return marked(Value::dictionary(object));
    }
    default:
      throw RenderFailure("a variable of a type that JSON has not");
  }
}

void Rendering::fail_steps() const {
  throw LimitFailure("the template takes too many steps");
}

void Rendering::fail_depth() const {
  throw LimitFailure("the template is nested too deeply");
}

void Rendering::check_memory(std::size_t bytes) const {
  if (bytes > limits_.memory_bytes_max) {
    throw LimitFailure("the template needs too much memory");
  }
}

void Rendering::append_some(std::string_view text) {
  charge_bytes(text.size());
  if (text.size() > limits_.output_bytes_max - output_.size()) {
    throw LimitFailure("the template prints too much");
  }
  if (captures_ > 0) {
    cuts_.push_back(output_.size());
  }
  output_ += text;
}

void Rendering::print(const Value& value) {
  switch (value.kind) {
    case Kind::kString: {
      const std::size_t start = output_.size();
      append(value.view());
      if (captures_ > 0) {
        for (const std::size_t cut : cuts_of(value)) {
          cuts_.push_back(start + cut);
        }
      }
      return;
    }
    case Kind::kBool:
      return append(value.truth ? "True" : "False");
    case Kind::kInt:
    case Kind::kFloat: {
      std::string digits;
      value.is_int() ? append_number(digits, value.integer) : append_number(digits, value.real);
      return append(digits);
    }
    case Kind::kArray:
    case Kind::kTuple: {
      const Descent descent(*this);
      for (const Value& item : value.array->items) {
        charge(1);
        print(item);
      }
      return;
    }
    default:
      return;  // nothing, as llama.cpp does
  }
}

void Rendering::truncate_output(std::size_t size) {
  output_.resize(size);
  while (!cuts_.empty() && cuts_.back() >= size) {
    cuts_.pop_back();
  }
}

Value Rendering::end_capture(std::size_t start) {
  --captures_;
  std::vector<std::size_t> cuts;
  for (auto cut = std::upper_bound(cuts_.begin(), cuts_.end(), start); cut != cuts_.end(); ++cut) {
    cuts.push_back(*cut - start);
  }
  const Value text = string_with_cuts(*this, std::string_view(output_).substr(start), cuts);
  truncate_output(start);
  return text;
}

void Rendering::restore(const Checkpoint& point) {
  truncate_output(point.output);
  depth_ = point.depth;
  captures_ = point.captures;
  variables_->close_scopes(point.scopes);
}

void Rendering::note_use(const Value& value, bool deep) {
  uses_[value.mark].is_used = value.mark != 0;
  if (!deep) {
    return;
  }
  const Descent descent(*this);
  charge(1);
  if (value.is_array()) {
    for (const Value& item : value.array->items) {
      note_use(item, true);
    }
  } else if (value.is_object()) {
    for (const Entry& entry : value.object->entries) {
      note_use(entry.value, true);
    }
  }
}

void Rendering::note_operation(const Value& value, std::string_view operation) {
  if (value.mark == 0) {
    return;
  }
  Use& use = uses_[value.mark];
  use.is_tested_for_string = use.is_tested_for_string || operation == "test_is_string";
  use.is_used_as_list =
      use.is_used_as_list || operation == "selectattr" || operation == "array_access";
}

}  // namespace weir::jinja
