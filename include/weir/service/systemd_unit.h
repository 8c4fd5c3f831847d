#pragma once

// The text of weir's unit file, and whether one that is there is still as it was written.

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace weir::service {

constexpr std::string_view kUnitName = "weir.service";

struct UnitSettings {
  bool for_user = false;  // a unit of one user, not of the system
  std::filesystem::path program;
  std::filesystem::path config;
  // Names of credentials that the configuration takes; their files stand beside it. A user's unit
  // needs none handed over: it reads the files itself.
  std::vector<std::string> credentials = {};
};

// config/weir.service or config/weir-user.service with these settings in it. Its first line holds a
// mark of all that follows.
std::string unit_text(const UnitSettings& settings);

enum class UnitOrigin {
  kWritten,  // by unit_text, by any version, and not changed since
  kEdited,   // changed, or written by somebody else
};
UnitOrigin origin_of_unit(std::string_view text);

}  // namespace weir::service
