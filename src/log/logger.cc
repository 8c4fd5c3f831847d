#include "weir/log/logger.h"

#include <spdlog/logger.h>
#include <spdlog/sinks/rotating_file_sink.h>
#include <spdlog/sinks/stdout_sinks.h>

#include <algorithm>
#include <vector>

#include "weir/base/json_text.h"
#include "weir/base/mutex.h"
#include "weir/base/text.h"

namespace weir::log {
namespace {

constexpr std::size_t kHiddenBytesMin = 6;  // a shorter "key" would eat ordinary words

spdlog::level::level_enum spdlog_level(Level level) {
  switch (level) {
    case Level::kTrace:
      return spdlog::level::trace;
    case Level::kDebug:
      return spdlog::level::debug;
    case Level::kInfo:
      return spdlog::level::info;
    case Level::kWarn:
      return spdlog::level::warn;
    case Level::kError:
      return spdlog::level::err;
  }
  return spdlog::level::info;
}

// Nearly every value, told without a copy of it.
bool is_plain_ascii(std::string_view value) {
  return std::all_of(value.begin(), value.end(), [](char c) {
    return c > ' ' && c < 0x7F && c != '"' && c != '=' && c != '\\';
  });
}

bool is_plain(std::string_view value) {
  return value.find_first_of(" \"=\\") == std::string_view::npos &&
         base::printable(value, value.size()) == value;
}

// A value as key=value shows it: quoted when it would be read as more than one word.
void append_value(std::string& out, std::string_view value) {
  if (!value.empty() && (is_plain_ascii(value) || is_plain(value))) {
    out += value;
  } else {
    base::append_json_string(out, value);
  }
}

std::string text_line(std::string_view message, const Fields& fields) {
  std::string line(message);
  for (const auto& [key, value] : fields) {
    line += ' ';
    line += key;
    line += '=';
    append_value(line, value);
  }
  return line;
}

std::string json_line(std::string_view message, const Fields& fields) {
  std::string line = "\"message\":";
  base::append_json_string(line, message);
  for (const auto& [key, value] : fields) {
    line += ',';
    base::append_json_string(line, key);
    line += ':';
    base::append_json_string(line, value);
  }
  return line;
}

spdlog::sink_ptr make_sink(const Options& options) {
  if (options.file.empty()) {
    return std::make_shared<spdlog::sinks::stderr_sink_mt>();
  }
  return std::make_shared<spdlog::sinks::rotating_file_sink_mt>(
      options.file.string(), std::size_t{options.rotate_mb} * 1024 * 1024, options.keep);
}

}  // namespace

struct Logger::State {
  bool json = false;
  std::shared_ptr<spdlog::logger> out;
  base::Mutex mutex;
  std::vector<std::string> hidden GUARDED_BY(mutex);

  void redact(std::string& line) {
    const base::MutexLock lock(mutex);
    for (const std::string& key : hidden) {
      for (std::size_t at = line.find(key); at != std::string::npos; at = line.find(key, at)) {
        line.replace(at, key.size(), "***");
      }
    }
  }
};

Logger::Logger(std::unique_ptr<State> state) : state_(std::move(state)) {
}
Logger::~Logger() = default;

base::Result<std::unique_ptr<Logger>> Logger::open(const Options& options) {
  auto state = std::make_unique<State>();
  state->json = options.json;
  try {
    state->out = std::make_shared<spdlog::logger>("weir", make_sink(options));
  } catch (const spdlog::spdlog_ex& error) {
    return base::Error{base::ErrorCode::kCannotRun,
                       std::string("cannot open the log file: ") + error.what()};
  }
  state->out->set_level(spdlog::level::from_str(options.level));
  state->out->flush_on(spdlog::level::info);
  // %v is the line as made above; times are UTC, as in RFC 3339.
  state->out->set_pattern(options.json ? R"({"time":"%Y-%m-%dT%H:%M:%S.%eZ","level":"%l",%v})"
                                       : "%Y-%m-%dT%H:%M:%S.%eZ %l %v",
                          spdlog::pattern_time_type::utc);
  return std::unique_ptr<Logger>(new Logger(std::move(state)));
}

void Logger::hide(const base::Secret& key) {
  if (key.reveal().size() >= kHiddenBytesMin) {
    const base::MutexLock lock(state_->mutex);
    std::vector<std::string>& hidden = state_->hidden;
    if (std::find(hidden.begin(), hidden.end(), key.reveal()) == hidden.end()) {
      hidden.push_back(key.reveal());
    }
  }
}

void Logger::set_level(const std::string& level) {
  state_->out->set_level(spdlog::level::from_str(level));
}

bool Logger::shows(Level level) const {
  return state_->out->should_log(spdlog_level(level));
}

void Logger::write(Level level, std::string_view message, const Fields& fields) {
  if (!shows(level)) {
    return;
  }
  std::string line = state_->json ? json_line(message, fields) : text_line(message, fields);
  state_->redact(line);
  state_->out->log(spdlog_level(level), spdlog::string_view_t(line.data(), line.size()));
}

}  // namespace weir::log
