#pragma once

// A piece of a request as a tree, for what a chat template gets to see. The tree is the library's,
// since the template engine takes it; what becomes of odd JSON is what llama-server makes of it.

#include <nlohmann/json.hpp>
#include <optional>
#include <string_view>

namespace weir::openai {

using Json = nlohmann::ordered_json;

// Keys keep their order; of equal ones the last value counts, at the place of the first. nullopt
// where llama-server's parser refuses: half surrogate pairs, numbers beyond a double. Linear but
// for the sorting of the keys of large objects.
std::optional<Json> json_tree(std::string_view text);

}  // namespace weir::openai
