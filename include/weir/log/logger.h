#pragma once

// The log: one line an event, fields as key=value (or JSON). spdlog writes and rotates; it stays
// inside this part.
//
// No key, prompt or answer text belongs in a line. As a second fence every key that the
// configuration holds is given to `hide`, and a line that contains one shows *** in its place.

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "weir/base/result.h"
#include "weir/base/secret.h"

namespace weir::log {

enum class Level { kTrace, kDebug, kInfo, kWarn, kError };

struct Options {
  std::string level = "info";
  std::filesystem::path file;  // empty: standard error
  bool json = false;
  std::uint32_t rotate_mb = 20;
  std::uint32_t keep = 5;
};

using Field = std::pair<std::string_view, std::string>;  // key, value
using Fields = std::vector<Field>;

// Thread-safe.
class Logger {
 public:
  // Errors: kCannotRun when the file cannot be opened.
  static base::Result<std::unique_ptr<Logger>> open(const Options& options);
  ~Logger();

  // For good. A key that is hidden already costs nothing.
  void hide(const base::Secret& key);
  void set_level(const std::string& level);  // as Options::level
  bool shows(Level level) const;
  void write(Level level, std::string_view message, const Fields& fields = {});

  void info(std::string_view message, const Fields& fields = {}) {
    write(Level::kInfo, message, fields);
  }
  void warn(std::string_view message, const Fields& fields = {}) {
    write(Level::kWarn, message, fields);
  }
  void error(std::string_view message, const Fields& fields = {}) {
    write(Level::kError, message, fields);
  }

 private:
  struct State;
  explicit Logger(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

}  // namespace weir::log
