#pragma once

// A second reading of the bytes of a connection, written from RFC 9112 alone and in the simplest
// way: which requests are in them, when nothing that two programs may read differently is allowed.

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace weir::fuzz {

struct StrictRequest {
  std::string method;
  std::string target;
  std::string body;
  bool closes = false;  // the last one on its connection
};

// The request at the front of `bytes`, which is taken off them; nothing when there is no whole one
// in the strict form.
std::optional<StrictRequest> take_strict_request(std::string_view& bytes);

}  // namespace weir::fuzz
