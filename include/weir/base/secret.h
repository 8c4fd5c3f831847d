#pragma once

// A key that cannot be printed by accident: it has no stream operator and no conversion to a
// string.

#include <string>
#include <string_view>
#include <utility>

namespace weir::base {

class Secret {
 public:
  Secret() = default;
  explicit Secret(std::string value) : value_(std::move(value)) {}

  bool empty() const { return value_.empty(); }

  // The key itself. Only for the header that carries it upstream; never for a log, a status page or
  // an error.
  const std::string& reveal() const { return value_; }

  // What may be shown: "***", or "" when there is none.
  std::string_view redacted() const { return value_.empty() ? "" : "***"; }

  // Compares in a time that depends on the lengths only, not on where the first difference is.
  bool equals(std::string_view candidate) const;

  // For two configurations; what somebody offers as a key goes to `equals`.
  bool operator==(const Secret&) const = default;

 private:
  std::string value_;
};

}  // namespace weir::base
