#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <ctime>
#include <memory>
#include <system_error>
#include <thread>
#include <vector>

#include "weir/os/cache_folder.h"
#include "weir/os/process.h"

namespace weir::os {
namespace {

constexpr std::string_view kUnfinished = ".part";
constexpr std::time_t kUnfinishedSeconds = 600;  // older ones belong to a process that is gone

class Descriptor {
 public:
  explicit Descriptor(int number) : number_(number) {}
  ~Descriptor() {
    if (number_ >= 0) {
      ::close(number_);
    }
  }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;

  int get() const { return number_; }
  bool is_open() const { return number_ >= 0; }

 private:
  int number_;
};

base::Error failed(const std::filesystem::path& path, const std::string& why) {
  return {base::ErrorCode::kCannotRun, path_to_utf8(path) + ": " + why};
}

base::Error failed(const std::filesystem::path& path) {
  return failed(path, std::system_category().message(errno));
}

bool is_ours(const struct stat& facts) {
  return facts.st_uid == ::geteuid() && (facts.st_mode & (S_IWGRP | S_IWOTH)) == 0;
}

// The open folder, -1 when it is not there or not ours; `why` says which. A link is
// followed when root made it, as systemd does for a service whose user comes and goes.
int open_folder(const std::filesystem::path& path, std::string& why) {
  struct stat link {};
  const bool is_roots_link =
      ::lstat(path.c_str(), &link) == 0 && S_ISLNK(link.st_mode) && link.st_uid == 0;
  const int folder =
      ::open(path.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC | (is_roots_link ? 0 : O_NOFOLLOW));
  if (folder < 0) {
    why = std::system_category().message(errno);
    return -1;
  }
  struct stat facts {};
  if (::fstat(folder, &facts) != 0 || !is_ours(facts)) {
    why = "the folder is another user's, or others may write to it";
    ::close(folder);
    return -1;
  }
  return folder;
}

bool make_folders(const std::filesystem::path& path) {
  if (path.empty() || ::mkdir(path.c_str(), S_IRWXU) == 0 || errno == EEXIST) {
    return true;
  }
  return errno == ENOENT && path.has_relative_path() && make_folders(path.parent_path()) &&
         (::mkdir(path.c_str(), S_IRWXU) == 0 || errno == EEXIST);
}

bool read_to_end(int file, std::string& bytes) {
  for (std::size_t at = 0; at < bytes.size();) {
    const ssize_t got = ::read(file, bytes.data() + at, bytes.size() - at);
    if (got <= 0) {
      if (got < 0 && errno == EINTR) {
        continue;
      }
      return false;
    }
    at += static_cast<std::size_t>(got);
  }
  return true;
}

bool write_all(int file, std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t done = ::write(file, bytes.data(), bytes.size());
    if (done < 0 && errno == EINTR) {
      continue;
    }
    if (done <= 0) {
      return false;
    }
    bytes.remove_prefix(static_cast<std::size_t>(done));
  }
  return true;
}

struct Found {
  std::string name;
  std::time_t changed_at = 0;
};

// Regular files of the folder.
std::vector<Found> files_in(int folder) {
  std::vector<Found> files;
  const int copy = ::openat(folder, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  DIR* listing = copy < 0 ? nullptr : ::fdopendir(copy);
  if (listing == nullptr) {
    Descriptor closes(copy);
    return files;
  }
  while (const dirent* entry = ::readdir(listing)) {
    struct stat facts {};
    if (::fstatat(folder, entry->d_name, &facts, AT_SYMLINK_NOFOLLOW) == 0 &&
        S_ISREG(facts.st_mode)) {
      files.push_back({entry->d_name, facts.st_mtime});
    }
  }
  ::closedir(listing);
  return files;
}

// Only files with the ending of `kept` and unfinished ones are looked at: others are not ours.
void remove_oldest(int folder, const std::string& kept) {
  const std::string ending = kept.substr(std::min(kept.rfind('.'), kept.size()));
  std::vector<Found> files;
  for (Found& file : files_in(folder)) {
    if (file.name.ends_with(kUnfinished) &&
        file.changed_at + kUnfinishedSeconds < std::time(nullptr)) {
      ::unlinkat(folder, file.name.c_str(), 0);
    } else if (file.name != kept && file.name.ends_with(ending)) {
      files.push_back(std::move(file));
    }
  }
  std::sort(files.begin(), files.end(),
            [](const Found& a, const Found& b) { return a.changed_at > b.changed_at; });
  for (std::size_t i = CacheFolder::kFilesMax - 1; i < files.size(); ++i) {
    ::unlinkat(folder, files[i].name.c_str(), 0);
  }
}

}  // namespace

base::Result<std::string> CacheFolder::read(const std::string& name,
                                            std::uint64_t bytes_max) const {
  std::string why;
  const Descriptor folder(open_folder(path_, why));
  if (!folder.is_open()) {
    return failed(path_, why);
  }
  const Descriptor file(
      ::openat(folder.get(), name.c_str(), O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC));
  struct stat facts {};
  if (!file.is_open() || ::fstat(file.get(), &facts) != 0) {
    return failed(path_ / name);
  }
  if (!S_ISREG(facts.st_mode) || !is_ours(facts)) {
    return failed(path_ / name, "not a file of this user alone");
  }
  if (static_cast<std::uint64_t>(facts.st_size) > bytes_max) {
    return failed(path_ / name, "too large");
  }
  std::string bytes(static_cast<std::size_t>(facts.st_size), '\0');
  if (!read_to_end(file.get(), bytes)) {
    return failed(path_ / name);
  }
  return bytes;
}

base::Result<void> CacheFolder::write(const std::string& name, std::string_view bytes) const {
  if (!make_folders(path_)) {
    return failed(path_);
  }
  std::string why;
  const Descriptor folder(open_folder(path_, why));
  if (!folder.is_open()) {
    return failed(path_, why);
  }
  const std::size_t thread = std::hash<std::thread::id>()(std::this_thread::get_id());
  const std::string unfinished = name + "." + std::to_string(::getpid()) + "." +
                                 std::to_string(thread) + std::string(kUnfinished);
  ::unlinkat(folder.get(), unfinished.c_str(), 0);
  {
    const Descriptor file(::openat(folder.get(), unfinished.c_str(),
                                   O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC,
                                   S_IRUSR | S_IWUSR));
    if (!file.is_open()) {
      return failed(path_ / unfinished);
    }
    if (!write_all(file.get(), bytes)) {
      const base::Error error = failed(path_ / unfinished);
      ::unlinkat(folder.get(), unfinished.c_str(), 0);
      return error;
    }
  }
  if (::renameat(folder.get(), unfinished.c_str(), folder.get(), name.c_str()) != 0) {
    const base::Error error = failed(path_ / name);
    ::unlinkat(folder.get(), unfinished.c_str(), 0);
    return error;
  }
  remove_oldest(folder.get(), name);
  return {};
}

}  // namespace weir::os
