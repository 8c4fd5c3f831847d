#include <fcntl.h>
#include <poll.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <system_error>

#include "weir/os/command.h"

extern char** environ;

namespace weir::os {
namespace {

using std::chrono::steady_clock;

constexpr std::size_t kOutputBytesMax = 65536;
constexpr int kSignalCodeBase = 128;

base::Error failed(const std::string& program, const std::string& why) {
  return {base::ErrorCode::kCannotRun, program + ": " + why};
}

// Starts it with an empty input and both outputs into `output_end`; 0 or the system's error.
int start(const std::vector<std::string>& words, int output_end, pid_t& pid) {
  std::vector<char*> arguments;
  arguments.reserve(words.size() + 1);
  for (const std::string& word : words) {
    arguments.push_back(const_cast<char*>(word.c_str()));
  }
  arguments.push_back(nullptr);
  posix_spawn_file_actions_t files;
  ::posix_spawn_file_actions_init(&files);
  ::posix_spawn_file_actions_addopen(&files, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
  ::posix_spawn_file_actions_adddup2(&files, output_end, STDOUT_FILENO);
  ::posix_spawn_file_actions_adddup2(&files, output_end, STDERR_FILENO);
  const int error =
      ::posix_spawnp(&pid, arguments.front(), &files, nullptr, arguments.data(), environ);
  ::posix_spawn_file_actions_destroy(&files);
  return error;
}

// Everything until the program closes its end; false when `deadline` came before.
bool read_output(int fd, steady_clock::time_point deadline, std::string& output) {
  char block[4096];
  for (;;) {
    const auto left =
        std::chrono::ceil<std::chrono::milliseconds>(deadline - steady_clock::now()).count();
    pollfd entry{fd, POLLIN, 0};
    const int ready = ::poll(&entry, 1, static_cast<int>(std::max<std::int64_t>(left, 0)));
    if (ready == 0) {
      return false;
    }
    const ssize_t got = ready < 0 ? -1 : ::read(fd, block, sizeof block);
    if (got == 0) {
      return true;
    }
    if (got > 0) {
      output.append(block,
                    std::min(static_cast<std::size_t>(got), kOutputBytesMax - output.size()));
    } else if (errno != EINTR) {
      return true;
    }
  }
}

int wait_for_end(pid_t pid) {
  int state = 0;
  while (::waitpid(pid, &state, 0) < 0 && errno == EINTR) {
  }
  return WIFEXITED(state) ? WEXITSTATUS(state) : kSignalCodeBase + WTERMSIG(state);
}

}  // namespace

base::Result<CommandResult> run_command(const std::vector<std::string>& words,
                                        std::chrono::seconds time_max) {
  int ends[2];
  if (::pipe2(ends, O_CLOEXEC) != 0) {
    return failed(words.front(), std::system_category().message(errno));
  }
  pid_t pid = 0;
  const int error = start(words, ends[1], pid);
  ::close(ends[1]);
  CommandResult result;
  const bool in_time =
      error != 0 || read_output(ends[0], steady_clock::now() + time_max, result.output);
  ::close(ends[0]);
  if (error != 0) {
    return failed(words.front(), std::system_category().message(error));
  }
  if (!in_time) {
    ::kill(pid, SIGKILL);
  }
  result.exit_code = wait_for_end(pid);
  if (!in_time) {
    return failed(words.front(), "has not ended within " + std::to_string(time_max.count()) + " s");
  }
  return result;
}

}  // namespace weir::os
