#include "paths.h"

#include <algorithm>
#include <array>

namespace weir::server {
namespace {

// Endpoints that clients also ask for without the version.
constexpr std::array<std::string_view, 5> kVersionless{"/chat/completions", "/completions",
                                                       "/embeddings", "/models", "/responses"};

std::string without_query_and_doubled_slashes(std::string_view target) {
  if (const auto scheme = target.find("://");
      scheme != std::string_view::npos && !target.starts_with('/')) {
    const auto path = target.find('/', scheme + 3);  // absolute form, as a proxy client sends it
    target = path == std::string_view::npos ? "/" : target.substr(path);
  }
  target = target.substr(0, target.find_first_of("?#"));
  std::string path;
  for (const char c : target) {
    if (c != '/' || path.empty() || path.back() != '/') {
      path.push_back(c);
    }
  }
  if (path.size() > 1 && path.back() == '/') {
    path.pop_back();
  }
  return path.empty() ? "/" : path;
}

}  // namespace

std::string normalised_path(std::string_view target) {
  std::string path = without_query_and_doubled_slashes(target);
  if (path.starts_with("/api/v1/")) {
    path.erase(0, std::string_view("/api").size());
  }
  while (path.starts_with("/v1/v1/")) {
    path.erase(0, std::string_view("/v1").size());
  }
  if (std::find(kVersionless.begin(), kVersionless.end(), path) != kVersionless.end()) {
    path.insert(0, "/v1");
  }
  return path;
}

bool is_slip(std::string_view target, std::string_view normalised) {
  const std::string_view path = target.substr(0, target.find('?'));
  const bool only_versionless = normalised.starts_with("/v1") && normalised.substr(3) == path;
  return path != normalised && !only_versionless;
}

}  // namespace weir::server
