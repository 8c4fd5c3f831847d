// Macros, and the blocks that calls of macros bring along.

#include "failure.h"
#include "loop_signal.h"
#include "nodes.h"
#include "rendering.h"

namespace weir::jinja {
namespace {

struct Parameter {
  const Name* name;
  Value value;
};

// The name of a parameter, and what stands behind its "=" or null.
std::pair<const Name*, const Expression*> parameter_of(const Expression* node) {
  const Expression* fallback = nullptr;
  if (const auto* const keyword = dynamic_cast<const KeywordArgument*>(node)) {
    fallback = keyword->argument.get();
    node = keyword->key.get();
  }
  const auto* const identifier = dynamic_cast<const Identifier*>(node);
  if (identifier == nullptr) {
    throw RenderFailure("a parameter of a macro that is no name");
  }
  return {&identifier->name, fallback};
}

// Faithful to how llama.cpp binds: a default serves only behind the last argument given, named ones
// counted. Defaults see the caller's variables, so all values are found before the first is set.
std::vector<Parameter> bound(const MacroBody& macro, Call& call) {
  std::vector<Parameter> parameters;
  for (std::size_t i = 0; i < macro.parameters.size(); ++i) {
    const auto [name, fallback] = parameter_of(macro.parameters[i].get());
    if (i < call.size()) {
      parameters.push_back({name, call.named_or_at(name->text, i)});
    } else if (fallback != nullptr) {
      parameters.push_back({name, fallback->evaluate(call.run)});
    } else {
      throw RenderFailure("not enough arguments for '" + std::string(call.name) + "'");
    }
  }
  return parameters;
}

Value execute_captured(Rendering& run, const MacroBody& macro,
                       const std::vector<Parameter>& parameters) {
  Environment& variables = run.variables();
  const std::size_t scopes = variables.scopes();
  variables.open_scope();
  for (const Parameter& parameter : parameters) {
    variables.set(parameter.name->symbol, parameter.value);
  }
  const std::size_t start = run.begin_capture();
  const Flow flow = execute_all(macro.statements, run);
  const Value text = run.end_capture(start);
  variables.close_scopes(scopes);
  if (flow != Flow::kOn) {
    throw LoopSignal{flow};
  }
  return text;
}

// Other variables for as long as it lives.
class Exchange {
 public:
  Exchange(Rendering& run, Environment& other)
      : run_(run), before_(run.exchange_variables(&other)) {}
  ~Exchange() { run_.exchange_variables(before_); }
  Exchange(const Exchange&) = delete;
  Exchange& operator=(const Exchange&) = delete;

 private:
  Rendering& run_;
  Environment* const before_;
};

}  // namespace

Value invoke_macro(const Function& function, Call& call) {
  const Descent descent(call.run);
  const std::vector<Parameter> parameters = bound(*function.macro, call);
  if (function.captured == nullptr) {
    return execute_captured(call.run, *function.macro, parameters);
  }
  Environment variables(*function.captured, call.run.arena().resource());
  const Exchange exchange(call.run, variables);
  return execute_captured(call.run, *function.macro, parameters);
}

Flow Macro::act(Rendering& run) const {
  const auto* const identifier = dynamic_cast<const Identifier*>(name.get());
  if (identifier == nullptr) {
    throw RenderFailure("a macro without a name");
  }
  auto* const function = run.arena().make<Function>();
  function->name = identifier->name.text;
  function->macro = &body;
  run.variables().set(identifier->name.symbol, Value::callable(function));
  return Flow::kOn;
}

Flow CallBlock::act(Rendering& run) const {
  const Value macro = callee->evaluate(run);
  if (!macro.is(Kind::kFunction)) {
    throw RenderFailure("a call of " + std::string(kind_name(macro.kind)));
  }
  Environment& variables = run.variables();
  auto* const block = run.arena().make<Function>();
  block->name = caller.text;
  block->macro = &body;
  block->captured = run.arena().make<Environment>(variables, run.arena().resource());
  Call call(run, "");
  for (const ExpressionPtr& argument : arguments) {
    call.add(argument->evaluate(run));
  }
  const std::size_t scopes = variables.scopes();
  variables.open_scope();
  variables.set(caller.symbol, Value::callable(block));
  const Value result = invoke(*macro.function, call);
  variables.close_scopes(scopes);
  run.print(result);
  return Flow::kOn;
}

}  // namespace weir::jinja
