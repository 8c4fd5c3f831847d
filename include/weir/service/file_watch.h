#pragma once

// Notices that files have changed, by looking at their contents from time to time. Contents, not
// times or numbers of files: an editor that puts a new file in the place of the old one, a symbolic
// link that is turned to another file and a file system without fine times all look alike, and a
// file that was only touched does not count.

#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <vector>

namespace weir::service {

// A number made of the contents; nothing when the file cannot be read or has more than 4 MiB.
std::optional<std::uint64_t> fingerprint(const std::filesystem::path& file);

// One thread at a time.
class FileWatch {
 public:
  using Fingerprint =
      std::function<std::optional<std::uint64_t>(const std::filesystem::path& file)>;

  FileWatch() : FileWatch(fingerprint) {}
  explicit FileWatch(Fingerprint fingerprint) : fingerprint_(std::move(fingerprint)) {}

  // What the files hold now is known. To be called before they are read: what is written to them
  // meanwhile is then a change.
  void accept();
  // Watches these from now on. One that was watched before stays as it was accepted.
  void watch(const std::vector<std::filesystem::path>& files);

  // To be called at regular times. True when a file has other contents than were accepted, and the
  // same as at the last call: it is not being written any more. What was told is accepted.
  bool has_changed();

 private:
  struct File {
    std::filesystem::path path;
    std::optional<std::uint64_t> accepted;
    std::optional<std::uint64_t> last;
  };

  Fingerprint fingerprint_;
  std::vector<File> files_;
};

}  // namespace weir::service
