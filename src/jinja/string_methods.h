#pragma once

// The methods that search strings; string_methods.cc has the others.

#include "functions.h"

namespace weir::jinja {

Value split_method(Call& call);
Value rsplit_method(Call& call);
Value replace_method(Call& call);
Value indent_method(Call& call);

}  // namespace weir::jinja
