#include "weir/service/file_watch.h"

#include <algorithm>
#include <string>

#include "weir/os/process.h"

namespace weir::service {
namespace {

constexpr std::uint64_t kWatchedBytesMax = 4 << 20;

}  // namespace

// FNV-1a: short, and two versions of a file that somebody edits do not meet by accident.
std::optional<std::uint64_t> fingerprint(const std::filesystem::path& file) {
  const auto contents = os::read_file(file, kWatchedBytesMax);
  if (!contents) {
    return std::nullopt;
  }
  std::uint64_t hash = 0xcbf29ce484222325U;
  for (const char c : *contents) {
    hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3U;
  }
  return hash;
}

void FileWatch::accept() {
  for (File& file : files_) {
    file.last = fingerprint_(file.path);
    file.accepted = file.last;
  }
}

void FileWatch::watch(const std::vector<std::filesystem::path>& files) {
  std::vector<File> watched;
  for (const std::filesystem::path& path : files) {
    const auto known = std::find_if(files_.begin(), files_.end(),
                                    [&](const File& file) { return file.path == path; });
    if (known != files_.end()) {
      watched.push_back(*known);
    } else {
      const auto print = fingerprint_(path);
      watched.push_back({path, print, print});
    }
  }
  files_ = std::move(watched);
}

bool FileWatch::has_changed() {
  bool differs = false;
  bool settled = true;
  for (File& file : files_) {
    const auto print = fingerprint_(file.path);
    differs = differs || print != file.accepted;
    settled = settled && print == file.last;
    file.last = print;
  }
  if (!differs || !settled) {
    return false;
  }
  for (File& file : files_) {
    file.accepted = file.last;
  }
  return true;
}

}  // namespace weir::service
