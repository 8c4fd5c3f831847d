// The functions of no value.

#include <array>
#include <ctime>
#include <limits>

#include "failure.h"
#include "json_text.h"
#include "methods.h"
#include "rendering.h"
#include "text.h"
#include "weir/base/text.h"

namespace weir::jinja {
namespace {

constexpr std::size_t kMessageBytesMax = 300;

Value raise_exception(Call& call) {
  call.expect_count(1);
  call.expect_string(0);
  throw RenderFailure("the template raised: " +
                      base::printable(call.at(0).view(), kMessageBytesMax));
}

Value make_namespace(Call& call) {
  auto* const object = call.run.arena().make<Object>(call.run.arena().resource());
  for (std::size_t i = 0; i < call.size(); ++i) {
    if (!call[i].is(Kind::kKeyword)) {
      throw RenderFailure("namespace takes name=value only");
    }
    insert(call.run, *object, Value::string(call[i].keyword->name), call[i].keyword->value);
  }
  return Value::dictionary(object);
}

Value strftime_now(Call& call) {
  call.expect_count(1);
  call.expect_string(0);
  const std::string format(call.at(0).view());
  const std::time_t now = call.run.now();
  std::tm local{};
  std::array<char, 100> text;  // what does not fit fails in llama.cpp, too
  const bool is_known = localtime_r(&now, &local) != nullptr;
  const std::size_t size =
      is_known ? std::strftime(text.data(), text.size(), format.c_str(), &local) : 0;
  if (size == 0) {
    throw RenderFailure("strftime_now cannot write this format");
  }
  return new_string(call.run, {text.data(), size});
}

Value range(Call& call) {
  constexpr std::int64_t kMin = std::numeric_limits<std::int64_t>::min();
  constexpr std::int64_t kMax = std::numeric_limits<std::int64_t>::max();
  call.expect_count(1, 3);
  call.expect_int(0);
  const bool one = call.size() == 1;
  const std::int64_t start = one ? 0 : call.at(0).integer;
  const std::int64_t stop = integer_of(call.at(one ? 0 : 1));
  const std::int64_t step = call.size() == 3 ? integer_of(call.at(2)) : 1;
  if (step == 0) {
    throw RenderFailure("a range with a step of zero");
  }
  Array* const numbers = new_array(call.run);
  for (std::int64_t i = start; step > 0 ? i < stop : i > stop;) {
    call.run.charge(1);
    numbers->items.push_back(Value::number(i));
    const bool is_last = step > 0 ? i > kMax - step : i < kMin - step;
    if (is_last) {
      break;
    }
    i += step;
  }
  return Value::list(numbers);
}

constexpr NamedBuiltin kFunctions[] = {
    {"raise_exception", raise_exception},
    {"namespace", make_namespace},
    {"strftime_now", strftime_now},
    {"range", range},
    {"tojson", tojson},
};

}  // namespace

std::span<const NamedBuiltin> global_functions() {
  return kFunctions;
}

Array* new_array(Rendering& run) {
  return run.arena().make<Array>(run.arena().resource());
}

}  // namespace weir::jinja
