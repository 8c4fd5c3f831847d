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

constexpr std::string_view kHidden = "***";
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

  // Before a line is made of them: in a line, quotes and the like in a key would be written
  // otherwise.
  bool holds_hidden(std::string_view message, const Fields& fields) {
    const base::MutexLock lock(mutex);
    return std::any_of(hidden.begin(), hidden.end(), [&](const std::string& key) {
      const auto holds = [&](std::string_view text) { return text.find(key) != text.npos; };
      return holds(message) || std::any_of(fields.begin(), fields.end(),
                                           [&](const Field& field) { return holds(field.second); });
    });
  }

  std::string redacted(std::string_view text) {
    std::string shown(text);
    const base::MutexLock lock(mutex);
    for (const std::string& key : hidden) {
      for (std::size_t at = shown.find(key); at != std::string::npos; at = shown.find(key, at)) {
        shown.replace(at, key.size(), kHidden);
        at += kHidden.size();
      }
    }
    return shown;
  }

  std::string line_of(std::string_view message, const Fields& fields) const {
    return json ? json_line(message, fields) : text_line(message, fields);
  }

  std::string redacted_line(std::string_view message, Fields fields) {
    for (Field& field : fields) {
      field.second = redacted(field.second);
    }
    return line_of(redacted(message), fields);
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
  const std::string line = state_->holds_hidden(message, fields)
                               ? state_->redacted_line(message, fields)
                               : state_->line_of(message, fields);
  state_->out->log(spdlog_level(level), spdlog::string_view_t(line.data(), line.size()));
}

}  // namespace weir::log
