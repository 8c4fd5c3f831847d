#pragma once

// The unit files of config/, as they were when weir was built.

#include <string_view>

namespace weir::service {

std::string_view system_unit_template();  // config/weir.service
std::string_view user_unit_template();    // config/weir-user.service

}  // namespace weir::service
