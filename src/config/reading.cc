#include "reading.h"

#include <algorithm>

#include "shown.h"

namespace weir::config {
namespace {

// Shorter ones would cut holes into ordinary words.
constexpr std::size_t kHiddenBytesMin = 8;

}  // namespace

Reading::Reading(std::filesystem::path file, std::filesystem::path directory,
                 const Environment& environment)
    : file_(std::move(file)), directory_(std::move(directory)), environment_(environment) {
}

void Reading::fault(Place place, std::string key, std::string text) {
  faults_.push_back({place, std::move(key), std::move(text)});
}

void Reading::warn(Place place, std::string key, std::string text) {
  warnings_.push_back({place, std::move(key), std::move(text)});
}

void Reading::hide(std::string_view secret) {
  if (secret.size() >= kHiddenBytesMin) {
    secrets_.emplace_back(secret);
  }
}

std::string Reading::origin_at(Place place) const {
  return utf8_of(file_.filename()) + ":" + std::to_string(place.line);
}

std::string Reading::line(const Fault& fault) const {
  std::string out = utf8_of(file_);
  if (fault.place.line > 0) {
    out += ":" + std::to_string(fault.place.line) + ":" + std::to_string(fault.place.column);
  }
  out += ": " + (fault.key.empty() ? "" : fault.key + ": ") + fault.text;
  return without_secrets(std::move(out));
}

std::string Reading::without_secrets(std::string text) const {
  for (const std::string& secret : secrets_) {
    for (auto at = text.find(secret); at != std::string::npos; at = text.find(secret, at)) {
      text.replace(at, secret.size(), "***");
    }
  }
  return text;
}

std::string Reading::fault_lines() {
  std::stable_sort(faults_.begin(), faults_.end(), [](const Fault& a, const Fault& b) {
    return a.place.line != b.place.line ? a.place.line < b.place.line
                                        : a.place.column < b.place.column;
  });
  std::string out;
  for (const Fault& fault : faults_) {
    out += (out.empty() ? "" : "\n") + line(fault);
  }
  return out;
}

std::vector<std::string> Reading::warning_lines() {
  std::vector<std::string> out;
  for (const Fault& warning : warnings_) {
    out.push_back(line(warning));
  }
  return out;
}

std::vector<Setting> Reading::take_settings() {
  for (Setting& setting : settings) {
    setting.value = without_secrets(std::move(setting.value));
  }
  return std::move(settings);
}

}  // namespace weir::config
