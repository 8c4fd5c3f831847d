// Any bytes as config.toml: they give faults that say something, or settings that can be printed.

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <optional>
#include <string>
#include <string_view>

#include "weir/config/load.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace weir::config;
  Environment environment;
  environment.variable = [](std::string_view name) {
    return name == "SET" ? std::optional<std::string>("value") : std::nullopt;
  };
  environment.working_directory = "/nonexistent";
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const auto loaded = parse_config(text, "config.toml", environment);
  const bool says_something =
      loaded ? !print_config(*loaded).empty() : !loaded.error().message.empty();
  if (!says_something) {
    std::abort();
  }
  return 0;
}
