#pragma once

// The methods of each kind of value, which are its filters, too; and the functions of no value.

#include <span>

#include "functions.h"

namespace weir::jinja {

std::span<const NamedBuiltin> undefined_methods();
std::span<const NamedBuiltin> none_methods();
std::span<const NamedBuiltin> bool_methods();
std::span<const NamedBuiltin> int_methods();
std::span<const NamedBuiltin> float_methods();
std::span<const NamedBuiltin> string_methods();
std::span<const NamedBuiltin> array_methods();
std::span<const NamedBuiltin> object_methods();
std::span<const NamedBuiltin> global_functions();

// `x | default(y)` of every kind but objects.
Value default_method(Call& call);

// select, selectattr, reject, rejectattr of arrays.
Value select_method(Call& call);
Value reject_method(Call& call);

// An array of a call's own, to be filled and returned.
Array* new_array(Rendering& run);

}  // namespace weir::jinja
