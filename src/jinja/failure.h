#pragma once

// How the part breaks off. Any of some forty kinds of nodes can fail, at any depth; they throw one
// of these, and the public functions catch them and return an Error. None leaves the part.

#include <cstddef>
#include <stdexcept>
#include <string>

namespace weir::jinja {

// The source is no template.
struct SyntaxFailure : std::runtime_error {
  SyntaxFailure(const std::string& what, std::size_t at) : std::runtime_error(what), offset(at) {}
  std::size_t offset;  // in the normalized source
};

// The template raised, or asked for what the language has not.
struct RenderFailure : std::runtime_error {
  using std::runtime_error::runtime_error;
};

// A RenderLimit is hit.
struct LimitFailure : std::runtime_error {
  using std::runtime_error::runtime_error;
};

}  // namespace weir::jinja
