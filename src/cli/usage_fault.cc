#include "usage_fault.h"

#include <algorithm>
#include <string_view>
#include <vector>

#include "weir/base/text.h"

namespace weir::cli {
namespace {

constexpr std::size_t kShownBytesMax = 100;

std::string in_quotes(std::string_view word) {
  return '"' + base::printable(word, kShownBytesMax) + '"';
}

std::vector<std::string> commands_of(const CLI::App& app) {
  std::vector<std::string> names;
  for (const CLI::App* command : app.get_subcommands({})) {
    names.push_back(command->get_name());
  }
  return names;
}

std::vector<std::string> options_of(const CLI::App& command) {
  std::vector<std::string> names;
  for (const CLI::Option* option : command.get_options()) {
    for (const std::string& name : option->get_lnames()) {
      names.push_back("--" + name);
    }
  }
  return names;
}

// `nothing`, and what was probably meant.
std::string with_nearest(std::string nothing, std::string_view word,
                         const std::vector<std::string>& names) {
  const std::string_view nearest = base::nearest_of(word, {names.begin(), names.end()});
  return nearest.empty() ? nothing : nothing.append("; did you mean ").append(nearest).append("?");
}

std::string extra_fault(const CLI::App& app, const CLI::App& command,
                        const std::vector<std::string>& extras) {
  // The value of a mistyped option is left over as well: the option is what was mistyped.
  const auto option = std::find_if(extras.begin(), extras.end(),
                                   [](const std::string& word) { return word.starts_with('-'); });
  if (option != extras.end()) {
    const std::string name = option->substr(0, option->find('='));
    return with_nearest("there is no option " + in_quotes(name), name, options_of(command));
  }
  const std::string& word = extras.front();
  if (&command == &app) {
    return with_nearest("there is no command " + in_quotes(word), word, commands_of(app));
  }
  return in_quotes(word) + " is one argument too many";
}

}  // namespace

std::string usage_fault(const CLI::App& app, const CLI::ParseError& error) {
  const auto parsed = app.get_subcommands();
  const CLI::App& command = parsed.empty() ? app : *parsed.front();
  const std::vector<std::string> extras = app.remaining(true);
  const bool is_extra = dynamic_cast<const CLI::ExtrasError*>(&error) != nullptr;
  std::string text = is_extra && !extras.empty() ? extra_fault(app, command, extras) : error.what();
  std::replace(text.begin(), text.end(), '\n', ' ');
  return text + " (weir " + (&command == &app ? "" : command.get_name() + " ") +
         "--help says what there is)";
}

}  // namespace weir::cli
