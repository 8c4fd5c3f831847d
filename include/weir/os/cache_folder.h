#pragma once

// A folder of files that this program wrote for itself and can do without.
//
// Only what belongs to this user and what nobody else may write is read: another user's folder, a
// link, a file that others may change are as good as none. (The folder itself may be a link that
// root made.)

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>

#include "weir/base/result.h"

namespace weir::os {

// Thread-safe; several processes may use the same folder.
class CacheFolder {
 public:
  // How many files are kept; of more the oldest go.
  static constexpr std::size_t kFilesMax = 8;

  // `path` and missing folders above it are made when something is written.
  explicit CacheFolder(std::filesystem::path path) : path_(std::move(path)) {}

  // Errors: kCannotRun when there is no such file, it is not ours, or larger than `bytes_max`; says
  // which.
  base::Result<std::string> read(const std::string& name, std::uint64_t bytes_max) const;

  // The file appears as a whole or not at all, for this user only. `name` has no separators.
  // Errors: kCannotRun.
  base::Result<void> write(const std::string& name, std::string_view bytes) const;

  const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
};

}  // namespace weir::os
