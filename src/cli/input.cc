#include <cstdio>
#include <filesystem>

#include "commands.h"
#include "weir/os/process.h"

namespace weir::cli {
namespace {

constexpr std::uint64_t kInputBytesMax = 1ULL << 30;

std::string file_fault(const std::filesystem::path& file) {
  std::error_code failed;
  switch (std::filesystem::status(file, failed).type()) {
    case std::filesystem::file_type::not_found:
      return "there is no such file";
    case std::filesystem::file_type::directory:
      return "this is a folder, and a file is needed";
    default:
      return "";  // whoever reads it will say more
  }
}

}  // namespace

config::Environment process_environment() {
  config::Environment environment;
  environment.variable = [](std::string_view name) { return os::environment_variable(name); };
  environment.file_fault = file_fault;
  std::error_code error;
  environment.working_directory = std::filesystem::current_path(error);
  environment.program_directory = os::program_directory();
  environment.home = os::home_directory();
  environment.platform = os::is_windows() ? config::Platform::kWindows : config::Platform::kUnix;
  return environment;
}

base::Result<config::Loaded> load(const std::optional<std::string>& config_option) {
  const config::Environment environment = process_environment();
  std::optional<std::filesystem::path> wanted;
  if (config_option) {
    wanted = os::path_from_utf8(*config_option);
  }
  const auto path = config::find_config(wanted, environment);
  if (!path) {
    return path.error();
  }
  return config::load_config(*path, environment);
}

base::Result<std::string> read_input(const std::string& file) {
  return file == "-" ? os::read_standard_input(kInputBytesMax)
                     : os::read_file(os::path_from_utf8(file), kInputBytesMax);
}

int report(const base::Error& error) {
  std::fprintf(stderr, "weir: %s\n", error.message.c_str());
  return error.code == base::ErrorCode::kCannotRun ? kExitCannotRun : kExitWrongInput;
}

}  // namespace weir::cli
