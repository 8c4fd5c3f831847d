#pragma once

// A parsed template.

#include <deque>
#include <functional>
#include <map>
#include <string>
#include <string_view>

#include "nodes.h"
#include "weir/base/result.h"
#include "weir/jinja/template.h"

namespace weir::jinja {

struct Program {
  std::string source;               // as given
  std::string text;                 // with normalized line ends; tokens and texts point into it
  std::deque<std::string> strings;  // of literals
  std::deque<Name> names;
  std::map<std::string_view, Symbol, std::less<>> symbols;  // keys point into names
  Statements body;

  // The name `text`, entered into the table when it is new.
  Name& name(std::string_view text);
};

// Fills `program` from its source. Throws SyntaxFailure.
void parse_into(Program& program);

}  // namespace weir::jinja
