#include "weir/service/systemd_unit.h"

#include <cstdint>

#include "unit_templates.h"
#include "weir/os/process.h"

namespace weir::service {
namespace {

constexpr std::string_view kFirstLine =
    "# Written by \"weir service install\". Changes belong in a drop-in (systemctl edit weir). "
    "Mark: ";

// FNV-1a: it tells whether somebody changed the text, and protects from nothing.
std::string mark_of(std::string_view text) {
  std::uint64_t hash = 0xcbf29ce484222325ULL;
  for (const char c : text) {
    hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3ULL;
  }
  constexpr std::string_view kHex = "0123456789abcdef";
  std::string mark;
  for (int shift = 60; shift >= 0; shift -= 4) {
    mark.push_back(kHex[(hash >> shift) & 0xF]);
  }
  return mark;
}

// A path as a unit file wants it: no specifiers, no variables, and in quotes where it needs them.
std::string word(const std::filesystem::path& path) {
  std::string out;
  for (const char c : os::path_to_utf8(path)) {
    const bool doubled = c == '%' || c == '$';
    const bool escaped = c == '"' || c == '\\';
    out.append(escaped ? "\\" : "").append(doubled ? 2 : 1, c);
  }
  return out.find_first_of(" \t\"'\\;") == std::string::npos ? out : "\"" + out + "\"";
}

// The same outside of a command line: specifiers only.
std::string value(std::string text) {
  for (auto at = text.find('%'); at != std::string::npos; at = text.find('%', at + 2)) {
    text.insert(at, "%");
  }
  return text;
}

std::string credential_lines(const UnitSettings& settings) {
  std::string lines;
  for (const std::string& name : settings.credentials) {
    const auto file = settings.config.parent_path() / os::path_from_utf8(name);
    lines += "LoadCredential=" + value(name + ":" + os::path_to_utf8(file)) + "\n";
  }
  return lines;
}

std::string line_for(std::string_view line, const UnitSettings& settings) {
  if (line.starts_with("ExecStart=")) {
    return "ExecStart=" + word(settings.program) + " serve --config " + word(settings.config) +
           "\n";
  }
  if (line.starts_with("LoadCredential=")) {
    return credential_lines(settings);
  }
  return std::string(line) + "\n";
}

}  // namespace

std::string unit_text(const UnitSettings& settings) {
  std::string_view rest = settings.for_user ? user_unit_template() : system_unit_template();
  rest.remove_prefix(rest.find("[Unit]"));  // what stands above is about the file in the sources
  std::string body;
  while (!rest.empty()) {
    const auto end = rest.find('\n');
    body += line_for(rest.substr(0, end), settings);
    rest.remove_prefix(end == std::string_view::npos ? rest.size() : end + 1);
  }
  return std::string(kFirstLine) + mark_of(body) + "\n" + body;
}

UnitOrigin origin_of_unit(std::string_view text) {
  const auto end = text.find('\n');
  if (!text.starts_with(kFirstLine) || end == std::string_view::npos) {
    return UnitOrigin::kEdited;
  }
  const std::string_view mark = text.substr(kFirstLine.size(), end - kFirstLine.size());
  return mark == mark_of(text.substr(end + 1)) ? UnitOrigin::kWritten : UnitOrigin::kEdited;
}

}  // namespace weir::service
