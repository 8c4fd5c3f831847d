#include <pwd.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>
#ifdef __GLIBC__
#include <malloc.h>
#endif

#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <system_error>

#include "weir/os/process.h"

namespace weir::os {
namespace {

// Larger blocks of memory are mapped one by one, and go back to the system when they are freed.
// glibc raises this bound as such blocks come and go, up to 32 MB, and then keeps what the largest
// prompts needed, once for each of its arenas.
constexpr int kMappedBytesMin = 256 * 1024;

// Reads `file` to its end; false when it holds more than `bytes_max` or cannot be read.
base::Error unreadable(const std::string& name) {
  return {base::ErrorCode::kCannotRun,
          "cannot read " + name + ": " + std::system_category().message(errno)};
}

constexpr const char* kStandardInput = "standard input";

base::Result<void> read_blocks(std::FILE* file, const std::string& name, const TakeBlock& take) {
  char block[65536];
  while (const std::size_t got = std::fread(block, 1, sizeof block, file)) {
    if (auto taken = take({block, got}); !taken) {
      return taken;
    }
  }
  return std::ferror(file) == 0 ? base::Result<void>() : unreadable(name);
}

// Gathers the blocks in `text`, up to `bytes_max`.
TakeBlock into(std::string& text, std::uint64_t bytes_max, const std::string& name) {
  return [&text, bytes_max, name](std::string_view block) -> base::Result<void> {
    text.append(block);
    if (text.size() > bytes_max) {
      errno = EFBIG;
      return unreadable(name);
    }
    return {};
  };
}

}  // namespace

std::optional<std::string> environment_variable(std::string_view name) {
  const char* value = std::getenv(std::string(name).c_str());
  return value == nullptr ? std::nullopt : std::optional<std::string>(value);
}

bool is_windows() {
  return false;
}

std::filesystem::path program_file() {
  std::error_code error;
  return std::filesystem::read_symlink("/proc/self/exe", error);
}

std::filesystem::path program_directory() {
  return program_file().parent_path();
}

std::filesystem::path home_directory() {
  if (const auto home = environment_variable("HOME"); home && !home->empty()) {
    return *home;
  }
  const passwd* entry = ::getpwuid(::getuid());
  return entry == nullptr ? "/" : entry->pw_dir;
}

std::filesystem::path path_from_utf8(std::string_view text) {
  return {std::string(text)};
}

std::string path_to_utf8(const std::filesystem::path& path) {
  return path.string();
}

base::Result<std::string> read_file(const std::filesystem::path& path, std::uint64_t bytes_max) {
  std::string text;
  const auto read = read_file_in_blocks(path, into(text, bytes_max, path_to_utf8(path)));
  return read ? base::Result<std::string>(std::move(text)) : read.error();
}

base::Result<std::string> read_standard_input(std::uint64_t bytes_max) {
  std::string text;
  const auto read = read_standard_input_in_blocks(into(text, bytes_max, kStandardInput));
  return read ? base::Result<std::string>(std::move(text)) : read.error();
}

base::Result<void> read_file_in_blocks(const std::filesystem::path& path, const TakeBlock& take) {
  std::FILE* file = std::fopen(path.c_str(), "rbe");
  if (file == nullptr) {
    return unreadable(path_to_utf8(path));
  }
  auto read = read_blocks(file, path_to_utf8(path), take);
  std::fclose(file);
  return read;
}

base::Result<void> read_standard_input_in_blocks(const TakeBlock& take) {
  return read_blocks(stdin, kStandardInput, take);
}

void prepare_process() {
  std::signal(SIGPIPE, SIG_IGN);
  rlimit files{};
  if (::getrlimit(RLIMIT_NOFILE, &files) == 0) {
    files.rlim_cur = files.rlim_max;
    ::setrlimit(RLIMIT_NOFILE, &files);
  }
  const rlimit no_core{0, 0};
  ::setrlimit(RLIMIT_CORE, &no_core);
#ifdef __GLIBC__
  ::mallopt(M_MMAP_THRESHOLD, kMappedBytesMin);
#endif
}

void call_on_stop_request(std::function<void()> on_stop, std::function<void()> on_reload) {
  sigset_t signals;
  sigemptyset(&signals);
  sigaddset(&signals, SIGTERM);
  sigaddset(&signals, SIGINT);
  sigaddset(&signals, SIGHUP);
  ::pthread_sigmask(SIG_BLOCK, &signals, nullptr);
  std::thread([signals, stop = std::move(on_stop), reload = std::move(on_reload)] {
    for (bool stopping = false;;) {
      int signal = 0;
      ::sigwait(&signals, &signal);
      if (signal == SIGHUP && reload) {
        reload();
        continue;
      }
      if (stopping) {
        ::_exit(1);
      }
      stopping = true;
      stop();
    }
  }).detach();
}

void notify_service_manager(std::string_view state) {
  const auto path = environment_variable("NOTIFY_SOCKET");
  sockaddr_un address{};
  if (!path || path->empty() || path->size() >= sizeof address.sun_path) {
    return;
  }
  const int fd = ::socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);
  if (fd < 0) {
    return;
  }
  address.sun_family = AF_UNIX;
  std::memcpy(address.sun_path, path->data(), path->size());
  if (address.sun_path[0] == '@') {
    address.sun_path[0] = '\0';  // an abstract socket
  }
  const auto length = static_cast<socklen_t>(offsetof(sockaddr_un, sun_path) + path->size());
  ::sendto(fd, state.data(), state.size(), MSG_NOSIGNAL, reinterpret_cast<sockaddr*>(&address),
           length);
  ::close(fd);
}

std::uint64_t process_id() {
  return static_cast<std::uint64_t>(::getpid());
}

bool is_privileged() {
  return ::geteuid() == 0;
}

std::uint64_t open_files() {
  std::error_code failed;
  const std::filesystem::directory_iterator files("/proc/self/fd", failed);
  return failed ? 0 : static_cast<std::uint64_t>(std::distance(files, {}));
}

std::uint64_t open_files_max() {
  rlimit files{};
  ::getrlimit(RLIMIT_NOFILE, &files);
  return files.rlim_cur;
}

std::uint64_t resident_bytes() {
  std::ifstream file("/proc/self/statm");
  std::uint64_t pages_total = 0;
  std::uint64_t pages_resident = 0;
  file >> pages_total >> pages_resident;
  return pages_resident * static_cast<std::uint64_t>(::sysconf(_SC_PAGESIZE));
}

std::uint64_t cpu_microseconds() {
  rusage usage{};
  ::getrusage(RUSAGE_SELF, &usage);
  const auto micro = [](const timeval& t) {
    return static_cast<std::uint64_t>(t.tv_sec) * 1000000 + static_cast<std::uint64_t>(t.tv_usec);
  };
  return micro(usage.ru_utime) + micro(usage.ru_stime);
}

}  // namespace weir::os
