#pragma once

// What stands behind "is".

#include <span>

#include "functions.h"
#include "value.h"

namespace weir::jinja {

std::span<const NamedBuiltin> tests();

// The operator `in`. RenderFailure when `haystack` can hold nothing.
bool is_in(Rendering& run, const Value& needle, const Value& haystack);

}  // namespace weir::jinja
